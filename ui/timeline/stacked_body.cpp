// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/stacked_body.h"

#include "core/base/ordered_jobs.h"
#include "ui/support/text.h"
#include "ui/timeline/pixel_lines.h"
#include "ui/timeline/run_painter.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <array>
#include <cmath>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr double kLaneGap = 10;

StackGeometry geometryOf(const Stacked &stacked, const ChartArea &area)
{
    const int together = area.rowsTogether();
    const int rows = (area.rows() + together - 1) / together;
    Viewport viewport = area.viewport;
    if (area.rows() > 0) // the last ones may be half outside
        viewport.bytes.high =
            viewport.bytes.low + viewport.bytes.length() * rows * together / area.rows();
    return {stacked, area.axis, viewport, area.columns(), rows, area.columnsTogether()};
}

void paintGeometry(QPainter &painter, const StackGeometry &geometry, const ChartArea &area,
                   const PlotOverlay &over)
{
    const PixelLines pixels(painter, area.plot, {area.columns(), area.rows()});
    if (!pixels.fromBelow().empty())
        paintStack(geometry, pixels.fromBelow(), over, area.rowsTogether());
}

// Line by line: column by column each pixel would be far from the last one in memory.
void paintHairlines(QPainter &painter, const ChartArea &area, const Hairlines &hairlines)
{
    const PixelLines pixels(painter, area.plot, {area.columns(), area.rows()});
    for (QRgb *line : pixels.fromBelow()) {
        for (const int column : hairlines.columns)
            line[column] = blended(hairlines.color, line[column]);
    }
}

LifeIndex lifeOf(const StackGeometry &geometry, const ChartArea &area, QPointF point)
{
    return area.plot.contains(point) ? geometry.lifeAt(area.columnAt(point.x()),
                                                       area.rowAt(point.y()) / area.rowsTogether())
                                     : kNoLife;
}

