// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/point_chart.h"

#include <QKeyEvent>
#include <QMouseEvent>
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
    setSelected(selected && *selected < pointCount() ? selected : std::nullopt);
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
    const bool onward = key == Qt::Key_Right || key == Qt::Key_Up;
    const bool back = key == Qt::Key_Left || key == Qt::Key_Down;
    if (pointCount() == 0 || (!enter && !onward && !back))
        return QWidget::keyPressEvent(event);
    if (enter && m_selected)
        Q_EMIT pointTaken(*m_selected);
    else if (!enter)
        step(onward);
}

// To the next point along x; from none to the first or the last.
void PointChart::step(bool onward)
{
    std::vector<std::size_t> order(pointCount());
    std::iota(order.begin(), order.end(), std::size_t(0));
    std::ranges::stable_sort(order, {}, [this](std::size_t i) { return positionOf(i).x(); });
    const std::size_t last = order.size() - 1;
    if (!m_selected)
        return Q_EMIT pointSelected(onward ? order.front() : order.back());
    const auto at = static_cast<std::size_t>(std::ranges::find(order, *m_selected) - order.begin());
    Q_EMIT pointSelected(order[onward ? std::min(at + 1, last) : at == 0 ? 0 : at - 1]);
}

} // namespace vramscope
