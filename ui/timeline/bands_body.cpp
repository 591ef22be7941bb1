// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/bands_body.h"

#include "ui/support/text.h"

#include <QImage>
#include <QPainter>

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
{
    const LinearScale across{area.viewport.x, static_cast<double>(area.columns())};
    m_events.reserve(static_cast<std::size_t>(area.columns()));
    for (int column = 0; column < area.columns(); ++column) {
        const EventSpan events = area.axis.column(across, column);
        m_events.push_back(data.curve->highestReserved(events.first, events.last));
    }
}

// Written column by column into an image: a painter's call a band and column costs more than the
// pixels.
void BandsBody::paint(QPainter &painter) const
{
    QImage image(m_area.columns(), m_area.rows(), QImage::Format_ARGB32_Premultiplied);
    if (image.isNull())
        return;
    image.fill(Qt::transparent);
    const int rows = m_area.rows();
    const LinearScale up{m_area.viewport.bytes, static_cast<double>(rows)};
    std::vector<QRgb *> lines;
    for (int row = 0; row < rows; ++row)
        lines.push_back(reinterpret_cast<QRgb *>(image.scanLine(rows - 1 - row)));
    // A row shows the band that holds its lowest byte, as everywhere.
    const auto firstRow = [&](Bytes bytes) {
        return static_cast<std::size_t>(
            std::clamp(std::ceil(up.toPixel(static_cast<double>(bytes))), 0.0, double(rows)));
    };
    for (std::size_t column = 0; column < m_events.size(); ++column) {
        const Bands &bands = m_data.space->bandsAfter(m_events[column]);
        Bytes bottom = 0;
        for (const BandLook &look : bandLooks()) {
            const Bytes top = wrappingSum(bottom, bands.*look.bytes);
            for (std::size_t row = firstRow(bottom); row < firstRow(top); ++row)
                lines[row][column] = look.color;
            bottom = top;
        }
    }
    image.setDevicePixelRatio(m_area.style.pixelRatio);
    painter.drawImage(m_area.plot.topLeft(), image);
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
