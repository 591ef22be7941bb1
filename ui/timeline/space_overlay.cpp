// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/support/pixel_ratio.h"
#include "ui/support/text.h"
#include "ui/timeline/pixel_lines.h"
#include "ui/timeline/space_view.h"
#include "ui/timeline/stacked_body.h"
#include "ui/timeline/tip.h"

#include <QPaintEvent>
#include <QPainter>

#include <cmath>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr double kSwatch = 12;
constexpr double kSpace = 6;
constexpr double kItemSpace = 16;

QString scaleName()
{
    return u"A row is"_s;
}

} // namespace

SpaceLook SpaceView::look() const
{
    return {chartTheme(this), m_data.colors, hairline()};
}

QString SpaceView::emptyText() const
{
    if (!valid())
        return u"The address space is not known yet."_s;
    if (!m_moment || !m_moment->state.segments.empty())
        return {};
    return shownEvent() < 0
               ? u"No segment was held before the first event: move the cursor to where memory "
                 "is reserved."_s
               : u"No segment was held after event %1: move the cursor to where memory is "
                 "reserved."_s.arg(countText(shownEvent()));
}

void SpaceView::paintEvent(QPaintEvent *event)
{
    const Theme &theme = chartTheme(this);
    QPainter painter(this);
    if (valid()) {
        refresh();
        if (!m_overlay || event->region() == QRegion(rect()))
            m_overlay = overlayRegion();
        (void)m_picture.chart(*this, [this] { return Picture{this}; });
        m_picture.paint(painter, *this);
    } else {
        painter.fillRect(rect(), theme.window);
    }
    const QRect place = map();
    if (const QString empty = emptyText(); !empty.isEmpty()) {
        painter.setPen(theme.dim);
        painter.drawText(place.adjusted(24, 0, -24, 0), Qt::AlignCenter | Qt::TextWordWrap, empty);
    }
    if (!valid())
        return;
    painter.save();
    painter.setClipRect(place);
    painter.setRenderHint(QPainter::Antialiasing);
    if (m_state->hovered() != m_state->selected())
        paintAllocation(painter, m_state->hovered(), false);
    paintAllocation(painter, m_state->selected(), true);
    painter.restore();
    if (hasFocus()) {
        painter.setPen(theme.accent);
        painter.drawLine(QPointF(place.left(), place.bottom() + 1.5),
                         QPointF(place.right(), place.bottom() + 1.5));
    }
    painter.setRenderHint(QPainter::Antialiasing);
    if (m_mouse) {
        if (const QStringList lines = textAt(*m_mouse); !lines.isEmpty())
            paintTip(painter, lines, *m_mouse, tipBounds(), theme);
    }
}

// At most once a pixel if the map shares the paint device's pixels.
void SpaceView::paintPicture(QPainter &painter) const
{
    const QSize pixels = mapPixels();
    const QRectF place(map().topLeft(), QSizeF(pixels) / pixelRatio(*this));
    QRegion ground(rect());
    if (PixelLines::areOf(painter, place, pixels))
        ground -= map();
    for (const QRect &part : ground)
        painter.fillRect(part, chartTheme(this).window);
    painter.setClipRect(map());
    {
        const PixelLines lines(painter, place, pixels);
        if (!lines.fromBelow().empty())
            paintSpace(*m_geometry, m_moment->state, look(), top(), lines.fromBelow(),
                       pixels.width());
    }
    paintCaptions(painter);
    painter.setClipping(false);
    paintLegend(painter);
}

void SpaceView::paintCaptions(QPainter &painter) const
{
    const Theme &theme = chartTheme(this);
    const double ratio = pixelRatio(*this);
    const QRect place = map();
    const std::vector<SpaceGroup> &groups = m_moment->groups.groups;
    const bool several = std::ranges::any_of(
        groups, [&](const SpaceGroup &group) { return group.stream != groups.front().stream; });
    for (std::size_t at = 0; at < groups.size(); ++at) {
        const std::int64_t y = m_geometry->captions()[at] - top();
        if (y < -m_geometry->metrics().caption || y > mapPixels().height())
            continue;
        const QRectF line(place.left(), place.top() + static_cast<double>(y) / ratio, place.width(),
                          (m_geometry->metrics().caption - 2 * hairline()) / ratio);
        const QString name = groupName(groups[at], m_data, several);
        painter.setPen(theme.text);
        QRectF used;
        painter.drawText(line, Qt::AlignLeft | Qt::AlignBottom, name, &used);
        painter.setPen(theme.dim);
        painter.drawText(line.adjusted(used.width(), 0, 0, 0), Qt::AlignLeft | Qt::AlignBottom,
                         u" · "_s + groupFigures(groups[at], m_unit));
    }
}

std::vector<QRectF> SpaceView::rowsOf(AllocationIndex allocation) const
{
    std::vector<QRectF> rows;
    const std::vector<Region> &regions = m_moment->state.regions;
    const auto found = allocation == kNoAllocation
                           ? regions.end()
                           : std::ranges::find(regions, allocation, &Region::allocation);
    if (found == regions.end())
        return rows;
    const auto region = static_cast<std::uint32_t>(found - regions.begin());
    const std::size_t place = m_geometry->placeOf(region);
    SpaceGeometry::Pixels pixels = m_geometry->pixelsOf(place, region);
    pixels.from = std::min(pixels.from, m_geometry->places()[place].pixels - 1);
    pixels.to = std::max(pixels.to, pixels.from + 1); // hidden by others in its pixel: shown there
    const double ratio = pixelRatio(*this);
    const QPointF corner = map().topLeft();
    const std::int64_t bottom = top() + mapPixels().height();
    m_geometry->forEachRow(place, pixels, top(), bottom, [&](std::int64_t y, int x, int width) {
        rows.emplace_back(corner.x() + (x + hairline()) / ratio,
                          corner.y() + static_cast<double>(y - top()) / ratio, width / ratio,
                          m_geometry->metrics().rowHeight / ratio);
    });
    return rows;
}

