// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/moments.h"

#include "core/base/durations.h"
#include "core/base/format.h"

#include <cstdlib>

namespace vramscope {

const TimeUnit &timeUnitOf(double nanoseconds)
{
    static constexpr TimeUnit kUnits[] = {
        {1'000'000'000, 9, "s"}, {1'000'000, 6, "ms"}, {1'000, 3, "µs"}, {1, 0, "ns"}};
    for (const TimeUnit &unit : kUnits) {
        if (nanoseconds >= static_cast<double>(unit.nanoseconds))
            return unit;
    }
    return kUnits[3];
}

std::string formatMoment(std::int64_t nanoseconds)
{
    const std::int64_t size = std::abs(nanoseconds);
    const TimeUnit &unit = timeUnitOf(static_cast<double>(size));
    std::string text = (nanoseconds < 0 ? "−" : "") + formatCount(size / unit.nanoseconds);
    if (unit.digits > 0) {
        const std::string rest = std::to_string(size % unit.nanoseconds);
        text += "." + std::string(static_cast<std::size_t>(unit.digits) - rest.size(), '0') + rest;
    }
    return text + " " + std::string(unit.name);
}

std::string formatExactNanoseconds(std::int64_t nanoseconds)
{
    const std::string text = formatNanoseconds(nanoseconds);
    return std::abs(nanoseconds) < 1000 ? text : text + " (" + formatCount(nanoseconds) + " ns)";
}

} // namespace vramscope
