// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/drawing.h"

#include <QGuiApplication>
#include <QPaintDevice>
#include <QPaintEngine>
#include <QPainter>
#include <QScreen>

#include <cmath>
#include <limits>

namespace vramscope {

namespace {

/// A path as a rectangle, if it is one.
std::optional<QRectF> asRect(const QPainterPath &path)
{
    if (path.elementCount() != 5)
        return std::nullopt;
    for (int at = 1; at < 5; ++at) {
        const auto before = path.elementAt(at - 1);
        const auto here = path.elementAt(at);
        // Vertical and horizontal sides, alternating.
        if (!here.isLineTo() || (before.x != here.x && before.y != here.y))
            return std::nullopt;
    }
    return path.controlPointRect();
}

QPainterPath intersection(const QPainterPath &one, const QPainterPath &other)
{
    const auto a = asRect(one);
    const auto b = asRect(other);
    if (!a || !b)
        return one.intersected(other);
    QPainterPath path;
    path.addRect(*a & *b);
    return path;
}

bool isOnlyMoved(const QTransform &transform)
{
    return transform.type() <= QTransform::TxTranslate;
}

/// Records what is painted. Everything but rotated texts and images is converted to the coordinates
/// of the whole immediately, so that all widgets record alike. A fill that is not solid becomes an
/// image: viewers differ in drawing hatches and gradients.
class Recorder : public QPaintEngine
{
public:
    explicit Recorder(Drawing &drawing)
        : QPaintEngine(AllFeatures)
        , m_drawing(drawing)
    {
    }

    bool begin(QPaintDevice *) override { return true; }
    bool end() override { return true; }
    Type type() const override { return User; }
    void updateState(const QPaintEngineState &state) override;
    void drawPath(const QPainterPath &path) override { add(path, m_brush); }
    void drawPolygon(const QPointF *points, int count, PolygonDrawMode mode) override;
    void drawPixmap(const QRectF &place, const QPixmap &pixmap, const QRectF &part) override
    {
        drawImage(place, pixmap.toImage(), part, Qt::AutoColor);
    }
    void drawImage(const QRectF &place, const QImage &image, const QRectF &part,
                   Qt::ImageConversionFlags flags) override;
    void drawTextItem(const QPointF &at, const QTextItem &item) override;
    using QPaintEngine::drawPolygon;

private:
    void setClip(Qt::ClipOperation operation, const QPainterPath &path);
    void add(const QPainterPath &path, const QBrush &brush);
    void addTexture(const QPainterPath &mapped, const QBrush &brush);
    /// Adds the item if any of it is inside the clip; `bounds` in coordinates of the whole.
    void add(Drawing::Item item, const QRectF &bounds);

