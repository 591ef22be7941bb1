// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/timeline_chart.h"

#include "ui/support/text.h"
#include "ui/timeline/chart_axes.h"
#include "ui/timeline/pixel_lines.h"
#include "ui/timeline/stacked_body.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <array>
#include <optional>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr int kMostPeakLines = 4; ///< lines below its tip where the peak's label may be
constexpr double kNearPeak = 40;  ///< pixels from a mark with its label to the peak after it

} // namespace

Range TimelineData::wholeBytes() const
{
    const Bytes highest = std::max({curve->active(curve->peakActiveEvent()),
                                    curve->reserved(curve->peakReservedEvent()), limit,
                                    overlay ? overlay->highest(0, times.back() - times.front()) : 0,
                                    Bytes(TimelineState::kFewestBytes)});
    const bool failed = !outOfMemory.empty(); // the capacity has its label above it
    return {0, std::min(static_cast<double>(highest) * (failed ? 1.14 : 1.06), kMostBytes)};
}

std::unique_ptr<TimelineBody> makeBody(TimelineKind kind, const TimelineData &data,
                                       const ChartArea &area)
{
    switch (kind) {
    case TimelineKind::Reserved:
        return std::make_unique<StackBody>(data, area, StackBody::Of::Segments);
    case TimelineKind::Bands:
        return std::make_unique<BandsBody>(data, area);
    case TimelineKind::Lanes:
        return std::make_unique<LanesBody>(data, area);
    case TimelineKind::Active:
        break;
    }
    return std::make_unique<StackBody>(data, area, StackBody::Of::Allocations);
}

TimelineChart::TimelineChart(TimelineKind kind, const TimelineData &data, const EventAxis &axis,
                             const Viewport &viewport, const QRectF &area, const ChartStyle &style)
    : m_kind(kind)
    , m_data(data)
    , m_place(area)
    , m_area{{}, axis, viewport, style}
    , m_small(smallFont(style.font))
    , m_axisLines(axis.kind() == EventAxis::Kind::Event && axis.hasTimes() ? 2 : 1)
{
    layOut(area);
    ChartArea body = m_area;
    body.style.font = m_small;
    m_body = makeBody(kind, data, body);
}

void TimelineChart::layOut(const QRectF &area)
{
    m_lineHeight = std::ceil(QFontMetricsF(m_small).height());
    m_area.plot = area.adjusted(leftMargin(m_area.style.font), 0, -rightMargin(), 0);
    layOutLanes();
    const double axis = m_lineHeight * m_axisLines + kChartGap;
    double lanes = m_laneHeights.empty() ? 0 : kChartGap;
    for (const double height : m_laneHeights)
        lanes += height + kBetweenLanes;
    const double above = m_lineHeight * (1 + actionLines()) + kChartGap;
    m_area.plot =
        area.adjusted(leftMargin(m_area.style.font), above, -rightMargin(), -(axis + lanes))
            .toAlignedRect();
}

// A lane is as high as a line of text if any of its names can be read at this zoom, wherever it is,
// so that panning changes nothing; otherwise it is a row of bands.
void TimelineChart::layOutLanes()
{
    for (const TimelineRange &range : m_data.annotations) {
        if (range.lane >= kMostLanes)
            continue;
        const auto lane = static_cast<std::size_t>(range.lane);
        if (m_laneHeights.size() <= lane)
            m_laneHeights.resize(lane + 1, kBandHeight);
        const double width =
            m_area.x(m_area.axis.start(range.last)) - m_area.x(m_area.axis.start(range.first));
        if (m_laneHeights[lane] == kBandHeight && isNameShown(range.name, width))
            m_laneHeights[lane] = m_lineHeight + 1;
    }
}

double TimelineChart::leftMargin(const QFont &font)
{
    return byteAxisWidth(font);
}

double TimelineChart::rightMargin()
{
    return kChartGap;
}

void TimelineChart::paint(QPainter &painter) const
{
    paintGround(painter);
    if (plot().width() < 1 || plot().height() < 1)
        return;
    painter.setFont(m_small);
    if (m_kind != TimelineKind::Lanes)
        paintByteAxis(painter, m_area);
    paintEventAxis(painter, m_area, m_data.times);
    paintAnnotations(painter);
    paintActions(painter);
    painter.save();
    painter.setClipRect(plot());
    m_body->paint(painter, overBody());
    if (showsOverlay())
        paintOverlay(painter);
    Places taken;
    if (m_kind != TimelineKind::Lanes)
        paintLimit(painter, taken);
    paintMarks(painter, m_data.outOfMemory, m_area.style.theme.bad, taken);
    paintMarks(painter, m_data.snapshots, m_area.style.theme.accent, taken);
    if (m_kind != TimelineKind::Lanes)
        paintPeak(painter, shownCurve(), taken);
    if (m_kind == TimelineKind::Active)
        paintNames(painter, taken);
    painter.restore();
}

