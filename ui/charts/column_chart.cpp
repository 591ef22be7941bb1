// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/column_chart.h"

#include "ui/support/text.h"
#include "ui/support/verdict_color.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

/// Columns higher than this many capacities are cut, so that those that fit stay readable.
constexpr double kMostCapacities = 3;
constexpr double kFoot = 3; ///< height of the verdict below a column
constexpr double kGapBetweenLabels = 8;

/// Edges of neighbours on the same whole pixel: no seams.
QRectF aligned(const QRectF &rect)
{
    const double left = std::round(rect.left());
    const double top = std::round(rect.top());
    return {left, top, std::round(rect.right()) - left, std::round(rect.bottom()) - top};
}

} // namespace

ColumnChart::ColumnChart(QWidget *parent)
    : Chart(parent)
{
    m_geometry.orientation = Qt::Vertical;
    m_geometry.thickness = 1;
}

void ColumnChart::setContent(const StackedColumns &content)
{
    if (content == m_content)
        return;
    m_content = content;
    if (m_cursor && *m_cursor >= static_cast<int>(m_content.columns.size()))
        m_cursor.reset();
    relayout();
}

void ColumnChart::relayout()
{
    m_geometry.count = static_cast<int>(m_content.columns.size());
    std::vector<bool> isShown(kPartCount);
    for (std::size_t part = 0; part < kPartCount; ++part)
        isShown[part] = std::ranges::any_of(
            m_content.columns, [&](const StackedColumn &column) { return column.parts[part] > 0; });
    m_legend = partLegend(isShown, smallFont(), width(), 0, 8);
    const double legendHeight = m_legend.empty() ? 0 : m_legend.back().rect.bottom() + 2;
    for (PartEntry &entry : m_legend)
        entry.rect.translate(0, height() - legendHeight + 2);
    const double left = QFontMetricsF(smallFont()).horizontalAdvance(u"00,000"_s) + 10;
    const double below = 2 * lineHeight() + 10 + legendHeight; // labels, the mark of the plan
    const double top = lineHeight() + 6;
    m_geometry.plot = QRectF(left, top, std::max(width() - left - 6.0, 20.0),
                             std::max(height() - below - top, 20.0));
    double largest = 0;
    for (const StackedColumn &column : m_content.columns)
        largest = std::max(largest, static_cast<double>(column.total()));
    double range = 1.04 * largest;
    if (m_content.capacity) {
        const auto capacity = static_cast<double>(*m_content.capacity);
        range = std::clamp(range, 1.1 * capacity, kMostCapacities * capacity);
    }
    m_cut = largest > range;
    m_geometry.range = range > 0 ? range : 1;
    update();
}

std::optional<std::size_t> ColumnChart::partAt(int column, QPointF point) const
{
    const auto value = static_cast<Bytes>(m_geometry.valueAt(point));
    Bytes from = 0;
    const PartBytes &parts = m_content.columns[static_cast<std::size_t>(column)].parts;
    for (std::size_t part = 0; part < kPartCount; ++part) {
        if (value >= from && value < from + parts[part])
            return part;
        from += parts[part];
    }
    return std::nullopt;
}

QString ColumnChart::textOf(const StackedColumn &column, std::optional<std::size_t> part) const
{
    QString text = u"<b>%1</b><br>"_s.arg(column.name.toHtmlEscaped());
    if (!column.refused.isEmpty())
        return text + column.refused.toHtmlEscaped();
    if (part)
        text += u"%1 %2<br>"_s.arg(partName(*part), exactBytesText(column.parts[*part], unit()));
    text += u"on the device %1 %2"_s.arg(exactBytesText(column.total(), unit()),
                                         column.at.toHtmlEscaped());
    if (m_content.capacity) {
        const Bytes room = *m_content.capacity - column.total();
        text += (room >= 0 ? u"<br>%1 to spare"_s : u"<br>%1 too much"_s)
                    .arg(exactBytesText(std::abs(room), unit()));
    }
    if (column.verdict) {
        text += u"<br>"_s + verdictText(*column.verdict);
    }
    return text;
}

QString ColumnChart::hoverText(QPointF point) const
{
    const std::optional<int> column = m_geometry.slotAt(point);
    return column ? textOf(m_content.columns[static_cast<std::size_t>(*column)],
                           partAt(*column, point))
                  : QString();
}

void ColumnChart::setCursorColumn(std::optional<int> column)
{
    if (m_cursor == column)
        return;
    m_cursor = column;
    update();
}

void ColumnChart::mouseMoveEvent(QMouseEvent *event)
{
    setCursorColumn(m_geometry.slotAt(event->position()));
    setCursor(m_cursor ? Qt::PointingHandCursor : Qt::ArrowCursor);
    Chart::mouseMoveEvent(event);
}

void ColumnChart::mouseReleaseEvent(QMouseEvent *event)
{
    const std::optional<int> column = m_geometry.slotAt(event->position());
    if (event->button() == Qt::LeftButton && column)
        Q_EMIT columnChosen(*column);
}

void ColumnChart::leaveEvent(QEvent *event)
{
    QWidget::leaveEvent(event);
    setCursorColumn(std::nullopt);
}

void ColumnChart::keyPressEvent(QKeyEvent *event)
{
    const int count = m_geometry.count;
    const int here = m_cursor.value_or(m_content.current.value_or(0));
    const int key = event->key();
    if (count == 0)
        return QWidget::keyPressEvent(event);
    if (isEnter(key) || key == Qt::Key_Space)
        return Q_EMIT columnChosen(here);
    const std::optional<int> to = steppedTo(key, here, count);
    if (!to)
        return QWidget::keyPressEvent(event);
    setCursorColumn(to);
    const StackedColumn &column = m_content.columns[static_cast<std::size_t>(*to)];
    QToolTip::showText(mapToGlobal(m_geometry.slot(*to).topRight().toPoint()),
                       textOf(column, std::nullopt), this);
}

void ColumnChart::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setFont(smallFont());
    if (m_content.columns.empty())
        return paintReason(painter, rect(), m_content.emptyText, themeOf(this));
    paintGrid(painter);
    paintColumns(painter);
    paintLines(painter);
    paintLabels(painter);
    paintLegend(painter, m_legend, themeOf(this));
}

void ColumnChart::paintGrid(QPainter &painter) const
{
    const Theme &theme = themeOf(this);
    const double giga = gigaBytes(unit());
    const double interval = levelInterval(m_geometry.range / giga, m_geometry.plot.height());
    for (int tick = 0; tick * interval * giga <= m_geometry.range; ++tick)
        paintLevel(painter, m_geometry.plot,
                   std::floor(m_geometry.position(tick * interval * giga)) + 0.5,
                   tickText(tick * interval, interval), theme);
}

void ColumnChart::paintColumns(QPainter &painter) const
{
    const Theme &theme = themeOf(this);
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
                fillPart(painter, {aligned(m_geometry.rect(i, from, to))}, part, theme);
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
                     Qt::AlignRight | Qt::AlignVCenter, QLatin1StringView(gigaUnit(unit())));
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
    paintLimit(painter, plot, y, theme);
    painter.setPen(theme.text);
    const QString text = u"capacity %1"_s.arg(bytesText(*m_content.capacity, unit()));
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

} // namespace vramscope
