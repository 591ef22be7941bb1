// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/durations.h"

#include "core/base/format.h"

#include <cmath>

namespace vramscope {

std::string formatNanoseconds(std::int64_t nanoseconds)
{
    const auto value = static_cast<double>(nanoseconds);
    const double size = std::abs(value);
    // A size that four digits would round up to 1000 belongs to the next unit.
    if (size < 1000)
        return formatNumber(value, 4) + " ns";
    if (size < 999'950)
        return formatNumber(value / 1e3, 4) + " µs";
    if (size < 999'950'000)
        return formatNumber(value / 1e6, 4) + " ms";
    return formatNumber(value / 1e9, 4) + " s";
}

std::string formatSeconds(double seconds)
{
    constexpr double kDay = 86400;
    return seconds >= 2 * kDay ? formatRounded(seconds / kDay) + " days"
                               : formatMicroseconds(std::llround(1e6 * seconds));
}

std::string formatTimeShare(std::int64_t part, std::int64_t whole)
{
    return formatFraction(whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole));
}

} // namespace vramscope
