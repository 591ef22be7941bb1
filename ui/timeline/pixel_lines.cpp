// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/pixel_lines.h"

#include <QPaintEngine>
#include <QRegion>
#include <QTransform>

#include <algorithm>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace vramscope {

namespace {

/// The pixels of an image device that a place covers one to one; empty where it does not.
QRect coveredPixels(const QPainter &painter, const QRectF &place, QSize size)
{
    const auto *device = dynamic_cast<const QImage *>(painter.paintEngine()->paintDevice());
    if (!device || size.isEmpty())
        return {};
    const QImage &image = *device;
    const bool writable = image.format() == QImage::Format_RGB32 ||
                          image.format() == QImage::Format_ARGB32_Premultiplied;
    const bool clipped = painter.hasClipping() && !painter.clipBoundingRect().contains(place);
    const QTransform toDevice = painter.deviceTransform();
    if (!writable || !image.isDetached() || clipped || toDevice.type() > QTransform::TxScale)
        return {};
    const QRectF covered = toDevice.mapRect(place);
    const QRect pixels(covered.topLeft().toPoint(), size);
    const QRegion updated = painter.paintEngine()->systemClip(); // empty: all of it
    const bool whole = updated.isEmpty() || QRegion(pixels).subtracted(updated).isEmpty();
    return covered == QRectF(pixels) && image.rect().contains(pixels) && whole ? pixels : QRect();
}

} // namespace

// Past the cache: memory that a plain store is to change is read first, which takes as long again.
void writePixels(std::span<const QRgb> from, QRgb *to)
{
    std::size_t at = 0;
#ifdef __SSE2__
    constexpr std::size_t kVector = sizeof(__m128i) / sizeof(QRgb);
    constexpr std::size_t kLine = 64 / sizeof(QRgb);
    while (at < from.size() && reinterpret_cast<std::uintptr_t>(to + at) % 64 != 0) {
        to[at] = from[at];
        ++at;
    }
    for (; at + kLine <= from.size(); at += kLine) {
        for (std::size_t block = 0; block < kLine; block += kVector)
            _mm_stream_si128(
                reinterpret_cast<__m128i *>(to + at + block),
                _mm_loadu_si128(reinterpret_cast<const __m128i *>(from.data() + at + block)));
    }
#endif
    std::copy(from.begin() + static_cast<std::ptrdiff_t>(at), from.end(), to + at);
}

std::vector<QRgb *> linesFromBelow(QImage &image, const QRect &part)
{
    std::vector<QRgb *> lines;
    lines.reserve(static_cast<std::size_t>(part.height()));
    for (int line = part.bottom(); line >= part.top(); --line)
        lines.push_back(reinterpret_cast<QRgb *>(image.scanLine(line)) + part.left());
    return lines;
}

bool PixelLines::areOf(const QPainter &painter, const QRectF &place, QSize size)
{
    return !coveredPixels(painter, place, size).isEmpty();
}

PixelLines::PixelLines(QPainter &painter, const QRectF &place, QSize size)
    : m_painter(painter)
    , m_place(place)
{
    if (size.isEmpty())
        return;
    if (const QRect pixels = coveredPixels(painter, place, size); !pixels.isEmpty()) {
        m_lines =
            linesFromBelow(*static_cast<QImage *>(painter.paintEngine()->paintDevice()), pixels);
        return;
    }
    m_own = QImage(size, QImage::Format_ARGB32_Premultiplied);
    if (m_own.isNull())
        return;
    m_own.fill(Qt::transparent);
    m_lines = linesFromBelow(m_own, m_own.rect());
}

PixelLines::~PixelLines()
{
    if (m_own.isNull())
        return;
    m_own.setDevicePixelRatio(m_own.width() / m_place.width());
    m_painter.drawImage(m_place.topLeft(), m_own);
}

void fillNarrow(QPainter &painter, const QRectF &place, const QColor &color)
{
    const QSize size = painter.deviceTransform().mapRect(place).size().toSize();
    if (!PixelLines::areOf(painter, place, size))
        return painter.fillRect(place, color);
    const PixelLines pixels(painter, place, size);
    const QRgb over = qPremultiply(color.rgba());
    for (QRgb *line : pixels.fromBelow())
        std::for_each_n(line, size.width(), [over](QRgb &under) { under = blended(over, under); });
}

} // namespace vramscope
