// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/pixel_lines.h"

#include <QPaintEngine>
#include <QRegion>
#include <QTransform>

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

} // namespace vramscope