void SpaceView::paintAllocation(QPainter &painter, AllocationIndex allocation, bool selected) const
{
    const Theme &theme = chartTheme(this);
    for (const QRectF &row : rowsOf(allocation)) {
        QColor light(Qt::white);
        light.setAlpha(selected ? 70 : 45);
        painter.fillRect(row, light);
        painter.setBrush(Qt::NoBrush);
        if (selected) {
            painter.setPen(QPen(theme.window, 3.5));
            painter.drawRect(row);
        }
        painter.setPen(QPen(theme.text, selected ? 1.5 : 1));
        painter.drawRect(row);
    }
}

QRectF SpaceView::tipBounds() const
{
    return QRectF(rect()).adjusted(0, map().top(), 0, 0);
}

void SpaceView::updateOverlay()
{
    if (!m_overlay)
        return update();
    update(*m_overlay);
    m_overlay = overlayRegion();
    update(*m_overlay);
}

QRegion SpaceView::overlayRegion() const
{
    if (!m_geometry)
        return {};
    constexpr int kPen = 3; // half of the widest, with its smooth edge
    QRegion region;
    for (const AllocationIndex allocation : {m_state->hovered(), m_state->selected()}) {
        for (const QRectF &row : rowsOf(allocation))
            region += row.toAlignedRect().adjusted(-kPen, -kPen, kPen, kPen);
    }
    region &= map();
    if (const QStringList lines = m_mouse ? textAt(*m_mouse) : QStringList(); !lines.isEmpty())
        region +=
            tipBox(font(), lines, *m_mouse, tipBounds()).toAlignedRect().adjusted(-1, -1, 1, 1);
    return region;
}

// Places that do not depend on the figures, on as many lines as they need.
void SpaceView::layOutLegend()
{
    m_legend.clear();
    const double figure = fontMetrics().horizontalAdvance(u"1,023 MiB"_s);
    const double lineHeight = fontMetrics().height() + 4;
    double x = 0;
    double y = 0;
    const auto add = [&](const QString &name, double swatch) {
        const double length = swatch + fontMetrics().horizontalAdvance(name) + kSpace + figure;
        if (x > 0 && x + length > width()) {
            x = 0;
            y += lineHeight;
        }
        m_legend.emplace_back(x, y, length, lineHeight);
        x += length + kItemSpace;
    };
    for (const BandLook &look : bandLooks())
        add(look.name, kSwatch + kSpace);
    add(scaleName(), 0);
    for (QRectF &place : m_legend)
        place.translate(0, height() - y - lineHeight - 2);
}

QStringList SpaceView::legendTextAt(QPointF position) const
{
    const std::array<QString, kBandCount> texts = {
        u"asked for and in use, in the colour of its allocation"_s,
        u"what blocks have beyond what was asked for"_s,
        u"freed, but another stream may still use it"_s,
        u"free, but other blocks of the same segment or page are in use"_s,
        u"free segments and pages, which the allocator could give back"_s,
    };
    for (std::size_t item = 0; item < texts.size(); ++item) {
        if (!m_legend[item].contains(position))
            continue;
        const BandLook &look = bandLooks()[item];
        const Bands &bands = m_data.space->bandsAfter(shownEvent());
        return {u"%1 %2"_s.arg(look.name, exactBytesText(bands.*look.bytes, m_unit)), texts[item]};
    }
    return {};
}

void SpaceView::paintLegend(QPainter &painter) const
{
    const Theme &theme = chartTheme(this);
    const Bands &bands = m_data.space->bandsAfter(shownEvent());
    const double ratio = pixelRatio(*this);
    const auto text = [&](const QRectF &place, const QString &name, const QString &value) {
        painter.setPen(theme.dim);
        QRectF used;
        painter.drawText(place, Qt::AlignLeft | Qt::AlignVCenter, name, &used);
        painter.setPen(theme.text);
        painter.drawText(place.adjusted(used.width() + kSpace, 0, kItemSpace, 0),
                         Qt::AlignLeft | Qt::AlignVCenter, value);
    };
    for (std::size_t item = 0; item < kBandCount; ++item) {
        const BandLook &band = bandLooks()[item];
        const QRectF &place = m_legend[item];
        const int side = static_cast<int>(kSwatch * ratio);
        QImage swatch =
            spaceSwatch(static_cast<SpaceFill>(item), seriesColors()[0], look(), {side, side});
        swatch.setDevicePixelRatio(ratio);
        painter.drawImage(QPointF(place.left(), std::floor(place.center().y() - kSwatch / 2)),
                          swatch);
        text(place.adjusted(kSwatch + kSpace, 0, 0, 0), band.name,
             bytesText(bands.*band.bytes, m_unit));
    }
    const SpaceMetrics &metrics = m_geometry->metrics();
    text(m_legend.back(), scaleName(), bytesText(metrics.perPixel * metrics.columns, m_unit));
}

} // namespace vramscope
