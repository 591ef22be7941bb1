// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/support/theme.h"

#include <QRectF>

class QPainter;

namespace vramscope {

class TimelineState;
class UsageCurve;

/// The whole recording as a small curve in `place`: active memory a column from its lowest to its
/// highest state, fainter where it moves in between; reserved memory as a line.
void paintUsage(QPainter &painter, const UsageCurve &curve, const TimelineState &state,
                const QRectF &place, const Theme &theme);

} // namespace vramscope
