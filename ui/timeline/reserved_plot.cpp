// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/reserved_plot.h"

#include "ui/support/text.h"
#include "ui/timeline/chart_axes.h"

#include <QFontMetricsF>
#include <QKeyEvent>
#include <QPainter>

#include <algorithm>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr double kSample = 26;    // pixels of a line in the legend
constexpr double kLegendGap = 16; // between its entries
constexpr double kLegendTop = 4;
constexpr double kMostHeadroom = 1.35; // of the highest line, for a capacity that is drawn

// The bytes reserved after an event.
Bytes reservedAt(const SimulationResult &result, EventIndex event)
{
    const auto after = std::ranges::upper_bound(result.reserved, event, {}, &ReservedFrom::event);
    return after == result.reserved.begin() ? 0 : std::prev(after)->bytes;
}

} // namespace

QPen reservedPen(std::size_t look, const Theme &theme)
{
    static const std::array<QList<qreal>, 6> dashes{
        {{}, {5, 2}, {1.5, 1.5}, {7, 2, 1.5, 2}, {10, 3}, {4, 1.5, 1.5, 1.5, 1.5, 1.5}}};
    const std::array<QRgb, kSeriesColorCount> &colors = seriesColors();
    QPen pen(look == 0 ? theme.text : QColor::fromRgb(colors[(look - 1) % colors.size()]), 2);
    pen.setCapStyle(Qt::FlatCap);
    // Its corners are square, but Qt::MiterJoin would overshoot where the line turns back.
    pen.setJoinStyle(Qt::SvgMiterJoin);
    if (const QList<qreal> &pattern = dashes[(look + look / (colors.size() + 1)) % dashes.size()];
        !pattern.isEmpty())
        pen.setDashPattern(pattern);
    return pen;
}

ReservedChart::ReservedChart(std::vector<ReservedLine> lines, std::optional<Bytes> capacity,
                             const EventAxis &axis, const Range &x, const QRectF &area,
                             const ChartStyle &style)
    : m_lines(std::move(lines))
    , m_capacity(capacity)
    , m_place(area)
    , m_area{{}, axis, {x, {}}, style}
{
    m_area.style.font = smallFont(style.font);
    const QFontMetricsF metrics(m_area.style.font);
    const double text = std::ceil(metrics.height());
    const double left = byteAxisWidth(style.font);
    m_area.plot = area.adjusted(left, 0, -kChartGap, 0);
    const double above = (legend(nullptr, metrics) + 1) * text + kLegendTop + kChartGap;
    m_area.plot = area.adjusted(left, above, -kChartGap, -(text + kChartGap)).toAlignedRect();
    Bytes most = kKiB;
    for (const ReservedLine &line : m_lines)
        most = std::max(most, line.result->figures.peakReserved);
    m_area.viewport.bytes = {0, static_cast<double>(most) * 1.06};
    if (reachesCapacity())
        m_area.viewport.bytes.high =
            std::max(m_area.viewport.bytes.high, static_cast<double>(*m_capacity) * 1.06);
}

bool ReservedChart::reachesCapacity() const
{
    return m_capacity &&
           static_cast<double>(*m_capacity) <= m_area.viewport.bytes.high * kMostHeadroom;
}

double ReservedChart::y(Bytes bytes) const
{
    return std::clamp(m_area.y(bytes), plot().top() - 8, plot().bottom() + 8);
}

EventIndex ReservedChart::eventAt(double x) const
{
    return m_area.axis.eventAt(m_area.across().toValue(x - plot().left()));
}

