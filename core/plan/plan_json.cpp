// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/plan_json.h"

#include "core/base/json_text.h"
#include "core/base/nearest.h"
#include "core/base/text.h"
#include "core/plan/field.h"
#include "core/plan/json_scalar.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <vector>

namespace vramscope {

namespace {

using Json = nlohmann::ordered_json;

constexpr const char *kVersionKey = "vramscope";
constexpr std::int64_t kVersion = 1;

/// What a message shows of a value that cannot be used.
std::string shown(const Json &json)
{
    if (json.is_object())
        return "an object";
    if (json.is_array())
        return "a list";
    return excerpt(jsonText(json), 60);
}

/// What may stand in the object at `prefix` ("" or "parallel."), in the order of the document.
std::vector<std::string_view> childrenOf(std::string_view prefix)
{
    std::vector<std::string_view> names;
    if (prefix.empty())
        names.emplace_back(kVersionKey);
    for (const Field &field : planFields()) {
        if (!field.path.text().starts_with(prefix))
            continue;
        const std::string_view rest = field.path.text().substr(prefix.size());
        const std::string_view name = rest.substr(0, rest.find('.'));
        if (names.empty() || names.back() != name)
            names.push_back(name);
    }
    return names;
}

bool isGroup(std::string_view path)
{
    const std::string prefix = std::string(path) + '.';
    for (const Field &field : planFields()) {
        if (field.path.text().starts_with(prefix))
            return true;
    }
    return false;
}

/// A JSON value as a field's value; empty where no field can hold it.
std::optional<FieldValue> fieldValue(const Json &json, const Field &field)
{
    if (field.kind == FieldKind::Object)
        return json.is_object() ? std::optional<FieldValue>(jsonText(json)) : std::nullopt;
    if (auto scalar = scalarOf(json))
        return scalar;
    if (!json.is_array())
        return std::nullopt;
    if (field.kind == FieldKind::Counts) {
        CountList counts;
        for (const Json &count : json) {
            if (!count.is_number_integer())
                return std::nullopt;
            counts.push_back(count.get<std::int64_t>());
        }
        return counts;
    }
    TextList list;
    for (const Json &word : json) {
        if (!word.is_string())
            return std::nullopt;
        list.push_back(word.get<std::string>());
    }
    return list;
}

Result<void> readField(Plan &plan, const Field &field, const Json &json)
{
    if (const auto value = fieldValue(json, field))
        return setField(plan, field, *value);
    // What the field may be is setField's knowledge: let it refuse a value that never fits.
    const bool textual = field.kind == FieldKind::Choice || field.kind == FieldKind::Text;
    const FieldValue never = textual ? FieldValue(TextList{}) : FieldValue(std::string());
    std::string text = setField(plan, field, never).error().detail;
    const std::size_t tail = text.find("; it must be");
    return invalid(std::string(field.path) + " is " + shown(json) + text.substr(tail));
}

Result<void> readObject(Plan &plan, const Json &json, const std::string &prefix)
{
    for (const auto &[key, value] : json.items()) {
        const std::string path = prefix + key;
        if (path == kVersionKey)
            continue;
        // A key with a point is no path: "batch.micro_batch" stands in no object.
        const bool isName = key.find('.') == std::string::npos;
        if (const Field *field = isName ? findField(path) : nullptr) {
            if (auto read = readField(plan, *field, value); !read)
                return read;
        } else if (isName && isGroup(path)) {
            if (!value.is_object())
                return invalid(path + " is " + shown(value) + "; it must be an object.");
            if (auto read = readObject(plan, value, path + '.'); !read)
                return read;
        } else {
            return invalid(excerpt(path, 100) + " is not a field of a plan" +
                           didYouMean(key, childrenOf(prefix)) + '.');
        }
    }
    return {};
}

Result<void> checkVersion(const Json &json)
{
    const auto version = json.find(kVersionKey);
    if (version == json.end()) {
        if (json.contains("hidden_size") || json.contains("num_hidden_layers"))
            return invalid("This is a model's config.json, not a plan: put it into a plan as "
                           "model.config.");
        return invalid("This JSON is not a plan: a plan begins with \"vramscope\": 1.");
    }
    if (*version == kVersion && version->is_number_integer())
        return {};
    if (*version == "session")
        return Error{ErrorCode::OtherContent, "This holds the bookmarks of a recording, not a "
                                              "plan; open the recording beside it."};
    if (version->is_number_integer() && *version > kVersion)
        return Error{ErrorCode::Unsupported, "This plan is of version " + jsonText(*version) +
                                                 ", which a newer VRAMscope wrote; this one reads "
                                                 "version 1."};
    return invalid("vramscope is " + shown(*version) + "; it must be 1, the version of the plan.");
}

/// A value as the document shows it; whole doubles without a fraction.
Json jsonOf(const FieldValue &value, FieldKind kind)
{
    if (const auto *number = std::get_if<double>(&value)) {
        const bool whole = std::trunc(*number) == *number && std::abs(*number) < 1e15;
        return whole ? Json(static_cast<std::int64_t>(*number)) : Json(*number);
    }
    if (kind == FieldKind::Object)
        return parsedJson(std::get<std::string>(value));
    return std::visit(
        [](const auto &content) -> Json {
            if constexpr (std::is_same_v<std::decay_t<decltype(content)>, std::monostate>)
                return nullptr;
            else
                return content;
        },
        value);
}

} // namespace

Result<Plan> parsePlan(std::string_view text)
{
    if (const auto checked = checkJson(text); !checked)
        return checked.error();
    const Json json = parsedJson(text);
    if (!json.is_object())
        return invalid("This JSON is not a plan: a plan is an object that begins with "
                       "\"vramscope\": 1.");
    if (const auto version = checkVersion(json); !version)
        return version.error();
    if (!json.contains("model"))
        return invalid("model is missing: a plan names a preset or holds a config.");
    Plan plan;
    if (auto read = readObject(plan, json, {}); !read)
        return read.error();
    return plan;
}

std::string planJson(const Plan &plan)
{
    Json json;
    json[kVersionKey] = kVersion;
    for (const Field &field : planFields()) {
        if (field.path.text().starts_with("model.") && !json.contains("model"))
            json["model"] = Json::object(); // there even when empty
        const FieldValue value = field.get(plan);
        if (std::holds_alternative<std::monostate>(value))
            continue;
        Json *object = &json;
        std::string_view rest = field.path;
        for (std::size_t dot = rest.find('.'); dot != rest.npos; dot = rest.find('.')) {
            object = &(*object)[std::string(rest.substr(0, dot))];
            rest.remove_prefix(dot + 1);
        }
        (*object)[std::string(rest)] = jsonOf(value, field.kind);
    }
    return jsonText(json, 2) + '\n';
}

} // namespace vramscope
