// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ranks/record_value.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>

namespace vramscope {

namespace {

/// Where a text that begins at `at` ends: behind its second quote.
std::size_t endOfQuoted(std::string_view json, std::size_t at)
{
    for (++at; at < json.size() && json[at] != '"'; ++at) {
        if (json[at] == '\\')
            ++at;
    }
    return std::min(at + 1, json.size());
}

/// Where the value that begins at `at` ends, of whatever kind.
std::size_t endOfValue(std::string_view json, std::size_t at)
{
    std::size_t depth = 0;
    while (at < json.size()) {
        switch (json[at]) {
        case '"':
            at = endOfQuoted(json, at);
            break;
        case '{':
        case '[':
            ++depth;
            ++at;
            break;
        case '}':
        case ']':
            if (depth == 0)
                return at;
            --depth;
            ++at;
            break;
        case ',':
        case ':':
            if (depth == 0)
                return at;
            ++at;
            break;
        default:
            ++at;
        }
        const bool isWhole =
            depth == 0 && (json[at - 1] == '"' || json[at - 1] == '}' || json[at - 1] == ']');
        if (isWhole)
            return at;
    }
    return at;
}

template<class Number>
std::optional<Number> numberOf(std::string_view text)
{
    Number number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool isWhole = error == std::errc() && end == text.data() + text.size();
    return isWhole && !text.empty() ? std::optional(number) : std::nullopt;
}

} // namespace

std::optional<std::int64_t> RecordValue::integer() const
{
    return numberOf<std::int64_t>(m_text);
}

std::optional<double> RecordValue::number() const
{
    return numberOf<double>(m_text);
}

std::optional<bool> RecordValue::flag() const
{
    if (m_text == "true")
        return true;
    return m_text == "false" ? std::optional(false) : std::nullopt;
}

std::optional<std::string_view> RecordValue::plainText() const
{
    const bool isPlain =
        m_text.size() >= 2 && m_text.front() == '"' && m_text.find('\\') == std::string_view::npos;
    return isPlain ? std::optional(m_text.substr(1, m_text.size() - 2)) : std::nullopt;
}

std::optional<std::string> RecordValue::text() const
{
    if (const auto plain = plainText())
        return std::string(*plain);
    if (!m_text.starts_with('"'))
        return {};
    const auto json = nlohmann::json::parse(m_text, nullptr, false);
    return json.is_string() ? std::optional(json.get<std::string>()) : std::nullopt;
}

void RecordValue::elements(std::vector<RecordValue> &into) const
{
    into.clear();
    if (!isList())
        return;
    for (std::size_t at = 1; at + 1 < m_text.size();) {
        const std::size_t end = endOfValue(m_text, at);
        into.emplace_back(m_text.substr(at, end - at));
        at = end + 1; // behind the comma
    }
}

std::vector<RecordValue> RecordValue::elements() const
{
    std::vector<RecordValue> values;
    elements(values);
    return values;
}

std::vector<std::pair<RecordValue, RecordValue>> RecordValue::members() const
{
    std::vector<std::pair<RecordValue, RecordValue>> members;
    if (!isObject())
        return members;
    for (std::size_t at = 1; at + 1 < m_text.size();) {
        const std::size_t colon = endOfQuoted(m_text, at);
        const std::size_t from = std::min(colon + 1, m_text.size());
        const std::size_t end = endOfValue(m_text, from);
        members.emplace_back(RecordValue(m_text.substr(at, colon - at)),
                             RecordValue(m_text.substr(from, end - from)));
        at = end + 1;
    }
    return members;
}

} // namespace vramscope
