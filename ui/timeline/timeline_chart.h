// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "ui/support/theme.h"
#include "ui/timeline/timeline_data.h"

#include <QRectF>

class QPainter;

namespace vramscope {

/// The looks of a chart.
struct ChartStyle
{
    Theme theme;
    ByteUnit unit = ByteUnit::Binary;
    QFont font;
    double pixelRatio = 1;
};

/// The active-memory chart without anything that follows the mouse: where its parts stand in an
/// area, and their painting. Coordinates are device-independent pixels.
class TimelineChart
{
public:
    TimelineChart(const TimelineData &data, const Viewport &viewport, const QRectF &area,
                  const ChartStyle &style);

    /// How far the plot stays from the left and right edge of its area.
    [[nodiscard]] static double leftMargin(const QFont &font);
    [[nodiscard]] static double rightMargin();

    [[nodiscard]] const QRectF &plot() const { return m_plot; }
    [[nodiscard]] LinearScale across() const { return {m_viewport.events, m_plot.width()}; }
    [[nodiscard]] LinearScale up() const { return {m_viewport.bytes, m_plot.height()}; }
    [[nodiscard]] double x(double event) const { return m_plot.left() + across().toPixel(event); }
    [[nodiscard]] double y(double bytes) const { return m_plot.bottom() - up().toPixel(bytes); }

    /// The geometry of the stack on the device pixels of plot().
    [[nodiscard]] StackGeometry geometry() const;

    void paint(QPainter &painter, const StackGeometry &geometry) const;

private:
    void paintByteAxis(QPainter &painter) const;
    void paintEventAxis(QPainter &painter) const;
    void paintReserved(QPainter &painter) const;
    void paintLimit(QPainter &painter) const;
    void paintPeak(QPainter &painter) const;
    void paintOutOfMemory(QPainter &painter) const;
    void paintAnnotations(QPainter &painter) const;
    void paintLabel(QPainter &painter, QPointF baseline, const QString &text,
                    const QColor &color) const;

    const TimelineData &m_data;
    Viewport m_viewport;
    ChartStyle m_style;
    QFont m_small;
    int m_lanes = 0;
    double m_lineHeight = 0;
    QRectF m_plot;
};

} // namespace vramscope
