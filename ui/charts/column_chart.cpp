// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/column_chart.h"

#include "ui/support/text.h"
#include "ui/support/verdict_color.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

/// Columns higher than this many capacities are cut, so that those that fit stay readable.
constexpr double kMostCapacities = 3;

} // namespace

Bytes StackedColumn::total() const
{
    return std::accumulate(parts.begin(), parts.end(), Bytes(0));
}

ColumnChart::ColumnChart(QWidget *parent)
    : QWidget(parent)
{
    m_geometry.orientation = Qt::Vertical;
    m_geometry.thickness = 1;
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
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

void ColumnChart::setUnit(ByteUnit unit)
{
    m_unit = unit;
    update();
}

QFont ColumnChart::smallFont() const
{
    QFont small = font();
    small.setPointSizeF(small.pointSizeF() * 0.88);
    return small;
}

double ColumnChart::lineHeight() const
{
    return std::ceil(QFontMetricsF(smallFont()).height());
}

void ColumnChart::relayout()
{
    m_geometry.count = static_cast<int>(m_content.columns.size());
    const double left = QFontMetricsF(smallFont()).horizontalAdvance(u"00,000"_s) + 10;
    const double below = 2 * lineHeight() + 10 + legendHeight(); // labels, the mark of the plan
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
        text += u"%1 %2<br>"_s.arg(partName(*part), exactBytesText(column.parts[*part], m_unit));
    text += u"on the device %1 %2"_s.arg(exactBytesText(column.total(), m_unit),
                                         column.at.toHtmlEscaped());
    if (m_content.capacity) {
        const Bytes room = *m_content.capacity - column.total();
        text += (room >= 0 ? u"<br>%1 to spare"_s : u"<br>%1 too much"_s)
                    .arg(exactBytesText(std::abs(room), m_unit));
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

bool ColumnChart::event(QEvent *event)
{
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        relayout();
    return QWidget::event(event);
}

void ColumnChart::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    relayout();
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
    const QString text = hoverText(event->position());
    if (text.isEmpty())
        QToolTip::hideText();
    else
        QToolTip::showText(event->globalPosition().toPoint(), text, this);
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
    if (key == Qt::Key_Return || key == Qt::Key_Enter || key == Qt::Key_Space) {
        Q_EMIT columnChosen(here);
        return;
    }
    int to = here;
    if (key == Qt::Key_Left)
        to = here - 1;
    else if (key == Qt::Key_Right)
        to = here + 1;
    else if (key == Qt::Key_Home)
        to = 0;
    else if (key == Qt::Key_End)
        to = count - 1;
    else
        return QWidget::keyPressEvent(event);
    to = std::clamp(to, 0, count - 1);
    setCursorColumn(to);
    const StackedColumn &column = m_content.columns[static_cast<std::size_t>(to)];
    QToolTip::showText(mapToGlobal(m_geometry.slot(to).topRight().toPoint()),
                       textOf(column, std::nullopt), this);
}

} // namespace vramscope
