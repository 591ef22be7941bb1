// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/chart.h"

#include <optional>

namespace vramscope {

/// A chart of points, one of which may be selected: a click selects one, Left and Right go to the
/// next along x, Down and Up along y, Enter or a double click takes it. The accessible description
/// is that of the selected point. The plot has a title above and one below; subclasses paint its
/// content.
class PointChart : public Chart
{
    Q_OBJECT

public:
    explicit PointChart(QWidget *parent = nullptr)
        : Chart(parent)
    {
    }

    void setSelected(std::optional<std::size_t> point);
    [[nodiscard]] std::optional<std::size_t> selected() const { return m_selected; }
    [[nodiscard]] virtual std::size_t pointCount() const = 0;
    /// Where a point is painted.
    [[nodiscard]] virtual QPointF positionOf(std::size_t point) const = 0;
    [[nodiscard]] std::optional<std::size_t> pointAt(QPointF position) const;
    [[nodiscard]] QString hoverText(QPointF point) const override;

Q_SIGNALS:
    void pointSelected(std::size_t point);
    void pointTaken(std::size_t point);

protected:
    /// The frame around the points.
    struct Frame
    {
        QString titleX;
        QString titleY;
        QString emptyText;  ///< shown instead of a chart without points
        QString widestTick; ///< of the axis at the left
        double below = 0;   ///< room under the title below
    };
    [[nodiscard]] virtual Frame frame() const = 0;
    /// The rich text of its tooltip.
    [[nodiscard]] virtual QString textOf(std::size_t point) const = 0;
    /// A sentence for screen readers: the same as plain text.
    [[nodiscard]] virtual QString sentenceOf(std::size_t point) const;
    virtual void paintAxes(QPainter &painter) const = 0;
    virtual void paintPoints(QPainter &painter) const = 0;

    /// Call this after the points have changed.
    void pointsChanged(std::optional<std::size_t> selected);
    [[nodiscard]] const QRectF &plot() const { return m_plot; }
    void paintEvent(QPaintEvent *event) override;
    void relayout() override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    void step(Qt::Orientation along, bool onward);

    std::optional<std::size_t> m_selected;
    QRectF m_plot;
};

} // namespace vramscope
