// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/coordinates.h"

namespace vramscope {

Ticks niceTicks(const Range &range, int most, double smallest)
{
    Ticks ticks;
    if (!(range.length() > 0) || most < 1) {
        ticks.values = {range.low};
        return ticks;
    }
    const double coarse = std::max(range.length() / most, smallest);
    const double power = std::pow(10, std::floor(std::log10(coarse)));
    ticks.step = power * 10;
    for (const double factor : {1.0, 2.0, 5.0}) {
        if (power * factor >= coarse * (1 - 1e-9)) {
            ticks.step = power * factor;
            break;
        }
    }
    ticks.decimals = std::max(0, static_cast<int>(-std::floor(std::log10(ticks.step) + 1e-9)));
    const double first = std::ceil(range.low / ticks.step - 1e-9);
    const double last = std::floor(range.high / ticks.step + 1e-9);
    const auto count = static_cast<int>(std::max(last - first + 1, 0.0));
    ticks.values.reserve(static_cast<std::size_t>(count));
    for (int tick = 0; tick < count; ++tick)
        ticks.values.push_back((first + tick) * ticks.step);
    return ticks;
}

} // namespace vramscope
