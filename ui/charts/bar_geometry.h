// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointF>
#include <QRectF>
#include <QString>

#include <optional>

namespace vramscope {

/// Where stacked bars lie on the screen: pure coordinates, the same for lying bars (values to the
/// right, first bar on top) and standing ones (values up, first bar on the left). What is drawn
/// over the bars and what is hit by the mouse both follow from it.
struct BarGeometry
{
    Qt::Orientation orientation = Qt::Horizontal;
    QRectF plot;
    double range = 1;     ///< value at the far end of the plot
    int count = 0;        ///< bars
    double thickness = 0; ///< of a bar, as a share of its slot

    /// Pixel of a value along the value axis: x of lying bars, y of standing ones.
    [[nodiscard]] double position(double value) const;
    /// Pixels that each bar has across the value axis.
    [[nodiscard]] double pitch() const;
    /// The stretch of the plot that belongs to a bar.
    [[nodiscard]] QRectF slot(int bar) const;
    /// The rectangle of a bar between two values.
    [[nodiscard]] QRectF rect(int bar, double from, double to) const;
    /// The value at a point; meaningful inside the plot.
    [[nodiscard]] double valueAt(QPointF point) const;
    /// The bar in whose slot a point lies.
    [[nodiscard]] std::optional<int> slotAt(QPointF point) const;
};

/// Where a label of so much width begins beside a lying bar that ends at `end`, so that a line at
/// `line` does not run through it: after the bar, else after the line, where it ends before `edge`;
/// else on the bar, before the line. In pixels.
[[nodiscard]] double labelBeside(double end, double width, std::optional<double> line, double edge);

/// The top of a label of that height over a standing bar that ends at `end`, clear of a line at
/// `line` and, where that has a label of its own height above it, of that: over the bar, else over
/// the line, else below both, on the bar.
[[nodiscard]] double labelAbove(double end, double height, std::optional<double> line,
                                bool isLineLabelled);

/// The smallest of 1, 2, 5 times a power of ten that divides a range into at most `most` steps.
[[nodiscard]] double niceInterval(double range, int most);

/// A tick of an axis with as many decimals as its interval needs: "0.5", "12,000".
[[nodiscard]] QString tickText(double value, double interval);

} // namespace vramscope
