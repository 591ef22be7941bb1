// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRectF>

#include <span>

class QPainter;

namespace vramscope {

struct Theme;

/// Paints signed errors in percent as strokes on one axis from −`range` to `range`, with a line at
/// zero: a column of such strips shows the errors of each row. Errors beyond `met` on either side
/// are taller.
void paintErrorStrip(QPainter &painter, const QRectF &place, std::span<const double> errors,
                     double range, double met, const Theme &theme);

} // namespace vramscope
