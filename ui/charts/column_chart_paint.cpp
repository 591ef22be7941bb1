// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/column_chart.h"
#include "ui/charts/legend_size.h"
#include "ui/charts/text_patch.h"
#include "ui/support/text.h"
#include "ui/support/verdict_color.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr double kFoot = 3; ///< height of the verdict below a column
constexpr double kGapBetweenLabels = 8;

QBrush partBrush(std::size_t part, const Theme &theme)
{
    if (part != kOutsidePart)
        return partColor(part);
    QColor faint = theme.dim;
    faint.setAlphaF(0.55F);
    return {faint, Qt::BDiagPattern};
}

/// Edges of neighbours on the same whole pixel: no seams.
QRectF aligned(const QRectF &rect)
{
    const double left = std::round(rect.left());
    const double top = std::round(rect.top());
    return {left, top, std::round(rect.right()) - left, std::round(rect.bottom()) - top};
}

} // namespace

void ColumnChart::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setFont(smallFont());
    if (m_content.columns.empty()) {
        painter.setPen(themeOf(this).dim);
        painter.drawText(rect(), Qt::AlignCenter | Qt::TextWordWrap, m_content.emptyText);
        return;
    }
    paintGrid(painter);
    paintColumns(painter);
    paintLines(painter);
    paintLabels(painter);
    paintLegend(painter);
}

void ColumnChart::paintGrid(QPainter &painter) const
{
    const Theme &theme = themeOf(this);
    const double giga = m_unit == ByteUnit::Binary ? static_cast<double>(kGiB) : 1e9;
    const int most = std::clamp(static_cast<int>(m_geometry.plot.height() / 34), 2, 8);
    const double interval = niceInterval(m_geometry.range / giga, most);
    for (double at = 0; at * giga <= m_geometry.range; at += interval) {
        const double y = std::floor(m_geometry.position(at * giga)) + 0.5;
        painter.setPen(theme.line);
        painter.drawLine(QPointF(m_geometry.plot.left(), y), QPointF(m_geometry.plot.right(), y));
        painter.setPen(theme.dim);
        painter.drawText(QRectF(0, y - 10, m_geometry.plot.left() - 6, 20),
                         Qt::AlignRight | Qt::AlignVCenter, tickText(at, interval));
    }
}

void ColumnChart::paintColumns(QPainter &painter) const
{
    const Theme &theme = themeOf(this);
    std::array<QBrush, kPartCount> brushes;
    for (std::size_t part = 0; part < kPartCount; ++part)
        brushes[part] = partBrush(part, theme);
    painter.save();
    painter.setClipRect(m_geometry.plot.adjusted(0, 0, 0, 1));
    for (int i = 0; i < m_geometry.count; ++i) {
        const StackedColumn &column = m_content.columns[static_cast<std::size_t>(i)];
        if (!column.refused.isEmpty()) {
            painter.fillRect(aligned(m_geometry.slot(i)), QBrush(theme.line, Qt::DiagCrossPattern));
            continue;
        }
        double from = 0;
        for (std::size_t part = 0; part < kPartCount; ++part) {
            const double to = from + static_cast<double>(column.parts[part]);
            if (to > from)
                painter.fillRect(aligned(m_geometry.rect(i, from, to)), brushes[part]);
            from = to;
        }
    }
    painter.restore();
    for (int i = 0; i < m_geometry.count; ++i) {
        const StackedColumn &column = m_content.columns[static_cast<std::size_t>(i)];
        const QRectF slot = m_geometry.slot(i);
        if (column.verdict)
            painter.fillRect(QRectF(slot.left(), m_geometry.plot.bottom() + 1, slot.width(), kFoot),
                             verdictColor(*column.verdict, theme));
    }
    if (m_cursor) {
        painter.setPen(QPen(theme.text, 1));
        painter.drawRect(aligned(m_geometry.slot(*m_cursor)).adjusted(0.5, 0.5, -0.5, -0.5));
    }
    if (hasFocus()) {
        painter.setPen(QPen(theme.accent, 1));
        painter.drawRect(m_geometry.plot.adjusted(-1.5, -1.5, 1.5, 1.5));
    }
}

