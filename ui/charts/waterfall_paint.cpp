// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/waterfall.h"
#include "ui/support/theme.h"

#include <QPainter>

#include <algorithm>

namespace vramscope {

namespace {

using Kind = WaterfallBar::Kind;

/// Parts have their colours; the remainder without a reason is hatched.
QBrush brushOf(const WaterfallBar &bar, const Theme &theme)
{
    if (bar.kind == Kind::Total)
        return theme.track();
    if (bar.kind == Kind::Rest)
        return {theme.dim, Qt::BDiagPattern};
    return bar.part ? partColor(*bar.part) : theme.accent;
}

/// A text in one line, or broken into two, the second elided.
QString inTwoLines(const QString &text, const QFontMetricsF &metrics, double width)
{
    if (metrics.horizontalAdvance(text) <= width)
        return text;
    qsizetype end = -1;
    for (qsizetype at = text.indexOf(u' '); at >= 0; at = text.indexOf(u' ', at + 1)) {
        if (metrics.horizontalAdvance(text.left(at)) > width)
            break;
        end = at;
    }
    if (end < 0)
        return metrics.elidedText(text, Qt::ElideMiddle, width);
    return text.left(end) + u'\n' + metrics.elidedText(text.mid(end + 1), Qt::ElideRight, width);
}

} // namespace

void WaterfallChart::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    const Theme &theme = themeOf(this);
    painter.setFont(smallFont());
    if (m_bars.empty()) {
        painter.setPen(theme.dim);
        painter.drawText(rect().adjusted(12, 12, -12, -12), Qt::AlignCenter | Qt::TextWordWrap,
                         m_emptyText);
        return;
    }
    for (int bar = 0; bar < static_cast<int>(m_bars.size()); ++bar)
        paintBar(painter, bar, theme);
    if (hasFocus()) {
        painter.setPen(theme.accent);
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(m_cursor ? row(*m_cursor).adjusted(0.5, 0.5, -0.5, -0.5)
                                         : QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5),
                                4, 4);
    }
}

void WaterfallChart::paintBar(QPainter &painter, int bar, const Theme &theme) const
{
    const WaterfallBar &shown = m_bars[static_cast<std::size_t>(bar)];
    const QRectF line = row(bar);
    const QRectF place = box(bar);
    const bool selected = shown.part && shown.part == m_part;
    if (selected)
        painter.fillRect(line, theme.selection());
    painter.fillRect(place, brushOf(shown, theme));
    if (shown.kind == Kind::Rest) {
        painter.setPen(theme.dim);
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(place);
    }
    if (shown.kind == Kind::Total && beginning() > 0)
        paintBreak(painter, place, theme);
    if (selected) {
        painter.setPen(QPen(theme.text, 1.4));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(place);
    }
    if (bar + 1 < static_cast<int>(m_bars.size())) { // where the next one begins
        const QRectF area = plot();
        const bool grows = shown.to >= shown.from;
        const double x =
            std::clamp(grows ? place.right() : place.left(), area.left(), area.right());
        painter.setPen(QPen(theme.dim, 1, Qt::DotLine));
        painter.drawLine(QPointF(x, place.bottom()), QPointF(x, box(bar + 1).top()));
    }
    painter.setPen(theme.text);
    paintName(painter, bar);
    painter.drawText(QRectF(place.right() + 6, line.top(), width() - place.right(), line.height()),
                     Qt::AlignLeft | Qt::AlignVCenter, label(bar));
}

// Two slanted strokes across a bar that does not begin at 0.
void WaterfallChart::paintBreak(QPainter &painter, const QRectF &place, const Theme &theme) const
{
    painter.setPen(QPen(theme.card, 2.5));
    const double x = place.left() + std::min(10.0, place.width() / 3);
    for (const double at : {x, x + 6})
        painter.drawLine(QPointF(at - 3, place.bottom() + 1), QPointF(at + 3, place.top() - 1));
}

void WaterfallChart::paintName(QPainter &painter, int bar) const
{
    const QFontMetricsF metrics(smallFont());
    const QRectF line = row(bar);
    const double names = plot().left() - 12;
    const QString &name = m_bars[static_cast<std::size_t>(bar)].name;
    const bool two = line.height() >= 2 * metrics.lineSpacing() - 2;
    painter.drawText(QRectF(0, line.top(), names, line.height()), Qt::AlignRight | Qt::AlignVCenter,
                     two ? inTwoLines(name, metrics, names)
                         : metrics.elidedText(name, Qt::ElideMiddle, names));
}

} // namespace vramscope
