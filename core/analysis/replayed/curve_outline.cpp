// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/replayed/curve_outline.h"

#include <algorithm>

namespace vramscope {

CurveOutline outlineOf(const EventCurve &curve, std::size_t columns)
{
    const std::size_t states = static_cast<std::size_t>(curve.count()) + 1;
    const std::size_t count = std::min(columns, states);
    CurveOutline outline;
    outline.events = curve.count();
    for (std::size_t at = 0; at < count; ++at) {
        // States are counted from the one before the first event, events from -1.
        const auto first = static_cast<EventIndex>(at * states / count) - 1;
        const auto last = static_cast<EventIndex>((at + 1) * states / count) - 2;
        outline.lowest.push_back(curve.at(curve.lowest(first, last)));
        outline.highest.push_back(curve.at(curve.highest(first, last)));
    }
    return outline;
}

} // namespace vramscope
