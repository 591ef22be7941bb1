// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/what_if/what_if.h"
#include "ui/timeline/chart_area.h"

#include <QPen>
#include <QPolygonF>

#include <optional>
#include <vector>

class QFontMetricsF;
class QPainter;

namespace vramscope {

/// The bytes that a simulation reserved, from event to event.
struct ReservedLine
{
    QString name;
    std::size_t look = 0; ///< how it is drawn, the same for the same number
    const SimulationResult *result = nullptr;
};

/// How lines are told apart, by colour and by dashes: 0 is solid and of the text's colour.
[[nodiscard]] QPen reservedPen(std::size_t look, const Theme &theme);

/// What is reserved under several settings over each other, with the capacity of the device, and a
/// cross where memory does not suffice. Coordinates are device-independent pixels. Costs lines ×
/// pixels, and a search, whatever the lines hold.
class ReservedChart
{
public:
    /// The results of the lines outlive it. A capacity far above all lines is only named.
    ReservedChart(std::vector<ReservedLine> lines, std::optional<Bytes> capacity,
                  const EventAxis &axis, const Range &x, const QRectF &area,
                  const ChartStyle &style);

    [[nodiscard]] const QRectF &plot() const { return m_area.plot; }
    [[nodiscard]] double xOf(EventIndex event) const { return m_area.x(m_area.axis.mark(event)); }
    [[nodiscard]] EventIndex eventAt(double x) const;
    /// Where a line runs, level and upright strokes only.
    [[nodiscard]] QPolygonF line(std::size_t at) const;
    /// What stands at a point: the event and what each line comes to; none outside the plot.
    [[nodiscard]] QStringList textAt(QPointF point) const;

    void paint(QPainter &painter) const;

private:
    [[nodiscard]] double y(Bytes bytes) const;
    [[nodiscard]] bool reachesCapacity() const;
    void paintCapacity(QPainter &painter) const;
    void paintEnd(QPainter &painter, const ReservedLine &line) const;
    /// How many lines of text the legend needs; paints it where there is a painter.
    int legend(QPainter *painter, const QFontMetricsF &metrics) const;

    std::vector<ReservedLine> m_lines;
    std::optional<Bytes> m_capacity;
    QRectF m_place;
    ChartArea m_area;
};

} // namespace vramscope
