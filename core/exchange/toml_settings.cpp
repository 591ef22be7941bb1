// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/format.h"
#include "core/base/text.h"
#include "core/exchange/formats.h"

#define TOML_EXCEPTIONS 0
#include <toml++/impl/preprocessor.h>
// toml++ 3.3 asserts, or in a release build lets the compiler assume, that a table's name begins
// well, before it checks that ("[>x]"); only the check is needed.
#undef TOML_ASSERT
#undef TOML_ASSERT_ASSUME
#undef TOML_ASSUME
#define TOML_ASSERT(...) static_assert(true)
#define TOML_ASSERT_ASSUME(...) static_assert(true)
#define TOML_ASSUME(...) static_assert(true)

#include <toml++/toml.h>

namespace vramscope {

namespace {

constexpr int kDeepestTable = 4;
constexpr std::size_t kLongestPath = 160;

std::string shortText(const toml::node &node)
{
    if (const auto *text = node.as_string())
        return text->get();
    if (const auto *number = node.as_integer())
        return std::to_string(number->get());
    return "…";
}

FieldValue valueOf(const toml::node &node)
{
    if (const auto *set = node.as_boolean())
        return set->get();
    if (const auto *whole = node.as_integer())
        return whole->get();
    if (const auto *number = node.as_floating_point())
        return number->get();
    const auto *array = node.as_array();
    if (!array)
        return shortText(node);
    TextList list;
    for (const toml::node &element : *array)
        list.push_back(shortText(element));
    return list;
}

void flatten(const toml::table &table, const std::string &prefix, int depth,
             std::vector<ForeignSetting> &out)
{
    for (const auto &[key, node] : table) {
        const std::string path = (prefix + std::string(key.str())).substr(0, kLongestPath);
        const auto *inner = node.as_table();
        if (inner && depth < kDeepestTable)
            flatten(*inner, path + '.', depth + 1, out);
        else
            out.push_back({path, inner ? FieldValue("…") : valueOf(node),
                           "line " + formatCount(node.source().begin.line) + ", " + path});
    }
}

} // namespace

Result<std::vector<ForeignSetting>> tomlSettings(std::string_view text)
{
    const toml::parse_result parsed = toml::parse(text);
    if (!parsed)
        return Error{ErrorCode::Malformed,
                     "This is not TOML from line " +
                         formatCount(parsed.error().source().begin.line) + " on (" +
                         excerpt(parsed.error().description(), 120) + "); correct it there."};
    std::vector<ForeignSetting> settings;
    flatten(parsed.table(), {}, 1, settings);
    return settings;
}

} // namespace vramscope