/// The outline of a life: along the bottom of its columns and back along the top.
QPolygonF outlineOf(const StackGeometry &geometry, const ChartArea &area, LifeIndex life,
                    Bytes size)
{
    QPolygonF lower;
    QPolygonF upper;
    for (const StackGeometry::Slice &slice : geometry.slices(life)) {
        const double left = area.plot.left() + slice.column / area.style.pixelRatio;
        const double right = left + 1 / area.style.pixelRatio;
        // Half a pixel outside, so that a thin band is not covered by its own outline.
        const double bottom = area.y(slice.bottom) + 0.5;
        const double top = area.y(wrappingSum(slice.bottom, size)) - 0.5;
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

StackBody::StackBody(const TimelineData &data, const ChartArea &area, Of of)
    : m_data(data)
    , m_area(area)
    , m_of(of)
    , m_geometry(geometryOf(of == Of::Segments ? data.reserved() : data.active(), area))
{
}

void StackBody::paint(QPainter &painter, const PlotOverlay &over) const
{
    paintGeometry(painter, m_geometry, m_area, over);
}

EventIndex StackBody::eventAt(double x) const
{
    if (m_geometry.columns() == 0)
        return -1;
    return m_geometry.event(std::clamp(m_area.columnAt(x), 0, m_geometry.columns() - 1));
}

AllocationIndex StackBody::allocationAt(QPointF point) const
{
    return m_of == Of::Segments ? kNoAllocation : lifeOf(m_geometry, m_area, point);
}

QStringList StackBody::textAt(QPointF point) const
{
    const LifeIndex life = lifeOf(m_geometry, m_area, point);
    if (life == kNoLife)
        return {};
    return m_of == Of::Segments ? m_data.describeSegment(life) : m_data.describe(life);
}

QPolygonF StackBody::outline(AllocationIndex allocation) const
{
    if (m_of == Of::Segments)
        return {};
    return outlineOf(m_geometry, m_area, allocation, m_data.allocations->size[allocation]);
}

LanesBody::LanesBody(const TimelineData &data, const ChartArea &area)
    : m_data(data)
    , m_area(area)
{
    const auto count = static_cast<double>(data.lanes.size());
    const double heading = std::ceil(QFontMetricsF(area.style.font).height());
    const double height = std::floor(area.plot.height() / std::max(count, 1.0));
    double top = area.plot.top();
    for (const TimelineLane &lane : data.lanes) {
        ChartArea part = area;
        part.plot = QRectF(area.plot.left(), top + heading, area.plot.width(),
                           std::max(0.0, height - heading - kLaneGap));
        const Bytes peak = lane.stacked.curve->at(lane.stacked.curve->peakEvent());
        part.viewport.bytes = {0, std::max(static_cast<double>(peak) * 1.02, 1.0)};
        m_lanes.push_back({&lane, part, geometryOf(lane.stacked, part)});
        top += height;
    }
}

void LanesBody::paint(QPainter &painter, const PlotOverlay &over) const
{
    for (const Lane &lane : m_lanes) {
        paintGeometry(painter, lane.geometry, lane.area, {});
        const EventCurve &curve = *lane.lane->stacked.curve;
        const QRectF &plot = lane.area.plot;
        painter.setPen(m_area.style.theme.line);
        painter.drawLine(QPointF(plot.left(), crisp(plot.bottom())),
                         QPointF(plot.right(), crisp(plot.bottom())));
        const QFontMetricsF metrics(painter.font());
        const QString text = u"%1  ·  %2"_s.arg(
            lane.lane->name,
            u"peak %1"_s.arg(bytesText(curve.at(curve.peakEvent()), m_area.style.unit)));
        painter.setPen(m_area.style.theme.text);
        painter.drawText(QPointF(plot.left(), plot.top() - metrics.descent() - 1),
                         metrics.elidedText(text, Qt::ElideRight, plot.width()));
    }
    paintHairlines(painter, m_area, over.hairlines);
}

EventIndex LanesBody::eventAt(double x) const
{
    const LinearScale across = m_area.across();
    const EventSpan events = m_area.axis.column(across, static_cast<int>(x - m_area.plot.left()));
    return m_data.curve->highestActive(events.first, events.last);
}

const LanesBody::Lane *LanesBody::laneAt(QPointF point) const
{
    const auto lane =
        std::ranges::find_if(m_lanes, [&](const Lane &at) { return at.area.plot.contains(point); });
    return lane == m_lanes.end() ? nullptr : &*lane;
}

AllocationIndex LanesBody::allocationAt(QPointF point) const
{
    const Lane *lane = laneAt(point);
    const LifeIndex life = lane ? lifeOf(lane->geometry, lane->area, point) : kNoLife;
    return life == kNoLife ? kNoAllocation : lane->lane->allocations[life];
}

QStringList LanesBody::textAt(QPointF point) const
{
    const AllocationIndex allocation = allocationAt(point);
    return allocation == kNoAllocation ? QStringList() : m_data.describe(allocation);
}

QPolygonF LanesBody::outline(AllocationIndex allocation) const
{
    for (const Lane &lane : m_lanes) {
        const auto found = std::ranges::lower_bound(lane.lane->allocations, allocation);
        if (found == lane.lane->allocations.end() || *found != allocation)
            continue;
        const auto life = static_cast<LifeIndex>(found - lane.lane->allocations.begin());
        return outlineOf(lane.geometry, lane.area, life, m_data.allocations->size[allocation]);
    }
    return {};
}

namespace {

void addColumns(const StackGeometry &geometry, LineRuns &runs)
{
    const auto shadeOf = [](const StackGeometry::Band &band, std::size_t separator) {
        return static_cast<LineRuns::Color>(1 + band.color * kShades + (band.life & 1U) +
                                            separator);
    };
    geometry.walk(runs.first(), runs.last(), [&](const StackGeometry::Change &change) {
        for (const StackGeometry::Band &band : change.bands) {
            if (band.life == kNoLife) {
                runs.setColor(band.from, band.to, change.column, LineRuns::kGround);
                continue;
            }
            const bool separated =
                band.to - band.from >= kSeparatedRows && band.to < geometry.rows();
            const int edge = band.to - (separated ? 1 : 0);
            runs.setColor(band.from, edge, change.column, shadeOf(band, 0));
            runs.setColor(edge, band.to, change.column, shadeOf(band, 2));
        }
    });
}

} // namespace

void paintStack(const StackGeometry &geometry, std::span<QRgb *const> lines,
                const PlotOverlay &over, int together)
{
    const int columns = geometry.columns();
    const int middle = columns / 2;
    std::vector<QRgb> palette = shades(geometry.colors());
    palette.insert(palette.begin(), 0); // the ground's place
    const auto rows = static_cast<std::size_t>(geometry.rows());
    std::array parts{LineRuns(rows, 0, middle), LineRuns(rows, middle, columns)};
    runBoth([&] { addColumns(geometry, parts[0]); }, [&] { addColumns(geometry, parts[1]); });
    writeRuns(lines, parts, palette, over, together);
}

const std::array<BandLook, kBandCount> &bandLooks()
{
    static const std::array<BandLook, kBandCount> looks = {
        BandLook{u"Requested"_s, seriesColors()[0], &Bands::requested},
        BandLook{u"Rounding"_s, seriesColors()[9], &Bands::rounding},
        BandLook{u"Pending free"_s, seriesColors()[4], &Bands::pendingFree},
        BandLook{u"Stranded"_s, seriesColors()[8], &Bands::stranded},
        BandLook{u"Releasable"_s, seriesColors()[10], &Bands::releasable},
    };
    return looks;
}

BandsBody::BandsBody(const TimelineData &data, const ChartArea &area)
    : m_data(data)
    , m_area(area)
    , m_events(eventsOfColumns(area.axis, area.acrossColumns(), area.columnsTogether(),
                               [&data](EventIndex first, EventIndex last) {
                                   return data.curve->highestReserved(first, last);
                               }))
{
}

// Written into pixels: a painter's call a band and column costs more than they do.
void BandsBody::paint(QPainter &painter, const PlotOverlay &over) const
{
    const int rows = m_area.rows();
    const PixelLines pixels(painter, m_area.plot, {m_area.columns(), rows});
    if (pixels.fromBelow().empty())
        return;
    const LinearScale up{m_area.viewport.bytes, static_cast<double>(rows)};
    // A row shows the band of its lowest byte, as everywhere.
    const auto firstRow = [&](Bytes bytes) {
        return static_cast<int>(
            std::clamp(std::ceil(up.toPixel(static_cast<double>(bytes))), 0.0, double(rows)));
    };
    std::array<QRgb, kBandCount + 1> palette{}; // the ground's place first
    std::ranges::transform(bandLooks(), palette.begin() + 1, &BandLook::color);
    const std::size_t lines = pixels.fromBelow().size();
    LineRuns runs(lines, 0, m_area.columns());
    ZoneRuns zones(runs, lines, {1, 2, 3, 4, 5, LineRuns::kGround});
    std::array<int, kBandCount + 1> ends{};
    ends.back() = rows;
    for (int column = 0; column < m_area.columns(); column += m_area.columnsTogether()) {
        const Bands &bands = m_data.space->bandsAfter(m_events[static_cast<std::size_t>(column)]);
        Bytes bytes = 0;
        int row = 0;
        for (std::size_t band = 0; band < kBandCount; ++band) {
            bytes = wrappingSum(bytes, bands.*bandLooks()[band].bytes);
            row = ends[band] = std::max(row, firstRow(bytes));
        }
        zones.setColumn(column, ends);
    }
    writeRuns(pixels.fromBelow(), {&runs, 1}, palette, over);
}

EventIndex BandsBody::eventAt(double x) const
{
    if (m_events.empty())
        return -1;
    const int column = std::clamp(m_area.columnAt(x), 0, m_area.columns() - 1);
    return m_events[static_cast<std::size_t>(column)];
}

QStringList BandsBody::textAt(QPointF point) const
{
    if (!m_area.plot.contains(point) || m_events.empty())
        return {};
    const Bands &bands = m_data.space->bandsAfter(eventAt(point.x()));
    const ByteUnit unit = m_area.style.unit;
    QStringList lines{u"Reserved %1"_s.arg(exactBytesText(bands.reserved(), unit))};
    for (auto look = bandLooks().rbegin(); look != bandLooks().rend(); ++look)
        lines << u"%1  %2"_s.arg(look->name, bytesText(bands.*look->bytes, unit));
    return lines;
}

} // namespace vramscope
