// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/timeline_chart.h"

#include "ui/support/text.h"
#include "ui/timeline/axis_text.h"

#include <QFontMetricsF>
#include <QPainter>

#include <cmath>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr int kMostLanes = 3;
constexpr double kGap = 6;

QFont smallFont(const QFont &font)
{
    QFont small = font;
    small.setPointSizeF(font.pointSizeF() * 0.85);
    return small;
}

// Lines one device-independent pixel wide are crisp on half coordinates.
double crisp(double coordinate)
{
    return std::floor(coordinate) + 0.5;
}

} // namespace

Viewport TimelineData::whole() const
{
    const Bytes highest = std::max({curve->active(curve->peakActiveEvent()),
                                    curve->reserved(curve->peakReservedEvent()), limit,
                                    Bytes(TimelineState::kFewestBytes)});
    return {{-1, static_cast<double>(curve->count())},
            {0, std::min(static_cast<double>(highest) * 1.06, kMostBytes)}};
}

TimelineChart::TimelineChart(const TimelineData &data, const Viewport &viewport, const QRectF &area,
                             const ChartStyle &style)
    : m_data(data)
    , m_viewport(viewport)
    , m_style(style)
    , m_small(smallFont(style.font))
{
    const QFontMetricsF metrics(m_small);
    m_lineHeight = std::ceil(metrics.height());
    for (const TimelineRange &range : data.annotations)
        m_lanes = std::max(m_lanes, std::min(range.lane + 1, kMostLanes));
    const double axis = m_lineHeight * (data.times.empty() ? 1 : 2) + kGap;
    const double lanes = m_lanes > 0 ? m_lanes * (m_lineHeight + 4) + kGap : 0;
    m_plot =
        area.adjusted(leftMargin(style.font), m_lineHeight + kGap, -rightMargin(), -(axis + lanes))
            .toAlignedRect();
}

double TimelineChart::leftMargin(const QFont &font)
{
    return std::ceil(QFontMetricsF(smallFont(font)).horizontalAdvance(u"000.00"_s) + kGap);
}

double TimelineChart::rightMargin()
{
    return kGap;
}

StackGeometry TimelineChart::geometry() const
{
    return {*m_data.allocations, *m_data.curve, m_viewport,
            std::max(0, static_cast<int>(std::lround(m_plot.width() * m_style.pixelRatio))),
            std::max(0, static_cast<int>(std::lround(m_plot.height() * m_style.pixelRatio)))};
}

void TimelineChart::paint(QPainter &painter, const StackGeometry &geometry) const
{
    if (m_plot.width() < 1 || m_plot.height() < 1)
        return;
    painter.setFont(m_small);
    paintByteAxis(painter);
    QImage stack = paintStack(geometry, *m_data.colors);
    stack.setDevicePixelRatio(m_style.pixelRatio);
    painter.drawImage(m_plot.topLeft(), stack);
    paintEventAxis(painter);
    paintAnnotations(painter);
    painter.save();
    painter.setClipRect(m_plot);
    paintReserved(painter);
    paintLimit(painter);
    paintPeak(painter);
    paintOutOfMemory(painter);
    painter.restore();
}

void TimelineChart::paintByteAxis(QPainter &painter) const
{
    const ByteAxis axis(m_viewport.bytes, m_style.unit,
                        static_cast<int>(m_plot.height() / (m_lineHeight * 3)));
    for (const double bytes : axis.values()) {
        const double at = crisp(y(bytes));
        painter.setPen(m_style.theme.line);
        painter.drawLine(QPointF(m_plot.left(), at), QPointF(m_plot.right(), at));
        painter.setPen(m_style.theme.dim);
        const QRectF place(0, at - m_lineHeight / 2, m_plot.left() - kGap, m_lineHeight);
        painter.drawText(place, Qt::AlignRight | Qt::AlignVCenter, axis.text(bytes));
    }
    painter.drawText(
        QRectF(0, m_plot.top() - m_lineHeight - kGap, m_plot.left() - kGap, m_lineHeight),
        Qt::AlignRight | Qt::AlignTop, axis.unit());
}

