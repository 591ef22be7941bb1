// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/written_size.h"

#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <span>
#include <string>

namespace vramscope {

namespace {

struct WrittenUnit
{
    std::string_view text;
    double factor;
};

constexpr std::array<WrittenUnit, 11> kByteUnits{{{"", 1},
                                                  {"b", 1},
                                                  {"bytes", 1},
                                                  {"kib", 1024},
                                                  {"mib", 1048576},
                                                  {"gib", 1073741824},
                                                  {"tib", 1099511627776},
                                                  {"kb", 1e3},
                                                  {"mb", 1e6},
                                                  {"gb", 1e9},
                                                  {"tb", 1e12}}};
constexpr std::array<WrittenUnit, 3> kCountUnits{{{"", 1}, {"k", 1024}, {"m", 1048576}}};
constexpr std::array<WrittenUnit, 5> kAmountUnits{
    {{"", 1}, {"k", 1e3}, {"m", 1e6}, {"b", 1e9}, {"t", 1e12}}};

std::optional<std::int64_t> written(std::string_view text, std::span<const WrittenUnit> units)
{
    double value = 0;
    const auto [end, error] =
        std::from_chars(text.data(), text.data() + text.size(), value); // "1e9" too
    if (error != std::errc() || !(value >= 0))
        return std::nullopt;
    const std::size_t length = static_cast<std::size_t>(end - text.data());
    const std::string unit = lowered(trimmed(text.substr(length)));
    const auto found = std::ranges::find(units, unit, &WrittenUnit::text);
    if (found == units.end())
        return std::nullopt;
    const double whole = std::round(value * found->factor);
    constexpr double kExact = 9007199254740992.0; // 2^53
    return whole <= kExact ? std::optional(static_cast<std::int64_t>(whole)) : std::nullopt;
}

/// "1.5" is not a count; "1.5k" and "1.5e4" are.
std::optional<std::int64_t> writtenWhole(std::string_view text, std::span<const WrittenUnit> units)
{
    const bool isPlain =
        !text.empty() && isDigit(text.back()) && text.find_first_of("eE") == text.npos;
    return isPlain && text.find('.') != text.npos ? std::nullopt : written(text, units);
}

} // namespace

std::optional<Bytes> writtenBytes(std::string_view text)
{
    return written(text, kByteUnits);
}

std::optional<std::int64_t> writtenCount(std::string_view text)
{
    return writtenWhole(text, kCountUnits);
}

std::optional<std::int64_t> writtenAmount(std::string_view text)
{
    return writtenWhole(text, kAmountUnits);
}

} // namespace vramscope
