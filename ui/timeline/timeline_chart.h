// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/timeline/timeline_body.h"

#include <memory>

class QPainter;

namespace vramscope {

/// A timeline without anything that follows the mouse: its axes and marks around a body, where they
/// stand in an area, and their painting. Coordinates are device-independent pixels.
class TimelineChart
{
public:
    TimelineChart(TimelineKind kind, const TimelineData &data, const EventAxis &axis,
                  const Viewport &viewport, const QRectF &area, const ChartStyle &style);

    /// How far the plot stays from the left and right edge of its area.
    [[nodiscard]] static double leftMargin(const QFont &font);
    [[nodiscard]] static double rightMargin();

    [[nodiscard]] const ChartArea &area() const { return m_area; }
    [[nodiscard]] const QRectF &plot() const { return m_area.plot; }
    [[nodiscard]] const TimelineBody &body() const { return *m_body; }
    /// The name of the annotation whose box is at a point; empty where there is none.
    [[nodiscard]] QString annotationAt(QPointF point) const;

    void paint(QPainter &painter) const;

private:
    static constexpr int kMostLanes = 3;
    static constexpr double kGap = 6;

    void layOut(const QRectF &area);
    void paintByteAxis(QPainter &painter) const;
    void paintXAxis(QPainter &painter) const;
    void paintTickLabel(QPainter &painter, double at, double widest, const QString &first,
                        const QString &second) const;
    void paintCurve(QPainter &painter, const EventCurve &curve) const;
    void paintSteps(QPainter &painter) const;
    void paintLimit(QPainter &painter) const;
    void paintPeak(QPainter &painter, const EventCurve &curve) const;
    void paintMarks(QPainter &painter, const std::vector<TimelineMark> &marks,
                    const QColor &color) const;
    void paintAnnotations(QPainter &painter) const;
    [[nodiscard]] QRectF annotationBox(const TimelineRange &range) const;
    void paintLabel(QPainter &painter, QPointF baseline, const QString &text,
                    const QColor &color) const;

    TimelineKind m_kind;
    const TimelineData &m_data;
    ChartArea m_area;
    QFont m_small;
    int m_lanes = 0;
    double m_lineHeight = 0;
    int m_axisLines = 1; // of text under the plot
    std::unique_ptr<TimelineBody> m_body;
};

} // namespace vramscope
