// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/step_text.h"
#include "ui/timeline/chart_area.h"
#include "ui/timeline/hover_plot.h"

#include <QPolygonF>

#include <optional>

class QPainter;

namespace vramscope {

/// The steps of a device overlaid, without anything that follows the mouse: the band between the
/// lowest and the highest of the steps that count, their median, and a line each; with many steps
/// only some, including the outliers. The first is dashed, as it warms up, one cut off dotted; the
/// highest and outliers are named.
/// Coordinates are device-independent pixels. Costs places × lines, however many events the steps
/// have.
class StepsChart
{
public:
    static constexpr std::size_t kMostLines = 48;

    /// `data` outlives it and is not empty.
    StepsChart(const StepsData &data, const QRectF &area, const ChartStyle &style);

    [[nodiscard]] const QRectF &plot() const { return m_area.plot; }
    /// The steps that have a line.
    [[nodiscard]] const std::vector<std::size_t> &steps() const { return m_steps; }
    /// The step whose line is at a point, or nearest to it within a few pixels.
    [[nodiscard]] std::optional<std::size_t> stepAt(QPointF point) const;
    /// Lines of text for a point, whichever step; none outside the plot.
    [[nodiscard]] QStringList textAt(QPointF point) const;
    /// The line of any step.
    [[nodiscard]] QPolygonF line(std::size_t step) const;

    void paint(QPainter &painter) const;
    /// One step over all others.
    void paintStep(QPainter &painter, std::size_t step, const QColor &color, double width) const;
    /// Highlights one step like a marker pen, so that what lies below remains visible.
    void markStep(QPainter &painter, std::size_t step, QColor color) const;

private:
    void choose();
    [[nodiscard]] std::size_t placeAt(double x) const;
    [[nodiscard]] double left(std::size_t place) const;
    [[nodiscard]] double y(Bytes bytes) const;
    [[nodiscard]] Qt::PenStyle styleOf(std::size_t step) const;
    [[nodiscard]] bool isHighest(std::size_t step) const;
    void paintBand(QPainter &painter) const;
    void paintLines(QPainter &painter) const;
    void paintNames(QPainter &painter) const;
    void paintName(QPainter &painter, std::size_t step, std::vector<QRectF> &taken) const;
    void paintLegend(QPainter &painter) const;

    const StepsData &m_data;
    std::int64_t m_counted = 0; // steps in the band and the median
    QRectF m_place;
    ChartArea m_area;
    std::vector<std::size_t> m_steps; // ascending
    std::vector<std::vector<Bytes>> m_lines;
};

/// The chart of overlaid steps: the mouse over a line names its step, a click chooses it, left and
/// right go to the step before and after.
class StepsPlot : public HoverPlot<StepsChart>
{
    Q_OBJECT

public:
    explicit StepsPlot(QWidget *parent = nullptr);

    void setSteps(const StepsData &steps);
    /// Sets the highlighted step.
    void setChosen(std::optional<std::size_t> step);
    [[nodiscard]] std::optional<std::size_t> chosen() const { return m_chosen; }

    /// The step whose line is at a point of the widget.
    [[nodiscard]] std::optional<std::size_t> stepAt(QPointF position) const;
    [[nodiscard]] QStringList textAt(QPointF position) const override;
    /// The path of a step's line.
    [[nodiscard]] QPolygonF line(std::size_t step) const;

    [[nodiscard]] QSize sizeHint() const override { return {700, 400}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {240, 140}; }

Q_SIGNALS:
    void stepChosen(std::size_t step);

protected:
    [[nodiscard]] bool hasData() const override { return !m_data.isEmpty(); }
    [[nodiscard]] StepsChart makeChart(const ChartStyle &style) const override;
    void paintOver(QPainter &painter) const override;
    void mousePressEvent(QMouseEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    StepsData m_data;
    std::optional<std::size_t> m_chosen;
};

} // namespace vramscope
