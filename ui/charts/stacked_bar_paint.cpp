// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/stacked_bar_chart.h"
#include "ui/support/text.h"
#include "ui/support/theme.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace vramscope {

using namespace Qt::StringLiterals;

QString StackedBarChart::giga(Bytes bytes) const
{
    return toQString(
        formatGiga(bytes, unit(), static_cast<double>(bytes) < gigaBytes(unit()) ? 2 : 1));
}

QString StackedBarChart::totalText(const StackedBar &bar) const
{
    const QString level = (m_hidden & m_present).any()  ? u" shown"_s
                          : bar.parts[kOutsidePart] > 0 ? u" on device"_s
                                                        : QString();
    return giga(bar.total()) + level;
}

QString StackedBarChart::capacityText() const
{
    return u"capacity %1 %2"_s.arg(giga(m_shown.capacity.value_or(0)),
                                   QString::fromLatin1(gigaUnit(unit())));
}

double StackedBarChart::capacityTextWidth() const
{
    return m_shown.capacity ? QFontMetricsF(smallFont()).horizontalAdvance(capacityText()) + 8 : 0;
}

double StackedBarChart::totalLabelWidth() const
{
    const QFontMetricsF metrics(smallFont());
    double width = 0;
    for (const StackedBar &bar : m_shown.bars) {
        const bool outside = bar.parts[kOutsidePart] > 0;
        width = std::max(width, metrics.horizontalAdvance(totalText(bar)));
        if (outside)
            width =
                std::max(width, metrics.horizontalAdvance(giga(bar.allocated()) + u" allocated"_s));
    }
    return width;
}

double StackedBarChart::nameColumnWidth(double width) const
{
    if (m_shown.bars.size() < 2)
        return 6; // one bar needs no name
    const QFontMetricsF metrics(smallFont());
    double widest = 0;
    for (const StackedBar &bar : m_shown.bars)
        widest = std::max(widest, metrics.horizontalAdvance(bar.name));
    return std::min(widest + 14, width * 0.42);
}

double StackedBarChart::namesHeight(double slotWidth) const
{
    const QFontMetricsF metrics(smallFont());
    double height = metrics.height();
    for (const StackedBar &bar : m_shown.bars)
        height = std::max(height, metrics
                                      .boundingRect(QRectF(0, 0, slotWidth, 1000),
                                                    Qt::AlignHCenter | Qt::TextWordWrap, bar.name)
                                      .height());
    return std::ceil(height);
}

std::vector<PartEntry> StackedBarChart::legendItems(double width, double top) const
{
    std::vector<bool> isShown(kPartCount);
    for (std::size_t part = 0; part < kPartCount; ++part)
        isShown[part] = m_present.test(part);
    return partLegend(isShown, smallFont(), width, top);
}

double StackedBarChart::legendHeight(double width) const
{
    const std::vector<PartEntry> items = legendItems(width, 0);
    return items.empty() ? 0 : items.back().rect.bottom() + 6;
}

void StackedBarChart::paintGround(QPainter &painter, const Theme &theme) const
{
    painter.setPen(theme.line);
    const double step = interval();
    for (int tick = 0; tick * step <= m_bars.range; ++tick) {
        const double at = std::floor(m_bars.position(tick * step)) + 0.5;
        if (lying())
            painter.drawLine(QPointF(at, m_bars.plot.top()), QPointF(at, m_bars.plot.bottom()));
        else
            painter.drawLine(QPointF(m_bars.plot.left(), at), QPointF(m_bars.plot.right(), at));
    }
    const auto joins = [this](int bar) {
        return bar < m_bars.count && m_shown.bars[static_cast<std::size_t>(bar)].joins;
    };
    const bool grouped = std::ranges::any_of(m_shown.bars, &StackedBar::joins);
    for (int bar = 1; grouped && lying() && bar < m_bars.count; ++bar) {
        const double top = std::floor(m_bars.slot(bar).top()) + 0.5;
        if (!joins(bar)) // a group begins
            painter.drawLine(QPointF(0, top), QPointF(m_bars.plot.right(), top));
    }
    if (!m_selectedBar || *m_selectedBar >= m_bars.count)
        return;
    QColor tint = theme.accent;
    tint.setAlphaF(0.10F);
    int last = *m_selectedBar;
    while (joins(last + 1))
        ++last;
    const QRectF slot = m_bars.slot(*m_selectedBar).united(m_bars.slot(last));
    painter.fillRect(lying() ? slot.adjusted(-slot.left(), 1, 0, -1) : slot.adjusted(2, 0, -2, 0),
                     tint);
}

