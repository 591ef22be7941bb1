// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/what_if/what_if.h"
#include "ui/timeline/chart_area.h"
#include "ui/timeline/hover_plot.h"

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
    std::size_t look = 0; ///< drawing style; lines with the same number look the same
    const SimulationResult *result = nullptr;
};

/// Distinguishes lines by colour and by dashes: 0 is solid and in the colour of the text.
[[nodiscard]] QPen reservedPen(std::size_t look, const Theme &theme);

/// Reserved memory under several settings, overlaid, with the capacity of the device, and a cross
/// where memory runs out. Coordinates are device-independent pixels. Costs lines × pixels and a
/// search, however many events the lines have.
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
    /// The path of a line, horizontal and vertical strokes only.
    [[nodiscard]] QPolygonF line(std::size_t at) const;
    /// The event at a point and the value of each line there; empty outside the plot.
    [[nodiscard]] QStringList textAt(QPointF point) const;

    void paint(QPainter &painter) const;

private:
    [[nodiscard]] double y(Bytes bytes) const;
    [[nodiscard]] bool reachesCapacity() const;
    void paintCapacity(QPainter &painter) const;
    void paintEnd(QPainter &painter, const ReservedLine &line) const;
    /// The number of text lines the legend needs; paints it if given a painter.
    int legend(QPainter *painter, const QFontMetricsF &metrics) const;

    std::vector<ReservedLine> m_lines;
    std::optional<Bytes> m_capacity;
    QRectF m_place;
    ChartArea m_area;
};

/// Overlaid curves of the bytes that simulations reserved, over the events visible in the shared
/// state, with its cursor. Hovering shows the values at an event, a click moves the cursor there;
/// left and right go to the change before and after.
class ReservedPlot : public HoverPlot<ReservedChart>
{
    Q_OBJECT

public:
    explicit ReservedPlot(TimelineState *state, QWidget *parent = nullptr);

    /// The results of the lines live until others are set.
    void setLines(const std::vector<ReservedLine> &lines, std::optional<Bytes> capacity);
    [[nodiscard]] const std::vector<ReservedLine> &lines() const { return m_lines; }
    [[nodiscard]] QStringList textAt(QPointF position) const override;

    [[nodiscard]] QSize sizeHint() const override { return {600, 300}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {200, 110}; }

protected:
    [[nodiscard]] ReservedChart makeChart(const ChartStyle &style) const override;
    void paintOver(QPainter &painter) const override;
    void mousePressEvent(QMouseEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    /// The event of the nearest change of any line before or after the cursor; empty if there is
    /// none.
    [[nodiscard]] std::optional<EventIndex> change(bool before) const;

    TimelineState *m_state;
    std::vector<ReservedLine> m_lines;
    std::optional<Bytes> m_capacity;
};

} // namespace vramscope
