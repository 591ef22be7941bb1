// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/point_chart.h"

#include "ui/support/theme.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace vramscope {

namespace {

constexpr double kMouseReach = 12; ///< of the mouse

} // namespace

PointChart::PointChart(QWidget *parent)
    : QWidget(parent)
{
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

// Who cannot see it hears each change.
void PointChart::setSelected(std::optional<std::size_t> point)
{
    m_selected = point;
    const QString text = m_selected ? sentenceOf(*m_selected) : QString();
    if (text != accessibleDescription())
        setAccessibleDescription(text);
    update();
}

void PointChart::pointsChanged(std::optional<std::size_t> selected)
{
    arrange();
    setSelected(selected && *selected < pointCount() ? selected : std::nullopt);
}

void PointChart::setUnit(ByteUnit unit)
{
    m_unit = unit;
    update();
}

void PointChart::arrange()
{
    const QFontMetricsF metrics(smallFont());
    const Frame around = frame();
    const double line = std::ceil(metrics.height());
    const double left = metrics.horizontalAdvance(around.widestTick) + 8;
    m_plot = {left, line + 6, std::max(width() - left - 12.0, 20.0),
              std::max(height() - 3 * line - 14.0 - around.below, 20.0)};
}

void PointChart::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    arrange();
}

void PointChart::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        arrange();
}

void PointChart::paintEvent(QPaintEvent *)
{
    const Theme &theme = themeOf(this);
    const Frame around = frame();
    QPainter painter(this);
    painter.setFont(smallFont());
    if (pointCount() == 0) {
        painter.setPen(theme.dim);
        painter.drawText(rect(), Qt::AlignCenter | Qt::TextWordWrap, around.emptyText);
        return;
    }
    paintAxes(painter);
    const double line = std::ceil(QFontMetricsF(painter.font()).height());
    painter.setPen(theme.dim);
    painter.drawText(QRectF(m_plot.left(), m_plot.bottom() + 4 + line, m_plot.width(), line),
                     Qt::AlignRight, around.titleX);
    painter.drawText(QRectF(0, 0, width(), line), Qt::AlignLeft, around.titleY);
    if (hasFocus()) {
        painter.setPen(theme.accent);
        painter.drawRect(m_plot.adjusted(-1.5, -1.5, 1.5, 1.5));
    }
    paintPoints(painter);
}

std::optional<std::size_t> PointChart::pointAt(QPointF position) const
{
    std::optional<std::size_t> nearest;
    double least = kMouseReach;
    for (std::size_t i = 0; i < pointCount(); ++i) {
        const QPointF away = positionOf(i) - position;
        const double distance = std::hypot(away.x(), away.y());
        if (distance < least) {
            least = distance;
            nearest = i;
        }
    }
    return nearest;
}

QFont PointChart::smallFont() const
{
    QFont small = font();
    small.setPointSizeF(small.pointSizeF() * 0.88);
    return small;
}

void PointChart::mousePressEvent(QMouseEvent *event)
{
    const std::optional<std::size_t> point = pointAt(event->position());
    if (event->button() == Qt::LeftButton && point)
        Q_EMIT pointSelected(*point);
}

void PointChart::mouseDoubleClickEvent(QMouseEvent *event)
{
    const std::optional<std::size_t> point = pointAt(event->position());
    if (event->button() == Qt::LeftButton && point)
        Q_EMIT pointTaken(*point);
}

void PointChart::mouseMoveEvent(QMouseEvent *event)
{
    const std::optional<std::size_t> point = pointAt(event->position());
    setCursor(point ? Qt::PointingHandCursor : Qt::ArrowCursor);
    if (point)
        QToolTip::showText(event->globalPosition().toPoint(), textOf(*point), this);
    else
        QToolTip::hideText();
}

void PointChart::keyPressEvent(QKeyEvent *event)
{
    const int key = event->key();
    const bool enter = key == Qt::Key_Return || key == Qt::Key_Enter;
    const bool across = key == Qt::Key_Left || key == Qt::Key_Right;
    const bool up = key == Qt::Key_Down || key == Qt::Key_Up;
    if (pointCount() == 0 || (!enter && !across && !up))
        return QWidget::keyPressEvent(event);
    if (enter && m_selected)
        Q_EMIT pointTaken(*m_selected);
    else if (!enter)
        step(across ? Qt::Horizontal : Qt::Vertical, key == Qt::Key_Right || key == Qt::Key_Up);
}

// To the next point to the right or upwards, or back; from none to the first or the last.
void PointChart::step(Qt::Orientation along, bool onward)
{
    std::vector<std::size_t> order(pointCount());
    std::iota(order.begin(), order.end(), std::size_t(0));
    std::ranges::stable_sort(order, {}, [this, along](std::size_t i) {
        const QPointF at = positionOf(i);
        return along == Qt::Horizontal ? at.x() : -at.y();
    });
    const std::size_t last = order.size() - 1;
    if (!m_selected)
        return Q_EMIT pointSelected(onward ? order.front() : order.back());
    const auto at = static_cast<std::size_t>(std::ranges::find(order, *m_selected) - order.begin());
    Q_EMIT pointSelected(order[onward ? std::min(at + 1, last) : at == 0 ? 0 : at - 1]);
}

} // namespace vramscope
