// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/stacked_bar_view.h"
#include "ui/support/text.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QToolTip>

namespace vramscope {

using namespace Qt::StringLiterals;

StackedBarView::Hit StackedBarView::hitAt(QPointF point) const
{
    for (const LegendItem &item : m_legend) {
        if (item.rect.contains(point))
            return {std::nullopt, item.part};
    }
    const std::optional<int> bar = m_bars.slotAt(point);
    if (!bar)
        return {};
    double from = 0;
    const PartBytes &parts = content.bars[static_cast<std::size_t>(*bar)].parts;
    for (std::size_t part = 0; part < kPartCount; ++part) {
        const double to = from + static_cast<double>(parts[part]);
        if (parts[part] > 0 && m_bars.rect(*bar, from, to).contains(point))
            return {bar, part};
        from = to;
    }
    return {bar, std::nullopt};
}

QString StackedBarView::hoverText(QPointF point) const
{
    const Hit hit = hitAt(point);
    if (hit.part && !hit.bar)
        return u"<b>%1</b><br>Click: select it in every view. Ctrl+click: %2."_s.arg(
            partName(*hit.part), hidden.test(*hit.part) ? u"put it back into the bars"_s
                                                        : u"leave it out of the bars"_s);
    if (!hit.bar)
        return {};
    const StackedBar &bar = content.bars[static_cast<std::size_t>(*hit.bar)];
    const QString note = bar.note.isEmpty() ? QString() : u"<br>%1"_s.arg(bar.note.toHtmlEscaped());
    if (!hit.part) {
        QString text =
            bar.name.isEmpty() ? QString() : u"<b>%1</b><br>"_s.arg(bar.name.toHtmlEscaped());
        if ((hidden & present).any())
            return text + u"shown %1"_s.arg(exactBytesText(bar.total(), unit));
        text += u"allocated %1"_s.arg(exactBytesText(bar.allocated(), unit));
        if (bar.total() != bar.allocated())
            text += u"<br>on the device %1"_s.arg(exactBytesText(bar.total(), unit));
        return text + note;
    }
    const Bytes bytes = bar.parts[*hit.part];
    const double share = 100 * static_cast<double>(bytes) / static_cast<double>(bar.total());
    return u"<b>%1</b><br>%2<br>%3 % of %4"_s.arg(
               partName(*hit.part), exactBytesText(bytes, unit), QString::number(share, 'f', 1),
               bar.name.isEmpty() ? u"the total"_s : bar.name.toHtmlEscaped()) +
           note;
}

void StackedBarView::mousePressEvent(QMouseEvent *event)
{
    const Hit hit = hitAt(event->position());
    if (event->button() != Qt::LeftButton)
        return;
    if (hit.part && !hit.bar && event->modifiers().testFlag(Qt::ControlModifier)) {
        onHide(*hit.part);
        return;
    }
    if (hit.bar && onBar)
        onBar(*hit.bar);
    if (hit.part && onPart)
        onPart(*hit.part);
}

void StackedBarView::mouseReleaseEvent(QMouseEvent *event)
{
    event->accept();
}

void StackedBarView::mouseMoveEvent(QMouseEvent *event)
{
    const Hit hit = hitAt(event->position());
    viewport()->setCursor(hit.part ? Qt::PointingHandCursor : Qt::ArrowCursor);
    if (hit != m_hover) {
        m_hover = hit;
        viewport()->update();
    }
    const QString text = hoverText(event->position());
    if (text.isEmpty())
        QToolTip::hideText();
    else
        QToolTip::showText(event->globalPosition().toPoint(), text, this);
}

void StackedBarView::leaveEvent(QEvent *event)
{
    m_hover = {};
    viewport()->update();
    QChartView::leaveEvent(event);
}

void StackedBarView::keyPressEvent(QKeyEvent *event)
{
    const int key = event->key();
    if (key == Qt::Key_H && selectedPart) {
        onHide(*selectedPart);
        return;
    }
    if (key != Qt::Key_Left && key != Qt::Key_Right) {
        event->ignore(); // the page scrolls
        return;
    }
    const int step = key == Qt::Key_Right ? 1 : -1;
    const int count = static_cast<int>(kPartCount);
    for (int at = selectedPart ? static_cast<int>(*selectedPart) + step : 0; at >= 0 && at < count;
         at += step) {
        if (present.test(static_cast<std::size_t>(at))) {
            onPart(static_cast<std::size_t>(at));
            return;
        }
    }
}

void StackedBarView::focusInEvent(QFocusEvent *event)
{
    QChartView::focusInEvent(event);
    viewport()->update(); // its frame
}

void StackedBarView::focusOutEvent(QFocusEvent *event)
{
    QChartView::focusOutEvent(event);
    viewport()->update();
}

void StackedBarView::wheelEvent(QWheelEvent *event)
{
    event->ignore(); // the page scrolls
}

} // namespace vramscope