void StackedBarChart::paintEvent(QPaintEvent *)
{
    const Theme &theme = themeOf(this);
    QPainter painter(this);
    painter.setFont(smallFont());
    if (m_shown.bars.empty())
        return paintReason(painter, rect().adjusted(12, 12, -12, -12), m_shown.emptyText, theme);
    paintGround(painter, theme);
    paintAxis(painter, theme);
    paintBars(painter, theme);
    paintCapacity(painter, theme);
    paintNames(painter, theme);
    paintTotals(painter, theme);
    paintLegend(painter, theme);
    if (hasFocus()) {
        painter.setPen(theme.accent);
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
    }
}

void StackedBarChart::paintAxis(QPainter &painter, const Theme &theme) const
{
    painter.setPen(theme.dim);
    const double step = interval();
    const double perUnit = step / gigaBytes(unit());
    const double line = lineHeight();
    const QFontMetricsF metrics(smallFont());
    const int last = static_cast<int>(m_bars.range / step + 1e-9);
    for (int tick = 0; tick <= last; ++tick) {
        QString text = tickText(tick * perUnit, perUnit);
        const double at = m_bars.position(tick * step);
        if (!lying()) {
            painter.drawText(QRectF(0, at - line / 2, m_bars.plot.left() - 8, line),
                             Qt::AlignRight | Qt::AlignVCenter, text);
            continue;
        }
        double left = at - metrics.horizontalAdvance(text) / 2;
        if (tick == last)
            text += u" "_s + QString::fromLatin1(gigaUnit(unit()));
        left = std::min(left, width() - metrics.horizontalAdvance(text));
        painter.drawText(QPointF(std::max(left, 0.0), m_bars.plot.bottom() + 4 + metrics.ascent()),
                         text);
    }
}

void StackedBarChart::paintNames(QPainter &painter, const Theme &theme) const
{
    if (lying() && m_bars.count < 2)
        return;
    const QFontMetricsF metrics(smallFont());
    for (int bar = 0; bar < m_bars.count; ++bar) {
        const QString &name = m_shown.bars[static_cast<std::size_t>(bar)].name;
        const QRectF slot = m_bars.slot(bar);
        const bool stressed = m_shown.marked == bar || m_selectedBar == bar;
        painter.setPen(stressed || lying() ? theme.text : theme.dim);
        if (lying()) {
            const double width = slot.left() - 12;
            painter.drawText(QRectF(0, slot.top(), width, slot.height()),
                             Qt::AlignRight | Qt::AlignVCenter,
                             metrics.elidedText(name, Qt::ElideMiddle, width));
        } else {
            painter.drawText(QRectF(slot.left() + 3, m_bars.plot.bottom() + 6, slot.width() - 6,
                                    height() - m_bars.plot.bottom()),
                             Qt::AlignHCenter | Qt::AlignTop | Qt::TextWordWrap, name);
        }
    }
}

