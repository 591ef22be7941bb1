// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/format.h"

#include "core/base/counted.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace vramscope {

namespace {

// Prints like "%.*f" or "%.*g" in the C locale: Qt sets that of the desktop, whose decimal point
// may be a comma.
std::string printed(std::chars_format format, int decimals, double value)
{
    std::array<char, 512> text{}; // 309 digits, the point, the decimals
    const auto end =
        std::to_chars(text.data(), text.data() + text.size(), value, format, decimals).ptr;
    return {text.data(), end};
}

std::string printed(double value, int decimals)
{
    return printed(std::chars_format::fixed, decimals, value);
}

// Decimals for three significant digits: 1.23, 12.3, 123.
int decimalsFor(double value)
{
    const double size = std::abs(value);
    return size < 9.995 ? 2 : size < 99.95 ? 1 : 0;
}

} // namespace

std::string formatBytes(Bytes bytes, ByteUnit unit)
{
    static constexpr std::array kBinary = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    static constexpr std::array kDecimal = {"B", "kB", "MB", "GB", "TB", "PB", "EB"};
    const double step = unit == ByteUnit::Binary ? 1024.0 : 1000.0;
    double value = static_cast<double>(bytes);
    std::size_t rank = 0;
    // 999.5 and more would print as "1000": move up one unit before that.
    while (std::abs(value) >= 999.5 && rank + 1 < kBinary.size()) {
        value /= step;
        ++rank;
    }
    const char *name = unit == ByteUnit::Binary ? kBinary[rank] : kDecimal[rank];
    if (rank == 0)
        return std::to_string(bytes) + " B";
    return printed(value, decimalsFor(value)) + " " + name;
}

std::string formatGiga(Bytes bytes, ByteUnit unit, int decimals)
{
    const double step = unit == ByteUnit::Binary ? static_cast<double>(kGiB) : 1e9;
    constexpr double kWhole = 10'000; // from here on decimals are meaningless
    const double value = static_cast<double>(bytes) / step;
    return formatDecimals(value, std::abs(value) < kWhole ? decimals : 0);
}

std::string formatDecimals(double value, int decimals)
{
    std::string digits = printed(value, decimals);
    const std::size_t first = digits.front() == '-' ? 1 : 0;
    const std::size_t point = std::min(digits.find('.'), digits.size());
    for (std::size_t at = point; at > first + 3; at -= 3)
        digits.insert(at - 3, 1, ',');
    return digits;
}

std::string formatCount(std::int64_t count)
{
    std::string digits = std::to_string(count);
    const std::size_t first = digits.front() == '-' ? 1 : 0;
    for (std::size_t at = digits.size(); at > first + 3; at -= 3)
        digits.insert(at - 3, 1, ',');
    return digits;
}

std::string formatShortCount(std::int64_t count)
{
    if (count < 1000)
        return std::to_string(count);
    constexpr std::string_view kUnits = "KMBTQ";
    double value = static_cast<double>(count) / 1000;
    std::size_t unit = 0;
    while (value >= 999.5 && unit + 1 < kUnits.size()) {
        value /= 1000;
        ++unit;
    }
    return printed(value, decimalsFor(value)) + kUnits[unit];
}

std::string formatMicroseconds(std::int64_t microseconds)
{
    const double us = static_cast<double>(microseconds);
    if (std::abs(us) < 1000)
        return std::to_string(microseconds) + " µs";
    if (std::abs(us) < 1e6)
        return printed(us / 1e3, decimalsFor(us / 1e3)) + " ms";
    if (std::abs(us) < 60e6)
        return printed(us / 1e6, decimalsFor(us / 1e6)) + " s";
    const std::int64_t seconds = microseconds / 1000000;
    if (std::abs(us) < 3600e6)
        return std::to_string(seconds / 60) + " min " + std::to_string(std::abs(seconds % 60)) +
               " s";
    return std::to_string(seconds / 3600) + " h " + std::to_string(std::abs(seconds / 60 % 60)) +
           " min";
}

std::string formatNumber(double value, int digits)
{
    return printed(std::chars_format::general, digits, value);
}

std::string formatFraction(double fraction)
{
    const double percent = 100 * fraction;
    if (percent == 0)
        return "0 %";
    if (std::abs(percent) < 0.1)
        return percent < 0 ? ">-0.1 %" : "<0.1 %";
    return formatDecimals(percent, 1) + " %";
}

std::string formatPercent(double fraction)
{
    return std::to_string(std::llround(100 * fraction)) + " %";
}

std::string formatChange(Bytes bytes, ByteUnit unit)
{
    return (bytes > 0 ? "+" : "") + formatBytes(bytes, unit);
}

std::string formatExactBytes(Bytes bytes, ByteUnit unit)
{
    if (bytes > -1000 && bytes < 1000)
        return counted(bytes, "byte");
    return formatBytes(bytes, unit) + " (" + counted(bytes, "byte") + ")";
}

std::string formatPartOf(Bytes part, Bytes whole, ByteUnit unit)
{
    const std::string of = formatBytes(part, unit);
    const std::string all = formatBytes(whole, unit);
    const std::size_t end = of.rfind(' ');
    const bool same =
        std::string_view(of).substr(end) == std::string_view(all).substr(all.rfind(' '));
    return (same ? of.substr(0, end) : of) + " of " + all;
}

std::string formatRounded(double value)
{
    constexpr double kLargest = 9e18;
    if (!(std::abs(value) >= 1000) || std::abs(value) >= kLargest)
        return formatNumber(value, 3);
    const double unit = std::pow(10, std::floor(std::log10(std::abs(value))) - 2);
    return formatCount(std::llround(std::round(value / unit) * unit));
}

const char *gigaUnit(ByteUnit unit)
{
    return unit == ByteUnit::Binary ? "GiB" : "GB";
}

} // namespace vramscope
