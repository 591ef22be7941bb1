// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/serving_logs/serving_log.h"

#include <algorithm>
#include <cmath>

namespace vramscope {

namespace {

Bytes inBytes(double value, LogUnit unit)
{
    constexpr double kLargest = 1e17; // sums of several stay within 64 bits
    const double bytes = value * bytesOfUnit(unit);
    return std::abs(bytes) < kLargest ? static_cast<Bytes>(std::llround(bytes)) : 0;
}

} // namespace

Bytes LogFigure::bytes() const
{
    return inBytes(value, unit);
}

double LogFigure::rounding() const
{
    return std::pow(10.0, -decimals) / 2;
}

Bytes BestFigure::bytes() const
{
    return inBytes(value, unit);
}

const BestFigure *ServingLog::find(std::string_view key) const
{
    const auto found = std::ranges::find(best, key, &BestFigure::key);
    return found != best.end() ? &*found : nullptr;
}

std::string_view ServingLog::setting(std::string_view name) const
{
    std::string_view value;
    for (const LogSetting &one : settings)
        if (one.name == name && (one.model == 0 || one.model == target))
            value = one.value;
    return value;
}

} // namespace vramscope
