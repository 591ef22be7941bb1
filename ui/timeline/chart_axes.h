// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/timeline/chart_area.h"

#include <span>

class QPainter;

namespace vramscope {

// Axes, labels and marks around and over any plot. The painter has the smallFont() of the chart's
// font, which measures the text.

inline constexpr double kChartGap = 6; ///< between a plot and its labels

/// The font of everything in a chart.
[[nodiscard]] QFont smallFont(const QFont &font);
/// The width of the byte labels left of the plot.
[[nodiscard]] double byteAxisWidth(const QFont &font);

/// The plot of a chart with bytes at its left and one line of text above and below.
[[nodiscard]] QRectF plotBetweenLines(const QRectF &chart, const QFont &font);

void paintByteAxis(QPainter &painter, const ChartArea &area);
/// Time since the first event, under the plot: one line.
void paintTimeAxis(QPainter &painter, const ChartArea &area);
/// Events by number, with their times in a second line if `times` has them; the axis of time where
/// the area has that.
void paintEventAxis(QPainter &painter, const ChartArea &area, std::span<const std::int64_t> times);
/// A hollow dot at a peak.
void paintPeakMark(QPainter &painter, QPointF at, const QColor &color);
/// Text over data: on a patch of the window's colour, so that it reads on any band.
void paintChartLabel(QPainter &painter, const ChartArea &area, QPointF baseline,
                     const QString &text, const QColor &color);

} // namespace vramscope
