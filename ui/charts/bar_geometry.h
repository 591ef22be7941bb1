// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"

#include <QPointF>
#include <QRectF>
#include <QString>

#include <optional>

namespace vramscope {

/// The layout of stacked bars on the screen: pure coordinates, the same for horizontal bars (values
/// to the right, first bar on top) and vertical ones (values up, first bar on the left). Overlays
/// and hit testing both use it.
struct BarGeometry
{
    Qt::Orientation orientation = Qt::Horizontal;
    QRectF plot;
    double range = 1;     ///< value at the far end of the plot
    int count = 0;        ///< bars
    double thickness = 0; ///< of a bar, as a share of its slot

    /// Pixel of a value along the value axis: x for horizontal bars, y for vertical ones.
    [[nodiscard]] double position(double value) const;
    /// Pixels per bar across the value axis.
    [[nodiscard]] double pitch() const;
    /// The part of the plot that belongs to a bar.
    [[nodiscard]] QRectF slot(int bar) const;
    /// The rectangle of a bar between two values.
    [[nodiscard]] QRectF rect(int bar, double from, double to) const;
    /// The value at a point; meaningful inside the plot.
    [[nodiscard]] double valueAt(QPointF point) const;
    /// The bar in whose slot a point lies.
    [[nodiscard]] std::optional<int> slotAt(QPointF point) const;
};

/// The start of a label of that width next to a horizontal bar that ends at `end`, clear of a line
/// at `line`: after the bar; else after the line, if it ends before `edge`; else on the bar, before
/// the line. In pixels.
[[nodiscard]] double labelBeside(double end, double width, std::optional<double> line, double edge);

/// The top of a label of that height over a vertical bar that ends at `end`, clear of a line at
/// `line` and of that line's own label above it, if any, of the same height: over the bar, else
/// over the line, else below both, on the bar.
[[nodiscard]] double labelAbove(double end, double height, std::optional<double> line,
                                bool isLineLabelled);

/// The smallest of 1, 2, 5 times a power of ten that divides a range into at most `most` steps.
[[nodiscard]] double niceInterval(double range, int most);

/// The distance of the levels of a vertical axis, in the unit of `range`.
[[nodiscard]] double levelInterval(double range, double height);
/// The bytes of one GiB or GB.
[[nodiscard]] double gigaBytes(ByteUnit unit);

/// The text of an axis tick, with as many decimals as its interval needs: "0.5", "12,000".
[[nodiscard]] QString tickText(double value, double interval);

} // namespace vramscope
