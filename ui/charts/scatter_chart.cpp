// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/scatter_chart.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr double kReach = 10; ///< of the mouse
constexpr double kSwatch = 10;
constexpr double kLegendGap = 16;
/// Both axes reach beyond their points by this, and over this range at least; as logarithms.
const double kRoom = std::log(1.35);
const double kLeastRange = std::log(4.0);

} // namespace

std::vector<double> logarithmicTicks(double from, double to, ByteUnit unit)
{
    const double decades = std::log10(to / from);
    const std::vector<double> steps = decades > 2.2   ? std::vector<double>{1}
                                      : decades > 0.9 ? std::vector<double>{1, 2, 5}
                                                      : std::vector<double>{1, 1.5, 2, 3, 4, 5, 7};
    const double thousand = unit == ByteUnit::Binary ? 1024 : 1000;
    std::vector<double> ticks;
    for (double size = 1; size <= to; size *= thousand)
        for (const double ten : {1.0, 10.0, 100.0})
            for (const double step : steps)
                if (const double tick = size * ten * step; tick >= from && tick <= to)
                    ticks.push_back(tick);
    return ticks;
}

ScatterChart::ScatterChart(QWidget *parent)
    : QWidget(parent)
{
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

void ScatterChart::setContent(ScatterPoints content)
{
    m_content = std::move(content);
    m_selected.reset();
    if (!m_content.points.empty()) {
        double least = m_content.points.front().x;
        double most = least;
        for (const ScatterPoint &point : m_content.points) {
            least = std::min({least, point.x, point.y});
            most = std::max({most, point.x, point.y});
        }
        const double more = std::max(0.0, kLeastRange - std::log(most / least)) / 2;
        m_from = std::log(least) - kRoom - more;
        m_to = std::log(most) + kRoom + more;
    }
    arrange();
    describe();
    update();
}

void ScatterChart::setUnit(ByteUnit unit)
{
    m_unit = unit;
    update();
}

void ScatterChart::setSelected(std::optional<std::size_t> point)
{
    m_selected = point;
    describe();
    update();
}

// Who cannot see it hears each change.
void ScatterChart::describe()
{
    const QString text = m_selected ? m_content.points[*m_selected].sentence : QString();
    if (text != accessibleDescription())
        setAccessibleDescription(text);
}

QFont ScatterChart::smallFont() const
{
    QFont small = font();
    small.setPointSizeF(small.pointSizeF() * 0.88);
    return small;
}

void ScatterChart::arrange()
{
    arrangeLegend();
    const QFontMetricsF metrics(smallFont());
    const double line = std::ceil(metrics.height());
    const double left = metrics.horizontalAdvance(u"1000 MiB"_s) + 8;
    const double below = 2 * line + 8 + (m_legend.empty() ? 0 : m_legend.back().rect.bottom() + 4);
    m_plot = {left, line + 6, std::max(width() - left - 12.0, 20.0),
              std::max(height() - line - 6 - below, 20.0)};
}

QPointF ScatterChart::place(double x, double y) const
{
    return {m_plot.left() + (std::log(x) - m_from) / (m_to - m_from) * m_plot.width(),
            m_plot.bottom() - (std::log(y) - m_from) / (m_to - m_from) * m_plot.height()};
}

QPointF ScatterChart::positionOf(std::size_t point) const
{
    return place(m_content.points[point].x, m_content.points[point].y);
}

std::optional<std::size_t> ScatterChart::pointAt(QPointF position) const
{
    std::optional<std::size_t> nearest;
    double least = kReach;
    for (std::size_t i = 0; i < m_content.points.size(); ++i) {
        const QPointF away = positionOf(i) - position;
        const double distance = std::hypot(away.x(), away.y());
        if (distance < least) {
            least = distance;
            nearest = i;
        }
    }
    return nearest;
}

void ScatterChart::arrangeLegend()
{
    const QFontMetricsF metrics(smallFont());
    const double line = std::ceil(metrics.height()) + 2;
    m_legend.clear();
    double x = 6;
    double y = 0;
    for (std::size_t i = 0; i < kPointMarkCount; ++i) {
        const auto mark = static_cast<PointMark>(i);
        if (std::ranges::none_of(m_content.points,
                                 [&](const ScatterPoint &point) { return point.mark == mark; }))
            continue;
        const QString text = m_content.legend.value(static_cast<qsizetype>(i));
        const double width = kSwatch + 8 + metrics.horizontalAdvance(text);
        if (x > 6 && x + width > this->width()) {
            x = 6;
            y += line;
        }
        m_legend.push_back({mark, QRectF(x, y, width, line)});
        x += width + kLegendGap;
    }
}

void ScatterChart::mousePressEvent(QMouseEvent *event)
{
    const std::optional<std::size_t> point = pointAt(event->position());
    if (event->button() == Qt::LeftButton && point)
        Q_EMIT pointSelected(*point);
}

void ScatterChart::mouseDoubleClickEvent(QMouseEvent *event)
{
    const std::optional<std::size_t> point = pointAt(event->position());
    if (event->button() == Qt::LeftButton && point)
        Q_EMIT pointTaken(*point);
}

void ScatterChart::mouseMoveEvent(QMouseEvent *event)
{
    const std::optional<std::size_t> point = pointAt(event->position());
    setCursor(point ? Qt::PointingHandCursor : Qt::ArrowCursor);
    if (point)
        QToolTip::showText(event->globalPosition().toPoint(), m_content.points[*point].text, this);
    else
        QToolTip::hideText();
}

void ScatterChart::keyPressEvent(QKeyEvent *event)
{
    const int key = event->key();
    const bool enter = key == Qt::Key_Return || key == Qt::Key_Enter;
    const bool onward = key == Qt::Key_Right || key == Qt::Key_Up;
    const bool back = key == Qt::Key_Left || key == Qt::Key_Down;
    if (m_content.points.empty() || (!enter && !onward && !back))
        return QWidget::keyPressEvent(event);
    if (enter && m_selected)
        Q_EMIT pointTaken(*m_selected);
    else if (!enter)
        step(onward);
}

void ScatterChart::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    arrange();
}

void ScatterChart::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        arrange();
}

// To the next point along x; from none to the first or the last.
void ScatterChart::step(bool onward)
{
    std::vector<std::size_t> order(m_content.points.size());
    std::iota(order.begin(), order.end(), std::size_t(0));
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return m_content.points[i].x; });
    const std::size_t last = order.size() - 1;
    if (!m_selected)
        return Q_EMIT pointSelected(onward ? order.front() : order.back());
    const auto at = static_cast<std::size_t>(std::ranges::find(order, *m_selected) - order.begin());
    Q_EMIT pointSelected(order[onward ? std::min(at + 1, last) : at == 0 ? 0 : at - 1]);
}

} // namespace vramscope
