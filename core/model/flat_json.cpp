// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/flat_json.h"

#include "core/base/json_text.h"
#include "core/plan/json_scalar.h"

#include <nlohmann/json.hpp>

#include <utility>

namespace vramscope {

namespace {

using Json = nlohmann::ordered_json;

constexpr int kDeepest = 4;
constexpr std::size_t kLongestPath = 160; ///< so that nested long keys do not multiply

std::string shortText(const Json &json)
{
    if (json.is_string())
        return json.get<std::string>();
    if (json.is_object())
        return "{…}";
    if (json.is_array())
        return "[…]";
    return json.dump();
}

FieldValue valueOf(const Json &json)
{
    if (json.is_null())
        return {};
    if (auto scalar = scalarOf(json))
        return *std::move(scalar);
    if (!json.is_array())
        return shortText(json);
    TextList list;
    list.reserve(json.size());
    for (const Json &element : json)
        list.push_back(element.is_object() ? element.dump() : shortText(element));
    return list;
}

void flatten(const Json &object, const std::string &prefix, int depth, std::vector<FlatValue> &out)
{
    for (const auto &[key, value] : object.items()) {
        std::string path = (prefix + key).substr(0, kLongestPath);
        if (value.is_object() && depth < kDeepest)
            flatten(value, path + '.', depth + 1, out);
        else
            out.push_back({std::move(path), valueOf(value)});
    }
}

std::optional<std::vector<FlatValue>> flattenedAnew(std::string_view text)
{
    const Json json = parsedJson(text);
    if (!json.is_object())
        return std::nullopt;
    std::vector<FlatValue> values;
    flatten(json, {}, 1, values);
    return values;
}

} // namespace

std::optional<std::vector<FlatValue>> flattened(std::string_view text)
{
    // One estimate reads the config of its model for shape, towers and uncounted parts, and the
    // next one, after another field changed, reads the same.
    constexpr std::size_t kLongestKept = 1 << 16;
    if (text.size() > kLongestKept)
        return flattenedAnew(text);
    thread_local std::string lastText;
    thread_local std::optional<std::vector<FlatValue>> last;
    if (text != lastText) {
        last = flattenedAnew(text);
        lastText = text;
    }
    return last;
}

} // namespace vramscope