void StackedBarChart::paintTotals(QPainter &painter, const Theme &theme) const
{
    const double line = lineHeight();
    std::optional<double> capacity;
    if (m_shown.capacity)
        capacity = m_bars.position(static_cast<double>(*m_shown.capacity));
    for (int bar = 0; bar < m_bars.count; ++bar) {
        const StackedBar &each = m_shown.bars[static_cast<std::size_t>(bar)];
        if (lying() && each.total() == 0)
            continue;
        const double end = m_bars.position(static_cast<double>(each.total()));
        const QPointF middle = m_bars.slot(bar).center();
        if (!lying()) {
            const bool peak = m_shown.marked == bar;
            QFont font = smallFont();
            font.setBold(peak);
            painter.setFont(font);
            painter.setPen(peak ? theme.text : theme.dim);
            const double width = std::max(m_bars.pitch(), 90.0);
            const double left =
                std::clamp(middle.x() - width / 2, m_bars.plot.left() - 20, this->width() - width);
            const bool meets = left + width > m_bars.plot.right() - capacityTextWidth();
            const QRectF place(left, labelAbove(end, line, capacity, meets), width, line);
            drawOnPatch(painter, place, Qt::AlignCenter,
                        (peak ? u"peak %1"_s : u"%1"_s).arg(giga(each.allocated())), theme.card);
            continue;
        }
        if (end > m_bars.plot.right()) { // cut off
            painter.setPen(theme.text);
            const QString text = giga(each.total()) + u" ▸"_s;
            const double width = QFontMetricsF(smallFont()).horizontalAdvance(text);
            const double left =
                labelBeside(m_bars.plot.right() - width - 13, width, capacity, m_bars.plot.right());
            drawOnPatch(painter, QRectF(left, middle.y() - line / 2, width + 1, line),
                        Qt::AlignLeft | Qt::AlignVCenter, text, theme.card);
            continue;
        }
        const bool outside = each.parts[kOutsidePart] > 0 && (m_hidden & m_present).none() &&
                             m_bars.pitch() >= 2 * line;
        const double top = middle.y() - (outside ? line : line / 2);
        QFont font = smallFont();
        font.setBold(m_shown.marked == bar);
        painter.setFont(font);
        painter.setPen(theme.text);
        const QString total = totalText(each);
        const QString allocated = giga(each.allocated()) + u" allocated"_s;
        double width = QFontMetricsF(font).horizontalAdvance(total);
        if (outside)
            width = std::max(width, QFontMetricsF(font).horizontalAdvance(allocated));
        const double left = labelBeside(end, width, capacity, this->width());
        drawOnPatch(painter, QRectF(left, top, width + 1, line), Qt::AlignLeft | Qt::AlignVCenter,
                    total, theme.card);
        painter.setPen(theme.dim);
        if (outside)
            drawOnPatch(painter, QRectF(left, top + line, width + 1, line),
                        Qt::AlignLeft | Qt::AlignVCenter, allocated, theme.card);
    }
    painter.setFont(smallFont());
}

void StackedBarChart::paintBars(QPainter &painter, const Theme &theme) const
{
    painter.setClipRect(m_bars.plot.adjusted(-2, -2, 2, 2)); // bars that are cut off
    for (int bar = 0; bar < m_bars.count; ++bar) {
        double from = 0;
        const PartBytes &parts = m_shown.bars[static_cast<std::size_t>(bar)].parts;
        for (std::size_t part = 0; part < kPartCount; ++part) {
            const double to = from + static_cast<double>(parts[part]);
            const QRectF rect = m_bars.rect(bar, from, to);
            from = to;
            const double length = lying() ? rect.width() : rect.height();
            if (parts[part] <= 0 || length < 0.5)
                continue;
            fillPart(painter, {rect}, part, theme);
            painter.setPen(QPen(theme.card, 1));
            if (length > 2 && lying())
                painter.drawLine(rect.topRight(), rect.bottomRight());
            else if (length > 2)
                painter.drawLine(rect.topLeft(), rect.topRight());
            painter.setBrush(Qt::NoBrush);
            if (lying())
                paintLabel(painter, rect, part, parts[part]);
            if (m_selectedPart == part) {
                painter.setPen(QPen(theme.text, 2));
                painter.drawRect(rect.adjusted(0, -1, 0, 1));
            } else if (m_hover == Hit{bar, part}) {
                painter.setPen(QPen(theme.text, 1));
                painter.drawRect(rect);
            }
        }
    }
    painter.setClipping(false);
}