    Drawing &m_drawing;
    QTransform m_transform;
    QPen m_pen;
    QBrush m_brush;
    QPointF m_brushOrigin;
    double m_opacity = 1;
    bool m_smooth = false;
    bool m_clipped = false;
    std::optional<QPainterPath> m_clip;
};

void Recorder::setClip(Qt::ClipOperation operation, const QPainterPath &path)
{
    if (operation == Qt::NoClip)
        m_clip.reset();
    else if (operation == Qt::IntersectClip && m_clip)
        m_clip = intersection(*m_clip, path);
    else
        m_clip = path;
    m_clipped = m_clip.has_value();
}

void Recorder::updateState(const QPaintEngineState &now)
{
    const DirtyFlags flags = now.state();
    m_transform = now.transform();
    if (flags & DirtyPen)
        m_pen = now.pen();
    if (flags & DirtyBrush)
        m_brush = now.brush();
    if (flags & DirtyBrushOrigin)
        m_brushOrigin = now.brushOrigin();
    if (flags & DirtyOpacity)
        m_opacity = now.opacity();
    if (flags & DirtyHints)
        m_smooth = now.renderHints().testFlag(QPainter::Antialiasing);
    if (flags & DirtyClipPath)
        setClip(now.clipOperation(), m_transform.map(now.clipPath()));
    if (flags & DirtyClipRegion) {
        QPainterPath path;
        path.addRegion(now.clipRegion());
        setClip(now.clipOperation(), m_transform.map(path));
    }
    if (flags & DirtyClipEnabled)
        m_clipped = now.isClipEnabled();
}

void Recorder::drawPolygon(const QPointF *points, int count, PolygonDrawMode mode)
{
    QPainterPath path;
    path.moveTo(points[0]);
    for (int at = 1; at < count; ++at)
        path.lineTo(points[at]);
    if (mode != PolylineMode)
        path.closeSubpath();
    path.setFillRule(mode == WindingMode ? Qt::WindingFill : Qt::OddEvenFill);
    add(path, mode == PolylineMode ? QBrush() : m_brush);
}

void Recorder::add(const QPainterPath &path, const QBrush &brush)
{
    QPainterPath mapped = m_transform.map(path);
    QPen pen = m_pen;
    if (pen.style() != Qt::NoPen && pen.brush().style() != Qt::SolidPattern)
        pen.setBrush(pen.color());
    if (pen.isCosmetic() || pen.widthF() == 0)
        pen.setWidthF(std::max(pen.widthF(), 1.0));
    else
        pen.setWidthF(pen.widthF() * std::sqrt(std::abs(m_transform.determinant())));
    pen.setCosmetic(false);
    const QRectF bounds = mapped.controlPointRect();
    if (brush.style() != Qt::NoBrush && brush.style() != Qt::SolidPattern)
        addTexture(mapped, brush);
    const bool solid = brush.style() == Qt::SolidPattern && brush.color().alpha() > 0;
    const bool lined = pen.style() != Qt::NoPen && pen.color().alpha() > 0;
    // Lines without antialiasing lie on pixels, not between them.
    const double shift = m_smooth ? 0 : 0.5;
    if (solid && (!lined || shift == 0)) {
        const QPen line = lined ? pen : QPen(Qt::NoPen);
        const double reach = lined ? pen.widthF() : 0;
        return add({Drawing::Shape{mapped, line, brush}, {}, {}, m_opacity},
                   bounds.adjusted(-reach, -reach, reach, reach));
    }
    if (solid)
        add({Drawing::Shape{mapped, QPen(Qt::NoPen), brush}, {}, {}, m_opacity}, bounds);
    const double reach = pen.widthF() + shift;
    if (lined)
        add({Drawing::Shape{mapped.translated(shift, shift), pen, {}}, {}, {}, m_opacity},
            bounds.adjusted(-reach, -reach, reach, reach));
}

void Recorder::addTexture(const QPainterPath &mapped, const QBrush &brush)
{
    const QRect whole(QPoint(), m_drawing.size);
    const QRect place = mapped.controlPointRect().toAlignedRect() & whole;
    if (place.isEmpty())
        return;
    QImage image(place.size(), QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::transparent);
    QPainter painter(&image);
    painter.setRenderHint(QPainter::Antialiasing, m_smooth);
    painter.translate(-place.topLeft());
    QBrush turned = brush;
    turned.setTransform(brush.transform() * m_transform);
    painter.setBrushOrigin(m_brushOrigin);
    painter.fillPath(mapped, isOnlyMoved(m_transform) && !brush.gradient() ? brush : turned);
    painter.end();
    add({Drawing::Image{place, image}, {}, {}, m_opacity}, place);
}

void Recorder::drawImage(const QRectF &place, const QImage &image, const QRectF &part,
                         Qt::ImageConversionFlags)
{
    const bool whole = part == QRectF(QPointF(), image.size());
    QImage shown = whole ? image : image.copy(part.toAlignedRect());
    shown.setDevicePixelRatio(1);
    const bool upright = m_transform.type() <= QTransform::TxScale;
    const QRectF bounds = m_transform.mapRect(place);
    add({Drawing::Image{upright ? bounds : place, shown},
         upright ? QTransform() : m_transform,
         {},
         m_opacity},
        bounds);
}

void Recorder::drawTextItem(const QPointF &at, const QTextItem &item)
{
    const QFont font = item.font();
    const double pixels = font.pixelSize() > 0
                              ? font.pixelSize()
                              : font.pointSizeF() * paintDevice()->logicalDpiY() / 72;
    const bool moved = isOnlyMoved(m_transform);
    const QRectF bounds(at.x(), at.y() - item.ascent(), item.width(),
                        item.ascent() + item.descent());
    add({Drawing::Text{moved ? m_transform.map(at) : at, item.text(), font, pixels, item.width(),
                       m_pen.color()},
         moved ? QTransform() : m_transform,
         {},
         m_opacity},
        m_transform.mapRect(bounds));
}

void Recorder::add(Drawing::Item item, const QRectF &bounds)
{
    QPainterPath clip;
    clip.addRect(QRectF(QPointF(), m_drawing.size));
    if (m_clipped && m_clip)
        clip = intersection(clip, *m_clip);
    if (const QRegion visible = systemClip(); !visible.isEmpty()) {
        QPainterPath path;
        path.addRegion(visible);
        clip = intersection(clip, path);
    }
    const QRectF reach = clip.controlPointRect();
    // Lines have zero width, which no rectangle intersects.
    if (bounds.left() > reach.right() || bounds.right() < reach.left() ||
        bounds.top() > reach.bottom() || bounds.bottom() < reach.top() || reach.isEmpty())
        return;
    if (!reach.contains(bounds) || !asRect(clip))
        item.clip = std::move(clip);
    m_drawing.items.push_back(std::move(item));
}

/// Behaves like the screen for those who paint on it.
class RecordingDevice : public QPaintDevice
{
public:
    explicit RecordingDevice(Drawing &drawing)
        : m_size(drawing.size)
        , m_recorder(drawing)
    {
    }
    QPaintEngine *paintEngine() const override { return &m_recorder; }

protected:
    int metric(PaintDeviceMetric metric) const override
    {
        const QScreen *screen = QGuiApplication::primaryScreen();
        const double dpi = screen ? screen->logicalDotsPerInchY() : 96;
        switch (metric) {
        case PdmWidth:
            return m_size.width();
        case PdmHeight:
            return m_size.height();
        case PdmWidthMM:
            return qRound(m_size.width() / dpi * 25.4);
        case PdmHeightMM:
            return qRound(m_size.height() / dpi * 25.4);
        case PdmNumColors:
            return std::numeric_limits<int>::max();
        case PdmDepth:
            return 32;
        case PdmDpiX:
        case PdmDpiY:
        case PdmPhysicalDpiX:
        case PdmPhysicalDpiY:
            return qRound(dpi);
        case PdmDevicePixelRatio:
            return 1;
        case PdmDevicePixelRatioScaled:
            return static_cast<int>(devicePixelRatioFScale());
        }
        return 0;
    }

private:
    QSize m_size;
    mutable Recorder m_recorder;
};

} // namespace

Drawing recorded(QSize size, const std::function<void(QPainter &)> &paint)
{
    Drawing drawing{size, {}};
    RecordingDevice device(drawing);
    QPainter painter(&device);
    paint(painter);
    painter.end();
    return drawing;
}

} // namespace vramscope
