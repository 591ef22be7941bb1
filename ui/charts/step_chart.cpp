// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/step_chart.h"

#include "ui/support/text.h"

#include <QEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QToolTip>

#include <algorithm>

namespace vramscope {

using namespace Qt::StringLiterals;

StepChart::StepChart(QWidget *parent)
    : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(u"Memory over the step"_s);
}

void StepChart::setCurve(const StepCurve &curve)
{
    if (curve == m_curve)
        return;
    m_curve = curve;
    if (m_cursor && *m_cursor >= static_cast<int>(m_curve.columns.size()))
        m_cursor.reset();
    relayout();
}

void StepChart::setUnit(ByteUnit unit)
{
    if (m_unit == unit)
        return;
    m_unit = unit;
    relayout();
}

void StepChart::setSelectedPart(std::optional<std::size_t> part)
{
    m_part = part;
    update();
}

void StepChart::setSelectedMoment(const QString &moment)
{
    m_moment = moment;
    update();
}

void StepChart::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    relayout();
}

void StepChart::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        relayout();
}

std::optional<std::size_t> StepChart::legendPartAt(QPointF point) const
{
    for (const LegendItem &item : m_legend) {
        if (item.rect.contains(point))
            return item.part;
    }
    return std::nullopt;
}

QString StepChart::columnText(int column) const
{
    const StepColumn &shown = m_curve.columns[static_cast<std::size_t>(column)];
    QString text = u"<b>%1</b><table>"_s.arg(shown.name.toHtmlEscaped());
    for (std::size_t part = kPartCount; part-- > 0;) { // in stacking order
        if (shown.parts[part] > 0)
            text += u"<tr><td>%1&nbsp;&nbsp;</td><td>%2</td></tr>"_s.arg(
                partName(part), exactBytesText(shown.parts[part], m_unit));
    }
    return text + u"<tr><td><b>together</b></td><td>%1</td></tr></table>"_s.arg(
                      exactBytesText(shown.total(), m_unit));
}

QString StepChart::hoverText(QPointF point) const
{
    const std::optional<int> column = point.y() <= m_geometry.plot.bottom()
                                          ? m_geometry.columnAt(m_curve, point.x())
                                          : std::nullopt;
    return column ? columnText(*column) : QString();
}

void StepChart::moveCursor(int column)
{
    m_cursor = std::clamp(column, 0, static_cast<int>(m_curve.columns.size()) - 1);
    update();
}

void StepChart::stepPart(int direction)
{
    if (m_legend.empty())
        return;
    const auto count = static_cast<int>(m_legend.size());
    const auto found = std::ranges::find_if(
        m_legend, [this](const LegendItem &item) { return item.part == m_part; });
    const int at = found == m_legend.end() ? (direction > 0 ? -1 : count)
                                           : static_cast<int>(found - m_legend.begin());
    const int next = std::clamp(at + direction, 0, count - 1);
    Q_EMIT partClicked(m_legend[static_cast<std::size_t>(next)].part);
}

void StepChart::mousePressEvent(QMouseEvent *event)
{
    if (event->button() != Qt::LeftButton)
        return;
    const QPointF point = event->position();
    if (const std::optional<std::size_t> part = legendPartAt(point)) {
        Q_EMIT partClicked(*part);
        return;
    }
    const std::optional<int> column = m_geometry.columnAt(m_curve, point.x());
    if (!column || point.y() > m_geometry.plot.bottom())
        return;
    const StepColumn &hit = m_curve.columns[static_cast<std::size_t>(*column)];
    const QString moment = hit.moment; // the curve may be another one after the signal
    const std::optional<std::size_t> part = m_geometry.partAt(hit, point.y());
    if (!moment.isEmpty())
        Q_EMIT momentClicked(moment);
    if (part)
        Q_EMIT partClicked(*part);
}

void StepChart::mouseMoveEvent(QMouseEvent *event)
{
    const QPointF point = event->position();
    const bool inside = point.y() <= m_geometry.plot.bottom();
    const std::optional<int> column =
        inside ? m_geometry.columnAt(m_curve, point.x()) : std::nullopt;
    if (column != m_cursor) {
        m_cursor = column;
        update();
    }
    setCursor(column || legendPartAt(point) ? Qt::PointingHandCursor : Qt::ArrowCursor);
    if (column)
        QToolTip::showText(event->globalPosition().toPoint(), columnText(*column), this);
    else
        QToolTip::hideText();
}

void StepChart::leaveEvent(QEvent *event)
{
    m_cursor.reset();
    update();
    QWidget::leaveEvent(event);
}

void StepChart::keyPressEvent(QKeyEvent *event)
{
    const auto last = static_cast<int>(m_curve.columns.size()) - 1;
    const int key = event->key();
    if (last < 0) {
        QWidget::keyPressEvent(event);
        return;
    }
    if (key == Qt::Key_Up || key == Qt::Key_Down) {
        stepPart(key == Qt::Key_Up ? 1 : -1); // in stacking order
        return;
    }
    if (key == Qt::Key_Return || key == Qt::Key_Enter || key == Qt::Key_Space) {
        const QString moment =
            m_cursor ? m_curve.columns[static_cast<std::size_t>(*m_cursor)].moment : QString();
        if (!moment.isEmpty())
            Q_EMIT momentClicked(moment);
        return;
    }
    const int now = m_cursor.value_or(m_curve.marked.value_or(0));
    switch (key) {
    case Qt::Key_Left:
        moveCursor(now - 1);
        break;
    case Qt::Key_Right:
        moveCursor(now + 1);
        break;
    case Qt::Key_Home:
        moveCursor(0);
        break;
    case Qt::Key_End:
        moveCursor(last);
        break;
    default:
        QWidget::keyPressEvent(event);
        return;
    }
    const QPoint place(static_cast<int>(m_geometry.middle(*m_cursor)),
                       static_cast<int>(m_geometry.plot.top()));
    setAccessibleDescription(m_curve.columns[static_cast<std::size_t>(*m_cursor)].name);
    QToolTip::showText(mapToGlobal(place), columnText(*m_cursor), this);
}

} // namespace vramscope