// If the body writes every pixel of the plot, this paints only the first pixels of its lines: the
// body continues them, with the lines of the axis.
void TimelineChart::paintGround(QPainter &painter) const
{
    const QSize pixels(m_area.columns(), m_area.rows());
    QRegion ground(m_place.toRect());
    if (m_kind != TimelineKind::Lanes && PixelLines::areOf(painter, plot(), pixels))
        ground -= plot().adjusted(1, 0, 0, 0).toRect();
    for (const QRect &part : ground)
        painter.fillRect(part, m_area.style.theme.window);
}

const EventCurve &TimelineChart::shownCurve() const
{
    return m_kind == TimelineKind::Active ? m_data.curve->active() : m_data.curve->reserved();
}

PlotOverlay TimelineChart::overBody() const
{
    const Theme &theme = m_area.style.theme;
    PlotOverlay over{hairlines(), {}};
    if (m_kind == TimelineKind::Active) {
        over.line = lineOf(m_data.curve->reserved());
        over.line.color = theme.dim.rgb();
    } else if (m_kind == TimelineKind::Reserved) { // bands are under it
        QColor halo = theme.window;
        halo.setAlpha(150);
        over.line = lineOf(m_data.curve->active());
        over.line.color = theme.text.rgb();
        over.line.halo = qPremultiply(halo.rgba());
        over.line.haloRows = std::max(1, static_cast<int>(m_area.style.pixelRatio));
    }
    return over;
}

// As thick as a device-independent pixel, and as high as the curve climbs or falls.
StepLine TimelineChart::lineOf(const EventCurve &curve) const
{
    const LinearScale up{m_area.viewport.bytes, static_cast<double>(m_area.rows())};
    const int thickness = std::max(1, static_cast<int>(m_area.style.pixelRatio));
    const double lowest = -2.0 * thickness; // out of sight with its halo
    const double highest = m_area.rows() + thickness;
    StepLine line;
    line.columns.reserve(static_cast<std::size_t>(m_area.columns()));
    const std::vector<EventIndex> events = eventsOfColumns(
        m_area.axis, m_area.acrossColumns(), m_area.columnsTogether(),
        [&curve](EventIndex first, EventIndex last) { return curve.highest(first, last); });
    std::optional<int> before;
    for (const EventIndex event : events) {
        const double row = std::ceil(up.toPixel(static_cast<double>(curve.at(event)))) - 1;
        const auto at = static_cast<int>(std::clamp(row, lowest, highest));
        const auto [low, high] = std::minmax({at, before.value_or(at)});
        line.columns.push_back(
            {std::clamp(low, 0, m_area.rows()), std::clamp(high + thickness, 0, m_area.rows())});
        before = at;
    }
    return line;
}

// A hairline at the start of each step, unless the ranges under the plot name them; none if they
// would be closer than a few pixels.
Hairlines TimelineChart::hairlines() const
{
    if (m_data.steps.size() < 2 || !m_data.annotations.empty())
        return {};
    const double first = m_area.x(m_area.axis.start(m_data.steps.front()));
    const double last = m_area.x(m_area.axis.start(m_data.steps.back()));
    if ((last - first) / static_cast<double>(m_data.steps.size() - 1) < 8)
        return {};
    QColor color = m_area.style.theme.text;
    color.setAlpha(70);
    const auto wide = std::max(1, static_cast<int>(m_area.style.pixelRatio));
    Hairlines lines{{}, qPremultiply(color.rgba())};
    for (const EventIndex step : m_data.steps) {
        const double at = m_area.x(m_area.axis.start(step));
        for (int beside = 0; beside < wide && plot().left() <= at && at < plot().right(); ++beside)
            lines.columns.push_back(m_area.columnAt(std::floor(at)) + beside);
    }
    std::ranges::sort(lines.columns); // steps may begin in one column
    return lines;
}