void TimelineChart::paintEventAxis(QPainter &painter) const
{
    const double widest = QFontMetricsF(m_small).horizontalAdvance(u"000,000,000"_s) * 1.3;
    const Ticks ticks =
        niceTicks(m_viewport.events, std::max(1, static_cast<int>(m_plot.width() / widest)), 1);
    for (const double event : ticks.values) {
        if (event < 0)
            continue;
        const double at = x(event);
        painter.setPen(m_style.theme.line);
        painter.drawLine(QPointF(crisp(at), m_plot.bottom()),
                         QPointF(crisp(at), m_plot.bottom() + 4));
        painter.setPen(m_style.theme.dim);
        QRectF place(at - widest / 2, m_plot.bottom() + kGap, widest, m_lineHeight);
        const double over = place.right() - (m_plot.right() + kGap);
        Qt::Alignment alignment = Qt::AlignHCenter;
        if (over > widest / 4) { // the last label would leave the picture
            place.moveRight(m_plot.right() + kGap);
            alignment = Qt::AlignRight;
        }
        painter.drawText(place, static_cast<int>(alignment | Qt::AlignTop),
                         countText(static_cast<std::int64_t>(event)));
        if (m_data.times.empty())
            continue;
        const auto last = static_cast<double>(m_data.times.size()) - 1;
        const auto index = static_cast<std::size_t>(std::min(event, last));
        place.translate(0, m_lineHeight);
        painter.drawText(place, static_cast<int>(alignment | Qt::AlignTop),
                         toQString(formatMicroseconds(m_data.times[index] - m_data.times[0])));
    }
    painter.setPen(m_style.theme.dim);
    painter.drawLine(QPointF(m_plot.left(), crisp(m_plot.bottom())),
                     QPointF(m_plot.right(), crisp(m_plot.bottom())));
}

void TimelineChart::paintReserved(QPainter &painter) const
{
    const auto columns = static_cast<int>(m_plot.width());
    QPolygonF line;
    for (int column = 0; column < columns; ++column) {
        const EventSpan events = columnEvents(across(), column, m_data.curve->count());
        const EventIndex highest = m_data.curve->highestReserved(events.first, events.last);
        const double at = y(static_cast<double>(m_data.curve->reserved(highest)));
        const bool level = !line.empty() && line.back().y() == at;
        if (!level && !line.empty())
            line.append({m_plot.left() + column, line.back().y()});
        if (!level)
            line.append({m_plot.left() + column, at});
    }
    line.append({m_plot.right(), line.empty() ? m_plot.bottom() : line.back().y()});
    painter.setPen(QPen(m_style.theme.dim, 1));
    painter.drawPolyline(line);
}

void TimelineChart::paintLimit(QPainter &painter) const
{
    if (m_data.limit <= 0)
        return;
    const double at = crisp(y(static_cast<double>(m_data.limit)));
    QPen dashed(m_style.theme.text, 1);
    dashed.setDashPattern({5, 4});
    painter.setPen(dashed);
    painter.drawLine(QPointF(m_plot.left(), at), QPointF(m_plot.right(), at));
    paintLabel(painter, {m_plot.left() + kGap, at - 4},
               u"limit when memory ran out: %1"_s.arg(bytesText(m_data.limit, m_style.unit)),
               m_style.theme.text);
}

