// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/point_chart.h"

#include "ui/support/theme.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QTextDocumentFragment>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace vramscope {

namespace {

constexpr double kMouseReach = 12; ///< of the mouse

} // namespace

QString PointChart::sentenceOf(std::size_t point) const
{
    return QTextDocumentFragment::fromHtml(textOf(point)).toPlainText();
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
    relayout();
    setSelected(selected && *selected < pointCount() ? selected : std::nullopt);
}

void PointChart::relayout()
{
    const Frame around = frame();
    const double line = lineHeight();
    const double left = QFontMetricsF(smallFont()).horizontalAdvance(around.widestTick) + 8;
    m_plot = {left, line + 6, std::max(width() - left - 12.0, 20.0),
              std::max(height() - 3 * line - 14.0 - around.below, 20.0)};
    update();
}

void PointChart::paintEvent(QPaintEvent *)
{
    const Theme &theme = themeOf(this);
    const Frame around = frame();
    QPainter painter(this);
    painter.setFont(smallFont());
    if (pointCount() == 0)
        return paintReason(painter, rect(), around.emptyText, theme);
    paintAxes(painter);
    const double line = lineHeight();
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
        const double distance = std::sqrt(QPointF::dotProduct(away, away));
        if (distance < least) {
            least = distance;
            nearest = i;
        }
    }
    return nearest;
}

QString PointChart::hoverText(QPointF point) const
{
    const std::optional<std::size_t> hit = pointAt(point);
    return hit ? textOf(*hit) : QString();
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
    setCursor(pointAt(event->position()) ? Qt::PointingHandCursor : Qt::ArrowCursor);
    Chart::mouseMoveEvent(event);
}

void PointChart::keyPressEvent(QKeyEvent *event)
{
    const int key = event->key();
    const bool enter = isEnter(key);
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
