// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/active_memory_view.h"

#include <QPainter>
#include <QPainterPath>

#include <cmath>

namespace vramscope {

namespace {

constexpr double kTipPadding = 8;
constexpr double kTipDistance = 14; // from the mouse
constexpr double kWidestTip = 520;

// The outline of an allocation: along the bottom of its columns and back along the top.
QPolygonF outline(const TimelineChart &chart, const std::vector<StackGeometry::Slice> &slices,
                  Bytes size, double ratio)
{
    QPolygonF lower;
    QPolygonF upper;
    for (const StackGeometry::Slice &slice : slices) {
        const double left = chart.plot().left() + slice.column / ratio;
        const double right = left + 1 / ratio;
        // Half a pixel outside, so that a thin band is not covered by its own outline.
        const double bottom = chart.y(static_cast<double>(slice.bottom)) + 0.5;
        const double top = chart.y(static_cast<double>(wrappingSum(slice.bottom, size))) - 0.5;
        if (!lower.empty() && lower.back().y() == bottom) { // prolong the last step
            lower.back().setX(right);
            upper.back().setX(right);
            continue;
        }
        lower << QPointF(left, bottom) << QPointF(right, bottom);
        upper << QPointF(left, top) << QPointF(right, top);
    }
    std::ranges::reverse(upper);
    return lower + upper;
}

} // namespace

void ActiveMemoryView::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    if (!m_data.valid()) {
        painter.fillRect(rect(), themeOf(this).window);
        return;
    }
    painter.drawImage(0, 0, picture().image);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.save();
    painter.setClipRect(plot());
    if (m_state->hovered() != m_state->selected())
        paintAllocation(painter, m_state->hovered(), false);
    paintAllocation(painter, m_state->selected(), true);
    paintCursor(painter);
    paintRange(painter);
    painter.restore();
    paintTip(painter);
    if (hasFocus()) {
        painter.setRenderHint(QPainter::Antialiasing, false);
        painter.setPen(themeOf(this).accent);
        painter.drawLine(QPointF(plot().left(), plot().bottom() + 0.5),
                         QPointF(plot().right(), plot().bottom() + 0.5));
    }
}

void ActiveMemoryView::paintCursor(QPainter &painter) const
{
    if (!m_cursorShown)
        return;
    const double x = std::floor(picture().chart.x(m_state->cursor() + 0.5));
    QColor halo = themeOf(this).window;
    halo.setAlpha(150);
    painter.fillRect(QRectF(x - 1, plot().top(), 3, plot().height()), halo);
    painter.fillRect(QRectF(x, plot().top(), 1, plot().height()), themeOf(this).text);
}

void ActiveMemoryView::paintAllocation(QPainter &painter, AllocationIndex allocation,
                                       bool selected) const
{
    if (allocation == kNoAllocation)
        return;
    const Theme &theme = themeOf(this);
    const TimelineChart &chart = picture().chart;
    const auto slices = picture().geometry.slices(allocation);
    if (slices.empty()) { // lives between two columns or outside: a tick where it begins
        const double x = chart.x(m_data.allocations->birth[allocation] + 0.5);
        if (selected)
            painter.fillRect(QRectF(x - 1, plot().bottom() - 8, 2, 8), theme.text);
        return;
    }
    const QPolygonF shape =
        outline(chart, slices, m_data.allocations->size[allocation], devicePixelRatioF());
    QColor light(Qt::white);
    light.setAlpha(selected ? 70 : 45);
    painter.setBrush(light);
    painter.setPen(selected ? QPen(theme.window, 3.5) : QPen(Qt::NoPen));
    painter.drawPolygon(shape);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme.text, selected ? 1.5 : 1));
    painter.drawPolygon(shape);
}

void ActiveMemoryView::paintRange(QPainter &painter) const
{
    if (m_gesture != Gesture::Range)
        return;
    const auto [left, right] = std::minmax({m_pressed.x(), m_moved.x()});
    const QRectF range(left, plot().top(), right - left, plot().height());
    QColor tint = themeOf(this).accent;
    painter.setPen(tint);
    tint.setAlpha(45);
    painter.setBrush(tint);
    painter.drawRect(range);
}

void ActiveMemoryView::paintTip(QPainter &painter) const
{
    if (!m_mouse || m_state->hovered() == kNoAllocation || !m_data.describe)
        return;
    const QStringList lines = m_data.describe(m_state->hovered());
    const QFontMetricsF metrics(font());
    double width = 0;
    for (const QString &line : lines)
        width = std::max(width, metrics.horizontalAdvance(line));
    width = std::min(width, std::min(kWidestTip, rect().width() - 2 * kTipPadding));
    const double lineHeight = std::ceil(metrics.lineSpacing());
    QRectF box(m_mouse->x() + kTipDistance, m_mouse->y() + kTipDistance, width + 2 * kTipPadding,
               lineHeight * static_cast<double>(lines.size()) + 2 * kTipPadding - 2);
    if (box.right() > rect().width())
        box.moveRight(m_mouse->x() - kTipDistance);
    if (box.bottom() > rect().height())
        box.moveBottom(m_mouse->y() - kTipDistance);
    box.moveLeft(std::max(box.left(), 0.0));
    box.moveTop(std::max(box.top(), 0.0));

    const Theme &theme = themeOf(this);
    painter.setPen(theme.line);
    painter.setBrush(theme.card);
    painter.drawRoundedRect(box.toAlignedRect().toRectF().adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
    QRectF place = box.adjusted(kTipPadding, kTipPadding - 1, -kTipPadding, 0);
    for (qsizetype at = 0; at < lines.size(); ++at) {
        painter.setPen(at == 0 ? theme.text : theme.dim);
        place.setHeight(lineHeight);
        painter.drawText(place, Qt::AlignLeft | Qt::AlignVCenter,
                         metrics.elidedText(lines[at], Qt::ElideMiddle, width));
        place.translate(0, lineHeight);
    }
}

} // namespace vramscope