/// Name and size of a part inside it, or the size alone, as far as there is room.
void StackedBarChart::paintLabel(QPainter &painter, const QRectF &rect, std::size_t part,
                                 Bytes bytes) const
{
    constexpr double kRoom = 8; // at either side
    const QFontMetricsF metrics(smallFont());
    const auto fits = [&](const QString &text) {
        return metrics.horizontalAdvance(text) + 2 * kRoom <= rect.width();
    };
    QString text = giga(bytes);
    if (!fits(text) || rect.height() < lineHeight())
        return;
    if (m_shown.bars.size() == 1 && fits(partName(part)) && rect.height() >= 2 * lineHeight())
        text.prepend(partName(part) + u'\n');
    const double capacity =
        m_shown.capacity ? m_bars.position(static_cast<double>(*m_shown.capacity)) : -1;
    const double end = rect.left() + kRoom + metrics.horizontalAdvance(text);
    if (capacity > rect.left() + kRoom - 3 && capacity < end + 3)
        return; // the line would cross it
    const bool hatched = part == kOutsidePart || part == kUnknownPart;
    painter.setPen(hatched ? themeOf(this).text : textOn(partColor(part)));
    const QRectF place = rect.adjusted(kRoom, 0, -kRoom, 0);
    if (hatched) // readable over the hatch
        drawOnPatch(
            painter,
            QRectF(place.left(), rect.center().y() - lineHeight() / 2, place.width(), lineHeight()),
            Qt::AlignLeft | Qt::AlignVCenter, giga(bytes), themeOf(this).card);
    else
        painter.drawText(place, Qt::AlignLeft | Qt::AlignVCenter, text);
}

void StackedBarChart::paintCapacity(QPainter &painter, const Theme &theme) const
{
    if (!m_shown.capacity)
        return;
    const double line = lineHeight();
    const QRectF plot = m_bars.plot;
    const double at = m_bars.position(static_cast<double>(*m_shown.capacity));
    const QString text = capacityText();
    QPen pen(theme.text, 1.4, Qt::CustomDashLine);
    pen.setDashPattern({4, 3});
    painter.setPen(pen);
    if (lying()) {
        painter.drawLine(QPointF(at, line + 2), QPointF(at, plot.bottom()));
        const double width = QFontMetricsF(smallFont()).horizontalAdvance(text);
        const double left = std::clamp(at - width / 2, 0.0, this->width() - width);
        painter.setPen(theme.text);
        painter.drawText(QPointF(left, QFontMetricsF(smallFont()).ascent()), text);
        return;
    }
    painter.drawLine(QPointF(plot.left(), at), QPointF(plot.right(), at));
    painter.setPen(theme.text);
    const bool above = at - line - 2 > 0;
    drawOnPatch(painter,
                QRectF(plot.left(), above ? at - line - 2 : at + 2, plot.width() - 2, line),
                Qt::AlignRight | Qt::AlignVCenter, text, theme.card);
}

void StackedBarChart::paintLegend(QPainter &painter, const Theme &theme) const
{
    for (const PartEntry &item : m_legend) {
        const bool left = m_hidden.test(item.part); // out: an empty box and a line through the name
        painter.setPen(theme.dim);
        painter.setBrush(Qt::NoBrush);
        if (left)
            painter.drawRect(swatchIn(item.rect));
        else
            paintSwatch(painter, swatchIn(item.rect), item.part, theme);
        QFont font = smallFont();
        font.setStrikeOut(left);
        painter.setFont(font);
        painter.setPen(m_selectedPart == item.part || m_hover.part == item.part ? theme.text
                                                                                : theme.dim);
        painter.drawText(item.rect.adjusted(kSwatch + 6, 0, 20, 0),
                         Qt::AlignLeft | Qt::AlignVCenter, partName(item.part));
    }
}

} // namespace vramscope
