// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/support/theme.h"

#include <QPointF>
#include <QRectF>
#include <QStringList>

class QPainter;

namespace vramscope {

/// Paints lines of text in a box beside the mouse and inside `bounds`, the first one as heading:
/// what a view says of the thing under the mouse. In the painter's font.
void paintTip(QPainter &painter, const QStringList &lines, QPointF mouse, const QRectF &bounds,
              const Theme &theme);

} // namespace vramscope
