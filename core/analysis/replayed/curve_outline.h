// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/replayed/event_curve.h"

#include <vector>

namespace vramscope {

/// A curve in few numbers: its states before the first and after every event divided evenly, in
/// order, into columns with the lowest and the highest of each. No value of the curve is missed.
struct CurveOutline
{
    EventIndex events = 0; ///< of the curve
    std::vector<Bytes> lowest;
    std::vector<Bytes> highest;
};

/// At most `columns` of them, which must be more than 0; fewer if there are fewer states.
[[nodiscard]] CurveOutline outlineOf(const EventCurve &curve, std::size_t columns);

} // namespace vramscope
