// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/timeline/timeline_body.h"

#include <memory>
#include <span>
#include <vector>

class QPainter;

namespace vramscope {

/// A timeline without anything that follows the mouse: lays out axes and marks around a body in an
/// area and paints them. Coordinates are device-independent pixels.
class TimelineChart
{
public:
    TimelineChart(TimelineKind kind, const TimelineData &data, const EventAxis &axis,
                  const Viewport &viewport, const QRectF &area, const ChartStyle &style);

    /// The distance of the plot from the left and right edge of its area.
    [[nodiscard]] static double leftMargin(const QFont &font);
    [[nodiscard]] static double rightMargin();

    [[nodiscard]] const ChartArea &area() const { return m_area; }
    [[nodiscard]] const QRectF &plot() const { return m_area.plot; }
    [[nodiscard]] const TimelineBody &body() const { return *m_body; }
    /// Whether TimelineData::overlay is drawn: over active memory, by time.
    [[nodiscard]] bool showsOverlay() const;
    /// The name of the annotation whose box is at a point, or empty.
    [[nodiscard]] QString annotationAt(QPointF point) const;

    void paint(QPainter &painter) const;

private:
    static constexpr int kMostLanes = 3;
    static constexpr double kBetweenLanes = 3;
    static constexpr double kBandHeight = 4; ///< of a lane without names

    /// The curve whose peak is marked.
    [[nodiscard]] const EventCurve &shownCurve() const;
    void layOut(const QRectF &area);
    void layOutLanes();
    void paintGround(QPainter &painter) const;
    /// The overlay drawn over the body.
    [[nodiscard]] PlotOverlay overBody() const;
    [[nodiscard]] Hairlines hairlines() const;
    [[nodiscard]] StepLine lineOf(const EventCurve &curve) const;
    void paintOverlay(QPainter &painter) const;
    // Labels keep clear of the places taken and add their own.
    using Places = std::vector<QRectF>;
    void paintLimit(QPainter &painter, Places &taken) const;
    void paintPeak(QPainter &painter, const EventCurve &curve, Places &taken) const;
    void paintMarks(QPainter &painter, const std::vector<TimelineMark> &marks, const QColor &color,
                    Places &taken) const;
    [[nodiscard]] QRectF requestBox(const TimelineMark &mark, double at) const;
    // timeline_names.cpp
    /// Names the colours where they are wide and high enough, and the line of reserved memory.
    void paintNames(QPainter &painter, Places &taken) const;
    void paintLineName(QPainter &painter, Places &taken) const;
    /// Writes at the first of these baselines that has room; nothing if none has.
    void paintLabel(QPainter &painter, std::span<const QPointF> baselines, const QString &text,
                    const QColor &color, Places &taken) const;
    void paintAnnotations(QPainter &painter) const;
    // timeline_annotations.cpp
    [[nodiscard]] int actionLines() const;
    void paintActions(QPainter &painter) const;
    /// Whether there is room for the name of an annotation this wide, or for enough of it.
    [[nodiscard]] bool isNameShown(const QString &name, double width) const;
    [[nodiscard]] QRectF annotationBox(const TimelineRange &range) const;

    TimelineKind m_kind;
    const TimelineData &m_data;
    QRectF m_place;
    ChartArea m_area;
    QFont m_small;
    std::vector<double> m_laneHeights; ///< of the annotations' lanes
    double m_lineHeight = 0;
    int m_axisLines = 1; // lines of text under the plot
    std::unique_ptr<TimelineBody> m_body;
};

} // namespace vramscope
