// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/bands_body.h"

#include "ui/support/text.h"
#include "ui/timeline/pixel_lines.h"
#include "ui/timeline/run_painter.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace vramscope {

using namespace Qt::StringLiterals;

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
