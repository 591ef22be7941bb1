// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/support/theme.h"
#include "ui/timeline/timeline_data.h"

#include <QImage>
#include <QRectF>

namespace vramscope {

class TimelineState;

/// The whole recording as a small curve in `place` of a transparent picture of a widget's `size`:
/// active memory a column from its lowest to its highest state, fainter where it moves in between;
/// reserved memory as a line.
[[nodiscard]] QImage paintUsage(const TimelineData &data, const TimelineState &state,
                                const QRectF &place, QSize size, double ratio, const Theme &theme);

} // namespace vramscope
