// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/timeline_view.h"
#include "ui/timeline/tip.h"

#include <QPainter>
#include <QPainterPath>

#include <cmath>

namespace vramscope {

void TimelineView::paintEvent(QPaintEvent *)
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

void TimelineView::paintCursor(QPainter &painter) const
{
    if (!m_cursorShown)
        return;
    const double x = std::floor(picture().chart.area().x(m_state->axis().mark(m_state->cursor())));
    QColor halo = themeOf(this).window;
    halo.setAlpha(150);
    painter.fillRect(QRectF(x - 1, plot().top(), 3, plot().height()), halo);
    painter.fillRect(QRectF(x, plot().top(), 1, plot().height()), themeOf(this).text);
}

void TimelineView::paintAllocation(QPainter &painter, AllocationIndex allocation,
                                   bool selected) const
{
    if (allocation == kNoAllocation)
        return;
    const Theme &theme = themeOf(this);
    const QPolygonF shape = body().outline(allocation);
    if (shape.empty()) { // lives between two columns or outside: a tick where it begins
        const double x =
            picture().chart.area().x(m_state->axis().mark(m_data.allocations->birth[allocation]));
        if (selected && m_kind == TimelineKind::Active)
            painter.fillRect(QRectF(x - 1, plot().bottom() - 8, 2, 8), theme.text);
        return;
    }
    QColor light(Qt::white);
    light.setAlpha(selected ? 70 : 45);
    painter.setBrush(light);
    painter.setPen(selected ? QPen(theme.window, 3.5) : QPen(Qt::NoPen));
    painter.drawPolygon(shape);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme.text, selected ? 1.5 : 1));
    painter.drawPolygon(shape);
}

void TimelineView::paintRange(QPainter &painter) const
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

QStringList TimelineView::tip() const
{
    if (!m_mouse || !m_data.describe)
        return {};
    const QString annotation = picture().chart.annotationAt(*m_mouse);
    return annotation.isEmpty() ? body().textAt(*m_mouse) : QStringList{annotation};
}

void TimelineView::paintTip(QPainter &painter) const
{
    if (const QStringList lines = tip(); !lines.isEmpty())
        vramscope::paintTip(painter, lines, *m_mouse, rect(), themeOf(this));
}

} // namespace vramscope