void TimelineChart::paintLimit(QPainter &painter, Places &taken) const
{
    if (m_data.limit <= 0)
        return;
    const double at = crisp(m_area.y(static_cast<double>(m_data.limit)));
    QPen dashed(m_area.style.theme.text, 1);
    dashed.setDashPattern({5, 4});
    painter.setPen(dashed);
    painter.drawLine(QPointF(plot().left(), at), QPointF(plot().right(), at));
    const double ascent = QFontMetricsF(m_small).ascent();
    const bool fitsAbove = at - 4 - ascent > plot().top();
    const std::array places{
        QPointF(plot().left() + kChartGap, fitsAbove ? at - 4 : at + ascent + 4)};
    paintLabel(painter, places,
               u"%1, what the device had"_s.arg(bytesText(m_data.limit, m_area.style.unit)),
               m_area.style.theme.text, taken);
    taken.push_back(QRectF(plot().left(), at - 1, plot().width(), 2)); // cuts through no label
}

void TimelineChart::paintPeak(QPainter &painter, const EventCurve &curve, Places &taken) const
{
    const EventIndex event = curve.peakEvent();
    const Bytes bytes = curve.at(event);
    const QPointF tip(m_area.x(m_area.axis.mark(event)), m_area.y(bytes));
    if (bytes == 0 || !plot().contains(tip))
        return;
    paintPeakMark(painter, tip, m_area.style.theme.text);
    taken.push_back(QRectF(tip, QSizeF()).adjusted(-5, -5, 5, 5));
    const QString text = u"peak %1"_s.arg(bytesText(bytes, m_area.style.unit));
    const double width = QFontMetricsF(m_small).horizontalAdvance(text);
    std::vector<QPointF> places; // next to it, else lower down
    for (int line = 0; line < kMostPeakLines; ++line) {
        const double y = tip.y() - 1 + line * m_lineHeight;
        places.insert(places.end(), {{tip.x() + 9, y}, {tip.x() - 9 - width, y}});
    }
    paintLabel(painter, places, text, m_area.style.theme.text, taken);
}

void TimelineChart::paintMarks(QPainter &painter, const std::vector<TimelineMark> &marks,
                               const QColor &color, Places &taken) const
{
    for (const TimelineMark &mark : marks) {
        const double value = m_area.axis.mark(mark.event);
        if (!m_area.viewport.x.contains(value))
            continue;
        double at = m_area.x(value);
        if (mark.bytes > 0 && m_kind != TimelineKind::Lanes) {
            const QRectF box = requestBox(mark, at);
            painter.setPen(QPen(color, 1.5));
            painter.setBrush(m_area.style.theme.badFill);
            painter.drawRect(box);
            painter.setBrush(Qt::NoBrush);
            taken.push_back(box);
            at = box.left();
        } else {
            painter.fillRect(QRectF(std::min(std::floor(at), plot().right() - 2), plot().top(), 2,
                                    plot().height()),
                             color);
        }
        const double width = QFontMetricsF(m_small).horizontalAdvance(mark.text);
        // The cursor starts at the peak, and a mark is often just before it: it cuts no label.
        const double peak = m_area.x(m_area.axis.mark(shownCurve().peakEvent()));
        const double left = peak < at && at - peak < kNearPeak ? std::floor(peak) : at;
        std::vector<QPointF> places; // at the top, else lower down
        for (int line = 1; line <= kMostPeakLines; ++line) {
            const double y = plot().top() + line * m_lineHeight - 3;
            places.insert(places.end(),
                          {QPointF(left - kChartGap - width, y), QPointF(at + kChartGap, y)});
        }
        paintLabel(painter, places, mark.text, color, taken);
    }
}

// As high as the request, on what was reserved; wide enough to be seen, inside the plot.
QRectF TimelineChart::requestBox(const TimelineMark &mark, double at) const
{
    constexpr double kWidth = 8;
    const double top = m_area.y(wrappingSum(mark.from, mark.bytes));
    const double left = std::clamp(at - kWidth / 2, plot().left() + 1, plot().right() - kWidth - 2);
    return QRectF(QPointF(std::floor(left), std::floor(top)),
                  QPointF(std::floor(left) + kWidth, std::floor(m_area.y(mark.from))));
}

void TimelineChart::paintLabel(QPainter &painter, std::span<const QPointF> baselines,
                               const QString &text, const QColor &color, Places &taken) const
{
    const QFontMetricsF metrics(m_small);
    const double overCapitals = metrics.ascent() - metrics.capHeight();
    const QRectF room = plot().adjusted(0, -overCapitals, 0, 0);
    for (const QPointF &baseline : baselines) {
        const QRectF box(baseline.x(), baseline.y() - metrics.ascent(),
                         metrics.horizontalAdvance(text), metrics.height());
        const auto overlaps = [&box](const QRectF &other) { return other.intersects(box); };
        if (!room.contains(box) || std::ranges::any_of(taken, overlaps))
            continue;
        paintChartLabel(painter, m_area, baseline, text, color);
        taken.push_back(box);
        return;
    }
}

} // namespace vramscope