// Within one pixel, only the lowest, the highest and the last change are drawn.
QPolygonF ReservedChart::line(std::size_t at) const
{
    const SimulationResult &result = *m_lines[at].result;
    const EventAxis &axis = m_area.axis;
    const auto xOf = [&](EventIndex event) {
        return std::clamp(m_area.x(axis.start(event)), plot().left() - 4, plot().right() + 4);
    };
    const EventIndex first = axis.eventAt(m_area.viewport.x.low);
    auto from = std::ranges::upper_bound(result.reserved, first, {}, &ReservedFrom::event);
    if (from != result.reserved.begin())
        --from;
    QPolygonF line;
    for (; from != result.reserved.end();) {
        const double x = crisp(xOf(from->event));
        if (from->event >= 0 && m_area.x(axis.start(from->event)) > plot().right())
            break;
        double lowest = y(from->bytes);
        double highest = lowest;
        double last = lowest;
        for (; from != result.reserved.end() && crisp(xOf(from->event)) == x; ++from) {
            last = y(from->bytes);
            lowest = std::min(lowest, last);
            highest = std::max(highest, last);
        }
        if (!line.isEmpty())
            line << QPointF(x, line.back().y());
        for (const double each : {lowest, highest, last}) {
            if (line.isEmpty() || line.back() != QPointF(x, crisp(each)))
                line << QPointF(x, crisp(each));
        }
    }
    if (!line.isEmpty()) {
        const EventIndex end =
            result.outOfMemoryEvent ? std::max(*result.outOfMemoryEvent, 0) : axis.count();
        const double x = end < axis.count() ? xOf(end) : m_area.x(axis.whole().high);
        line << QPointF(std::clamp(x, line.back().x(), plot().right() + 4), line.back().y());
    }
    return line;
}

QStringList ReservedChart::textAt(QPointF point) const
{
    if (!plot().contains(point))
        return {};
    const EventIndex event = eventAt(point.x());
    QStringList lines{event < 0 ? u"Before the first event"_s
                                : u"After event %1"_s.arg(countText(event))};
    for (const ReservedLine &line : m_lines) {
        const SimulationResult &result = *line.result;
        const bool over = result.runsOut() && event > *result.outOfMemoryEvent;
        lines << u"%1: %2"_s.arg(line.name,
                                 over ? u"out of memory before"_s
                                      : bytesText(reservedAt(result, event), m_area.style.unit));
    }
    return lines;
}

void ReservedChart::paint(QPainter &painter) const
{
    painter.fillRect(m_place, m_area.style.theme.window);
    if (plot().width() < 1 || plot().height() < 1)
        return;
    painter.setFont(m_area.style.font);
    const QFontMetricsF metrics(painter.font());
    paintByteAxis(painter, m_area);
    paintEventAxis(painter, m_area, {});
    painter.save();
    painter.setClipRect(plot().adjusted(0, -4, 0, 1));
    for (std::size_t at = m_lines.size(); at-- > 0;) { // the first lies on top
        painter.setPen(reservedPen(m_lines[at].look, m_area.style.theme));
        painter.drawPolyline(line(at));
        paintEnd(painter, m_lines[at]);
    }
    painter.restore();
    paintCapacity(painter);
    legend(&painter, metrics);
}

void ReservedChart::paintEnd(QPainter &painter, const ReservedLine &line) const
{
    const SimulationResult &result = *line.result;
    if (!result.runsOut())
        return;
    constexpr double kArm = 5;
    const EventIndex event = std::max(*result.outOfMemoryEvent, 0);
    const QPointF at(m_area.x(m_area.axis.start(event)), y(reservedAt(result, event)));
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(m_area.style.theme.bad, 2.5));
    painter.drawLine(at - QPointF(kArm, kArm), at + QPointF(kArm, kArm));
    painter.drawLine(at - QPointF(kArm, -kArm), at + QPointF(kArm, -kArm));
    painter.restore();
}

void ReservedChart::paintCapacity(QPainter &painter) const
{
    if (!m_capacity)
        return;
    const Theme &theme = m_area.style.theme;
    const QFontMetricsF metrics(painter.font());
    const bool inside = reachesCapacity();
    const QString text = (inside ? u"capacity %1"_s : u"capacity %1, far above"_s)
                             .arg(bytesText(*m_capacity, m_area.style.unit));
    const double at = inside ? crisp(y(*m_capacity)) : plot().top();
    if (inside) {
        painter.setPen(QPen(theme.bad, 1, Qt::DashLine));
        painter.drawLine(QPointF(plot().left(), at), QPointF(plot().right(), at));
    }
    // Under the line, where the first events leave room.
    paintChartLabel(painter, m_area, QPointF(plot().left() + 8, at + metrics.ascent() + 3), text,
                    theme.text);
}

