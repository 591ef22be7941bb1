// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/setting_values.h"

#include "core/base/format.h"
#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace vramscope {

namespace {

template<class Number>
std::optional<Number> parsed(std::string_view text)
{
    Number number{};
    const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (status != std::errc() || end != text.data() + text.size())
        return std::nullopt;
    return number;
}

} // namespace

std::string shownSetting(const FieldValue &value)
{
    if (const auto *set = std::get_if<bool>(&value))
        return *set ? "true" : "false";
    if (const auto *whole = std::get_if<std::int64_t>(&value))
        return std::to_string(*whole);
    if (const auto *number = std::get_if<double>(&value))
        return formatNumber(*number);
    if (const auto *text = std::get_if<std::string>(&value))
        return '"' + excerpt(*text, 60) + '"';
    return "a list";
}

std::string shortestNumber(double value)
{
    std::array<char, 32> text{}; // a double has 24 characters at most
    const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
    return {text.data(), end};
}

std::optional<double> asNumber(const FieldValue &value)
{
    if (const auto *whole = std::get_if<std::int64_t>(&value))
        return static_cast<double>(*whole);
    if (const auto *number = std::get_if<double>(&value))
        return *number;
    const auto *text = std::get_if<std::string>(&value);
    return text ? parsed<double>(*text) : std::nullopt;
}

std::optional<std::int64_t> asCount(const FieldValue &value)
{
    if (const auto *whole = std::get_if<std::int64_t>(&value))
        return *whole;
    if (const auto *text = std::get_if<std::string>(&value)) {
        if (const auto whole = parsed<std::int64_t>(*text))
            return whole;
    }
    const std::optional<double> number = asNumber(value); // 5e8
    constexpr double kExact = 9007199254740992.0;         // 2^53
    if (!number || std::trunc(*number) != *number || std::abs(*number) > kExact)
        return std::nullopt;
    return static_cast<std::int64_t>(*number);
}

std::optional<bool> asFlag(const FieldValue &value)
{
    if (const auto *set = std::get_if<bool>(&value))
        return *set;
    const auto *text = std::get_if<std::string>(&value);
    const std::string word = text ? lowered(*text) : std::string();
    if (word == "true" || word == "1")
        return true;
    if (word == "false" || word == "0")
        return false;
    return std::nullopt;
}

} // namespace vramscope