void ColumnChart::paintLines(QPainter &painter) const
{
    const Theme &theme = themeOf(this);
    const QRectF &plot = m_geometry.plot;
    const QRectF above(plot.left(), plot.top() - lineHeight() - 4, plot.width(), lineHeight());
    painter.setPen(theme.dim);
    painter.drawText(QRectF(0, above.top(), plot.left() - 6, above.height()),
                     Qt::AlignRight | Qt::AlignVCenter, QLatin1StringView(gigaUnit(m_unit)));
    if (m_cut) {
        const bool left = m_content.crossing.value_or(0) > m_geometry.count / 2;
        painter.drawText(above, left ? Qt::AlignLeft : Qt::AlignRight, u"higher columns are cut"_s);
    }
    if (m_content.crossing) {
        const double x = std::round(m_geometry.slot(*m_content.crossing).left());
        painter.setPen(QPen(theme.text, 2));
        painter.drawLine(QPointF(x, plot.top() - 2), QPointF(x, plot.bottom()));
        const double width = painter.fontMetrics().horizontalAdvance(m_content.crossingText) + 4.0;
        const double left = std::clamp(x - width / 2, 0.0, std::max(this->width() - width, 0.0));
        painter.setPen(theme.text);
        drawOnPatch(painter, QRectF(left, above.top(), width, above.height()), Qt::AlignCenter,
                    m_content.crossingText, theme.card);
    }
    if (!m_content.capacity)
        return;
    const double y =
        std::floor(m_geometry.position(static_cast<double>(*m_content.capacity))) + 0.5;
    painter.setPen(QPen(theme.text, 1.5, Qt::DashLine));
    painter.drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y));
    painter.setPen(theme.text);
    const QString text = u"capacity %1"_s.arg(bytesText(*m_content.capacity, m_unit));
    drawOnPatch(painter, QRectF(plot.left() + 6, y - lineHeight() - 2, plot.width(), lineHeight()),
                Qt::AlignLeft | Qt::AlignVCenter, text, theme.card);
}

void ColumnChart::paintLabels(QPainter &painter) const
{
    const Theme &theme = themeOf(this);
    const QFontMetricsF metrics(painter.font());
    std::vector<QRectF> taken;
    const auto place = [&](int i) {
        const StackedColumn &column = m_content.columns[static_cast<std::size_t>(i)];
        const double width = metrics.horizontalAdvance(column.label);
        const double middle = m_geometry.slot(i).center().x();
        const double left =
            std::clamp(middle - width / 2, 0.0, std::max(this->width() - width, 0.0));
        const QRectF box(left, m_geometry.plot.bottom() + 4, width, lineHeight());
        const QRectF wide = box.adjusted(-kGapBetweenLabels, 0, kGapBetweenLabels, 0);
        if (std::ranges::any_of(taken, [&](const QRectF &one) { return one.intersects(wide); }))
            return;
        taken.push_back(box);
        painter.setPen(m_content.current == i ? theme.text : theme.dim);
        painter.drawText(box, Qt::AlignCenter, column.label);
    };
    if (m_content.current) {
        place(*m_content.current);
        const QRectF slot = m_geometry.slot(*m_content.current);
        const QString text = u"▲ this plan"_s;
        const double width = metrics.horizontalAdvance(text) + 2;
        const double arrow = metrics.horizontalAdvance(u"▲"_s) / 2;
        const bool right = slot.center().x() + width > this->width();
        const double left = right ? this->width() - width : slot.center().x() - arrow;
        painter.setPen(theme.text);
        painter.drawText(
            QRectF(left, m_geometry.plot.bottom() + 4 + lineHeight(), width, lineHeight()),
            Qt::AlignLeft | Qt::AlignVCenter, right ? u"this plan ▲"_s : text);
    }
    place(0);
    place(m_geometry.count - 1);
    for (int i = 0; i < m_geometry.count; ++i)
        if (m_content.columns[static_cast<std::size_t>(i)].major)
            place(i);
    for (int i = 0; i < m_geometry.count; ++i)
        place(i);
}

void ColumnChart::paintLegend(QPainter &painter) const
{
    const Theme &theme = themeOf(this);
    const double top = height() - legendHeight() + 2;
    for (const LegendItem &item : legendItems()) {
        const QRectF box = item.rect.translated(0, top);
        painter.fillRect(QRectF(box.left(), box.center().y() - kSwatch / 2, kSwatch, kSwatch),
                         partBrush(item.part, theme));
        painter.setPen(theme.dim);
        painter.drawText(box.adjusted(kSwatch + 6, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter,
                         partName(item.part));
    }
}

std::vector<ColumnChart::LegendItem> ColumnChart::legendItems() const
{
    const QFontMetricsF metrics(smallFont());
    const double line = lineHeight() + 4;
    std::vector<LegendItem> items;
    double x = 6;
    double y = 0;
    for (std::size_t part = 0; part < kPartCount; ++part) {
        if (std::ranges::none_of(m_content.columns, [&](const StackedColumn &column) {
                return column.parts[part] > 0;
            }))
            continue;
        const double width = kSwatch + 8 + metrics.horizontalAdvance(partName(part));
        if (x > 6 && x + width > this->width()) {
            x = 6;
            y += line;
        }
        items.push_back({part, QRectF(x, y, width, line)});
        x += width + kLegendGap;
    }
    return items;
}

double ColumnChart::legendHeight() const
{
    const std::vector<LegendItem> items = legendItems();
    return items.empty() ? 0 : items.back().rect.bottom() + 2;
}

} // namespace vramscope