int ReservedChart::legend(QPainter *painter, const QFontMetricsF &metrics) const
{
    const double height = std::ceil(metrics.height());
    double x = plot().left();
    int row = 0;
    for (const ReservedLine &line : m_lines) {
        const QString name =
            metrics.elidedText(line.name, Qt::ElideMiddle, plot().width() - kSample - 6);
        const double width = kSample + 6 + metrics.horizontalAdvance(name);
        if (x > plot().left() && x + width > plot().right()) {
            x = plot().left();
            ++row;
        }
        if (painter) {
            const double top = kLegendTop + row * height;
            const double middle = crisp(top + height / 2);
            painter->setPen(reservedPen(line.look, m_area.style.theme));
            painter->drawLine(QPointF(x, middle), QPointF(x + kSample, middle));
            painter->setPen(m_area.style.theme.dim);
            painter->drawText(QPointF(x + kSample + 6, top + metrics.ascent()), name);
        }
        x += width + kLegendGap;
    }
    return m_lines.empty() ? 0 : row + 1;
}

ReservedPlot::ReservedPlot(TimelineState *state, QWidget *parent)
    : HoverPlot(u"Reserved memory under the drawn settings"_s,
                u"A click moves the cursor; left and right move it to the change before and "
                "after."_s,
                parent)
    , m_state(state)
{
    connect(state, &TimelineState::axisChanged, this, &ReservedPlot::discard);
    connect(state, &TimelineState::visibleChanged, this, &ReservedPlot::discard);
    connect(state, &TimelineState::cursorChanged, this, qOverload<>(&QWidget::update));
}

void ReservedPlot::setLines(const std::vector<ReservedLine> &lines, std::optional<Bytes> capacity)
{
    m_lines = lines;
    m_capacity = capacity;
    discard();
}

ReservedChart ReservedPlot::makeChart(const ChartStyle &style) const
{
    return {m_lines, m_capacity, m_state->axis(), m_state->visible().x, rect(), style};
}

QStringList ReservedPlot::textAt(QPointF position) const
{
    return chart().textAt(position);
}

std::optional<EventIndex> ReservedPlot::change(bool before) const
{
    std::optional<EventIndex> nearest;
    const EventIndex cursor = m_state->cursor();
    for (const ReservedLine &line : m_lines) {
        const std::vector<ReservedFrom> &all = line.result->reserved;
        if (before) {
            const auto at = std::ranges::lower_bound(all, cursor, {}, &ReservedFrom::event);
            if (at != all.begin())
                nearest = std::max(nearest.value_or(-1), std::prev(at)->event);
        } else {
            const auto at = std::ranges::upper_bound(all, cursor, {}, &ReservedFrom::event);
            if (at != all.end())
                nearest = std::min(nearest.value_or(at->event), at->event);
        }
    }
    return nearest;
}

void ReservedPlot::paintOver(QPainter &painter) const
{
    const QRectF plot = chart().plot();
    painter.setClipRect(plot.adjusted(0, 0, 1, 1));
    painter.setPen(chartTheme(this).accent);
    const double cursor = crisp(chart().xOf(m_state->cursor()));
    painter.drawLine(QPointF(cursor, plot.top()), QPointF(cursor, plot.bottom()));
}

void ReservedPlot::mousePressEvent(QMouseEvent *event)
{
    if (event->button() == Qt::LeftButton && chart().plot().contains(event->position()))
        m_state->setCursor(chart().eventAt(event->position().x()));
}

void ReservedPlot::keyPressEvent(QKeyEvent *event)
{
    const bool before = event->key() == Qt::Key_Left;
    if (event->modifiers() != Qt::NoModifier || (!before && event->key() != Qt::Key_Right)) {
        QWidget::keyPressEvent(event);
        return;
    }
    if (const auto wanted = change(before)) {
        m_state->setCursor(*wanted);
        m_state->reveal(*wanted);
    }
}

} // namespace vramscope
