// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "ui/support/theme.h"
#include "ui/timeline/view_state.h"

#include <QFont>
#include <QRectF>

#include <algorithm>
#include <cmath>

namespace vramscope {

/// The theme of a chart, with the colour of the page or the card behind it as its window.
[[nodiscard]] Theme chartTheme(const QWidget *chart);

/// The style of a chart.
struct ChartStyle
{
    Theme theme;
    ByteUnit unit = ByteUnit::Binary;
    QFont font;
    double pixelRatio = 1;
    bool moving = false; ///< a picture of the same place at rest follows
};

/// The plot of a timeline: its place (in whole device-independent pixels), its viewport, and the
/// mapping between them.
struct ChartArea
{
    QRectF plot;
    EventAxis axis;
    Viewport viewport;
    ChartStyle style;

    [[nodiscard]] LinearScale across() const { return {viewport.x, plot.width()}; }
    [[nodiscard]] LinearScale up() const { return {viewport.bytes, plot.height()}; }
    [[nodiscard]] double x(double value) const { return plot.left() + across().toPixel(value); }
    [[nodiscard]] double y(double bytes) const { return plot.bottom() - up().toPixel(bytes); }
    [[nodiscard]] double y(Bytes bytes) const { return y(static_cast<double>(bytes)); }
    /// Device pixels.
    [[nodiscard]] int columns() const { return pixels(plot.width()); }
    [[nodiscard]] int rows() const { return pixels(plot.height()); }
    [[nodiscard]] int columnAt(double x) const { return pixel(x - plot.left()); }
    [[nodiscard]] LinearScale acrossColumns() const
    {
        return {viewport.x, static_cast<double>(columns())};
    }
    /// How many neighbouring columns show the same: one at rest; up to four in a large picture that
    /// moves, where each column covers several events anyway.
    [[nodiscard]] int columnsTogether() const
    {
        constexpr std::int64_t kLarge = 3'000'000; // pixels: more than a screen of 1920 × 1080 has
        if (!style.moving || std::int64_t(columns()) * rows() < kLarge)
            return 1;
        const std::int64_t events = axis.eventAt(viewport.x.high) - axis.eventAt(viewport.x.low);
        return static_cast<int>(std::clamp<std::int64_t>(events / columns(), 1, kMostTogether));
    }
    /// How many rows in the body of a stack show the same: two while the most columns do.
    [[nodiscard]] int rowsTogether() const { return columnsTogether() == kMostTogether ? 2 : 1; }
    /// From the bottom.
    [[nodiscard]] int rowAt(double y) const { return rows() - 1 - pixel(y - plot.top()); }

private:
    static constexpr int kMostTogether = 4;

    [[nodiscard]] int pixels(double length) const
    {
        return std::max(0, static_cast<int>(std::lround(length * style.pixelRatio)));
    }
    [[nodiscard]] int pixel(double at) const
    {
        return static_cast<int>(std::floor(at * style.pixelRatio));
    }
};

/// Lines one device-independent pixel wide are crisp on half coordinates.
[[nodiscard]] inline double crisp(double coordinate)
{
    return std::floor(coordinate) + 0.5;
}

} // namespace vramscope
