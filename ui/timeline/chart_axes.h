// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/timeline/chart_area.h"

#include <span>

class QPainter;

namespace vramscope {

// What stands around and over a plot, whatever is painted in it. The painter has smallFont() of
// the chart's font, which the text is measured in.

inline constexpr double kChartGap = 6; ///< between a plot and its labels

/// The font of everything in a chart.
[[nodiscard]] QFont smallFont(const QFont &font);
/// What the labels of the bytes need left of the plot.
[[nodiscard]] double byteAxisWidth(const QFont &font);

/// The plot of a chart that has bytes at its left and one line of text above and below.
[[nodiscard]] QRectF plotBetweenLines(const QRectF &chart, const QFont &font);

void paintByteAxis(QPainter &painter, const ChartArea &area);
/// Time since the first event, under the plot: one line.
void paintTimeAxis(QPainter &painter, const ChartArea &area);
/// Events by number, and their time in a second line where `times` has them.
void paintEventAxis(QPainter &painter, const ChartArea &area, std::span<const std::int64_t> times);
/// A mark that stands with its tip on a peak.
void paintPeakMark(QPainter &painter, const ChartArea &area, QPointF tip, const QColor &color);
/// Text over data: on a patch of the window's colour, so that it reads on any band.
void paintChartLabel(QPainter &painter, const ChartArea &area, QPointF baseline,
                     const QString &text, const QColor &color);

} // namespace vramscope
