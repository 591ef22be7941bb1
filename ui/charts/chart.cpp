// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/chart.h"

#include "ui/support/hatch.h"
#include "ui/support/parts.h"
#include "ui/support/theme.h"

#include <QEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace vramscope {

Chart::Chart(QWidget *parent)
    : QWidget(parent)
{
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

void Chart::setUnit(ByteUnit unit)
{
    if (unit == m_unit)
        return;
    m_unit = unit;
    relayout();
}

QFont Chart::smallFont() const
{
    return typeFont(this, Type::Small);
}

/// Forgets what was measured in another font.
void Chart::measure() const
{
    constexpr qsizetype kMost = 1000;
    const QFont small = smallFont();
    if (m_lineHeight > 0 && small == m_measured && m_widths.size() < kMost)
        return;
    m_measured = small;
    m_lineHeight = std::ceil(QFontMetricsF(small).height());
    m_widths.clear();
}

double Chart::lineHeight() const
{
    measure();
    return m_lineHeight;
}

double Chart::textWidth(const QString &text) const
{
    measure();
    const auto known = m_widths.constFind(text);
    if (known != m_widths.constEnd())
        return *known;
    return *m_widths.insert(text, QFontMetricsF(m_measured).horizontalAdvance(text));
}

void Chart::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    relayout();
}

void Chart::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        relayout();
}

void Chart::mouseMoveEvent(QMouseEvent *event)
{
    showHover(*this, *event, hoverText(event->position()));
}

void showHover(QWidget &chart, const QMouseEvent &event, const QString &text)
{
    if (text.isEmpty())
        QToolTip::hideText();
    else
        QToolTip::showText(event.globalPosition().toPoint(), text, &chart);
}

std::optional<int> steppedTo(int key, int from, int count)
{
    switch (key) {
    case Qt::Key_Left:
        return std::clamp(from - 1, 0, count - 1);
    case Qt::Key_Right:
        return std::clamp(from + 1, 0, count - 1);
    case Qt::Key_Home:
        return 0;
    case Qt::Key_End:
        return count - 1;
    default:
        return std::nullopt;
    }
}

bool isEnter(int key)
{
    return key == Qt::Key_Return || key == Qt::Key_Enter;
}

void paintReason(QPainter &painter, const QRectF &place, const QString &text, const Theme &theme)
{
    painter.setPen(theme.dim);
    painter.drawText(place, Qt::AlignCenter | Qt::TextWordWrap, text);
}

void paintLevel(QPainter &painter, const QRectF &plot, double y, const QString &text,
                const Theme &theme)
{
    painter.setPen(theme.line);
    painter.drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y));
    painter.setPen(theme.dim);
    painter.drawText(QRectF(0, y - 10, plot.left() - 6, 20), Qt::AlignRight | Qt::AlignVCenter,
                     text);
}

void paintLimit(QPainter &painter, const QRectF &plot, double y, const Theme &theme)
{
    painter.setPen(QPen(theme.text, 1.5, Qt::DashLine));
    painter.drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y));
}

void drawOnPatch(QPainter &painter, const QRectF &rect, Qt::Alignment alignment,
                 const QString &text, const QColor &patch)
{
    const QRectF bounds = painter.boundingRect(rect, static_cast<int>(alignment), text);
    painter.fillRect(bounds.adjusted(-3, 0, 3, 0), patch);
    painter.drawText(rect, static_cast<int>(alignment), text);
}

std::vector<QRectF> legendPlaces(std::span<const double> widths, double width, double lineHeight,
                                 double left, double gap)
{
    std::vector<QRectF> places;
    QPointF at(left, 0);
    for (const double each : widths) {
        if (at.x() > left && at.x() + each > width)
            at = {left, at.y() + lineHeight};
        places.emplace_back(at, QSizeF(each, lineHeight));
        at.rx() += each + gap;
    }
    return places;
}

QRectF swatchIn(const QRectF &place)
{
    return {place.left(), place.center().y() - kSwatch / 2, kSwatch, kSwatch};
}

std::vector<PartEntry> partLegend(const std::vector<bool> &isShown, const QFont &font, double width,
                                  double top, double padding)
{
    const QFontMetricsF metrics(font);
    std::vector<PartEntry> entries;
    std::vector<double> widths;
    for (std::size_t part = 0; part < isShown.size(); ++part) {
        if (!isShown[part])
            continue;
        entries.push_back({part, {}});
        widths.push_back(kSwatch + padding + metrics.horizontalAdvance(partName(part)));
    }
    const std::vector<QRectF> places = legendPlaces(widths, width, std::ceil(metrics.height()) + 4);
    for (std::size_t at = 0; at < entries.size(); ++at)
        entries[at].rect = places[at].translated(0, top);
    return entries;
}

void fillPart(QPainter &painter, const QList<QRectF> &places, std::size_t part, const Theme &theme)
{
    constexpr double kApart = 8; // fainter than elsewhere, since the places are large
    if (part == kOutsidePart)
        return fillHatched(painter, places, QPen(theme.faint(), 1), kApart);
    const QBrush brush =
        part == kUnknownPart ? QBrush(theme.faint(), Qt::Dense4Pattern) : QBrush(partColor(part));
    for (const QRectF &place : places)
        painter.fillRect(place, brush);
}

void paintLegend(QPainter &painter, const std::vector<PartEntry> &legend, const Theme &theme,
                 std::optional<std::size_t> selected)
{
    for (const PartEntry &entry : legend) {
        const bool isSelected = entry.part == selected;
        paintSwatch(painter, swatchIn(entry.rect), entry.part, theme);
        painter.setPen(isSelected ? QPen(theme.text, 1.4) : QPen(Qt::NoPen));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(swatchIn(entry.rect));
        painter.setPen(isSelected ? theme.text : theme.dim);
        painter.drawText(entry.rect.adjusted(kSwatch + 6, 0, 20, 0),
                         Qt::AlignLeft | Qt::AlignVCenter, partName(entry.part));
    }
}

void paintSwatch(QPainter &painter, const QRectF &square, std::size_t part, const Theme &theme)
{
    fillPart(painter, {square}, part, theme);
    if (part != kOutsidePart)
        return;
    painter.setPen(theme.control);
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(square.adjusted(0.5, 0.5, -0.5, -0.5));
}

} // namespace vramscope
