// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/timeline_chart.h"

#include "ui/support/text.h"
#include "ui/timeline/axis_text.h"

#include <QFontMetricsF>
#include <QPainter>

#include <array>

namespace vramscope {

using namespace Qt::StringLiterals;

// What stands around the plot: the axes, and the annotations under it.

void TimelineChart::paintByteAxis(QPainter &painter) const
{
    const ByteAxis axis(m_area.viewport.bytes, m_area.style.unit,
                        static_cast<int>(plot().height() / (m_lineHeight * 3)));
    for (const double bytes : axis.values()) {
        const double at = crisp(m_area.y(bytes));
        painter.setPen(m_area.style.theme.line);
        painter.drawLine(QPointF(plot().left(), at), QPointF(plot().right(), at));
        painter.setPen(m_area.style.theme.dim);
        const QRectF place(0, at - m_lineHeight / 2, plot().left() - kGap, m_lineHeight);
        painter.drawText(place, Qt::AlignRight | Qt::AlignVCenter, axis.text(bytes));
    }
    painter.drawText(
        QRectF(0, plot().top() - m_lineHeight - kGap, plot().left() - kGap, m_lineHeight),
        Qt::AlignRight | Qt::AlignTop, axis.unit());
}

void TimelineChart::paintXAxis(QPainter &painter) const
{
    const bool byTime = m_area.axis.kind() == EventAxis::Kind::Time;
    const double widest = QFontMetricsF(m_small).horizontalAdvance(u"000,000,000"_s) * 1.3;
    const Ticks ticks =
        niceTicks(m_area.viewport.x, std::max(1, static_cast<int>(plot().width() / widest)), 1);
    for (const double value : ticks.values) {
        if (value < 0)
            continue;
        const auto whole = static_cast<std::int64_t>(value);
        if (byTime) {
            paintTickLabel(painter, m_area.x(value), widest, toQString(formatMicroseconds(whole)),
                           {});
            continue;
        }
        QString time;
        if (m_axisLines > 1) {
            const auto last = static_cast<std::int64_t>(m_data.times.size()) - 1;
            const auto index = static_cast<std::size_t>(std::min(whole, last));
            time = toQString(formatMicroseconds(m_data.times[index] - m_data.times[0]));
        }
        paintTickLabel(painter, m_area.x(value), widest, countText(whole), time);
    }
    painter.setPen(m_area.style.theme.dim);
    painter.drawLine(QPointF(plot().left(), crisp(plot().bottom())),
                     QPointF(plot().right(), crisp(plot().bottom())));
}

void TimelineChart::paintTickLabel(QPainter &painter, double at, double widest,
                                   const QString &first, const QString &second) const
{
    painter.setPen(m_area.style.theme.line);
    painter.drawLine(QPointF(crisp(at), plot().bottom()), QPointF(crisp(at), plot().bottom() + 4));
    painter.setPen(m_area.style.theme.dim);
    QRectF place(at - widest / 2, plot().bottom() + kGap, widest, m_lineHeight);
    const double over = place.right() - (plot().right() + kGap);
    Qt::Alignment alignment = Qt::AlignHCenter;
    if (over > widest / 4) { // the last label would leave the picture
        place.moveRight(plot().right() + kGap);
        alignment = Qt::AlignRight;
    }
    painter.drawText(place, static_cast<int>(alignment | Qt::AlignTop), first);
    painter.drawText(place.translated(0, m_lineHeight), static_cast<int>(alignment | Qt::AlignTop),
                     second);
}

QRectF TimelineChart::annotationBox(const TimelineRange &range) const
{
    const double top = plot().bottom() + m_lineHeight * m_axisLines + 2 * kGap;
    const double left =
        std::max(plot().left(), std::floor(m_area.x(m_area.axis.start(range.first))));
    const double right =
        std::min(plot().right(), std::floor(m_area.x(m_area.axis.start(range.last))));
    return {left, top + range.lane * (m_lineHeight + 4), right - left, m_lineHeight + 1};
}

QString TimelineChart::annotationAt(QPointF point) const
{
    if (point.y() <= plot().bottom())
        return {};
    for (const TimelineRange &range : m_data.annotations) {
        if (range.lane < kMostLanes && annotationBox(range).adjusted(-1, 0, 1, 0).contains(point))
            return range.name;
    }
    return {};
}

void TimelineChart::paintAnnotations(QPainter &painter) const
{
    const QFontMetricsF metrics(m_small);
    std::array<double, kMostLanes> painted;
    painted.fill(-1);
    for (const TimelineRange &range : m_data.annotations) {
        if (range.lane >= kMostLanes)
            continue;
        const QRectF box = annotationBox(range);
        double &end = painted[static_cast<std::size_t>(range.lane)];
        // Outside, or nothing of it would be seen: cost follows pixels.
        if (box.left() >= plot().right() || box.right() < plot().left() || box.right() <= end)
            continue;
        end = std::max(box.right(), box.left() + 1);
        if (box.width() < 3) {
            painter.fillRect(QRectF(box.left(), box.top(), 1, box.height() + 1),
                             m_area.style.theme.line);
            continue;
        }
        painter.setPen(m_area.style.theme.line);
        painter.setBrush(m_area.style.theme.card);
        painter.drawRect(box.adjusted(0.5, 0.5, -0.5, -0.5));
        const double room = box.width() - 2 * kGap;
        if (room < m_lineHeight)
            continue;
        painter.setPen(m_area.style.theme.dim);
        painter.drawText(box.adjusted(kGap, 0, -kGap, 0), Qt::AlignLeft | Qt::AlignVCenter,
                         metrics.elidedText(range.name, Qt::ElideRight, room));
    }
    painter.setBrush(Qt::NoBrush);
}

} // namespace vramscope
