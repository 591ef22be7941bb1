// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/support/theme.h"

#include <QFont>
#include <QPointF>
#include <QRectF>
#include <QStringList>

class QPainter;

namespace vramscope {

/// The box of a tip: next to the mouse and inside `bounds`.
[[nodiscard]] QRectF tipBox(const QFont &font, const QStringList &lines, QPointF mouse,
                            const QRectF &bounds);

/// Paints lines of text in that box, the first one as heading, in the painter's font: a view's text
/// on the thing under the mouse.
void paintTip(QPainter &painter, const QStringList &lines, QPointF mouse, const QRectF &bounds,
              const Theme &theme);

} // namespace vramscope