void TimelineChart::paintPeak(QPainter &painter) const
{
    const EventIndex event = m_data.curve->peakActiveEvent();
    const Bytes bytes = m_data.curve->active(event);
    const QPointF tip(x(event + 0.5), y(static_cast<double>(bytes)) - 3);
    if (bytes == 0 || !m_plot.contains(tip))
        return;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(m_style.theme.window, 1));
    painter.setBrush(m_style.theme.text);
    painter.drawPolygon(QPolygonF({tip, tip + QPointF(-5, -8), tip + QPointF(5, -8)}));
    painter.restore();
    const QString text = u"peak %1"_s.arg(bytesText(bytes, m_style.unit));
    const double width = QFontMetricsF(m_small).horizontalAdvance(text);
    const bool fits = tip.x() + 10 + width < m_plot.right();
    paintLabel(painter, {fits ? tip.x() + 9 : tip.x() - 9 - width, tip.y() - 1}, text,
               m_style.theme.text);
}

void TimelineChart::paintOutOfMemory(QPainter &painter) const
{
    double free = m_plot.left(); // where the next label may begin
    for (const TimelineMark &mark : m_data.outOfMemory) {
        if (!m_viewport.events.contains(mark.event))
            continue;
        const double at = x(mark.event + 0.5);
        painter.fillRect(
            QRectF(std::min(std::floor(at), m_plot.right() - 2), m_plot.top(), 2, m_plot.height()),
            m_style.theme.bad);
        const double width = QFontMetricsF(m_small).horizontalAdvance(mark.text);
        double left = at - kGap - width;
        if (left < free)
            left = at + kGap;
        if (left < free || left + width > m_plot.right())
            continue;
        paintLabel(painter, {left, m_plot.top() + m_lineHeight - 3}, mark.text, m_style.theme.bad);
        free = left + width + kGap;
    }
}

void TimelineChart::paintAnnotations(QPainter &painter) const
{
    if (m_lanes == 0)
        return;
    const QFontMetricsF metrics(m_small);
    const double top = m_plot.bottom() + m_lineHeight * (m_data.times.empty() ? 1 : 2) + 2 * kGap;
    std::array<double, kMostLanes> painted;
    painted.fill(-1);
    for (const TimelineRange &range : m_data.annotations) {
        if (range.lane >= kMostLanes || range.first > m_viewport.events.high ||
            range.last < m_viewport.events.low)
            continue;
        const auto lane = static_cast<std::size_t>(range.lane);
        const double left = std::max(m_plot.left(), std::floor(x(range.first)));
        const double right = std::min(m_plot.right(), std::floor(x(range.last)));
        if (right <= painted[lane]) // nothing of it would be seen: cost follows pixels
            continue;
        painted[lane] = std::max(right, left + 1);
        const QRectF box(left, top + range.lane * (m_lineHeight + 4), right - left,
                         m_lineHeight + 1);
        if (box.width() < 3) {
            painter.fillRect(QRectF(left, box.top(), 1, box.height() + 1), m_style.theme.line);
            continue;
        }
        painter.setPen(m_style.theme.line);
        painter.setBrush(m_style.theme.card);
        painter.drawRect(box.adjusted(0.5, 0.5, -0.5, -0.5));
        const double room = box.width() - 2 * kGap;
        if (room < m_lineHeight)
            continue;
        painter.setPen(m_style.theme.dim);
        painter.drawText(box.adjusted(kGap, 0, -kGap, 0), Qt::AlignLeft | Qt::AlignVCenter,
                         metrics.elidedText(range.name, Qt::ElideRight, room));
    }
    painter.setBrush(Qt::NoBrush);
}

// Text over data: on a patch of the window's colour, so that it reads on any band.
void TimelineChart::paintLabel(QPainter &painter, QPointF baseline, const QString &text,
                               const QColor &color) const
{
    const QFontMetricsF metrics(m_small);
    QColor patch = m_style.theme.window;
    patch.setAlpha(205);
    const QRectF box(baseline.x() - 3, baseline.y() - metrics.ascent() - 1,
                     metrics.horizontalAdvance(text) + 6, metrics.height() + 1);
    painter.fillRect(box, patch);
    painter.setPen(color);
    painter.drawText(baseline, text);
}

} // namespace vramscope
