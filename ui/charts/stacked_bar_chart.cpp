// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/stacked_bar_chart.h"

#include "ui/support/text.h"

#include <QKeyEvent>
#include <QMouseEvent>

#include <algorithm>
#include <cmath>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

/// A bar longer than this many times the capacity (or the first bar) is cut off, so that the others
/// stay readable.
constexpr double kReach = 1.35;

/// Preferred pixels of a horizontal bar's slot: fewer if there are many.
double lyingSlot(std::size_t bars)
{
    return bars <= 1 ? 60 : bars <= 2 ? 46 : bars <= 6 ? 36 : 27;
}

constexpr double kStandingHeight = 240;
constexpr double kBarThickness = 0.72;

} // namespace

StackedBarChart::StackedBarChart(Qt::Orientation orientation, QWidget *parent)
    : Chart(parent)
    , m_preferred(orientation)
{
    m_bars.orientation = orientation;
    m_bars.thickness = kBarThickness;
    QSizePolicy policy(QSizePolicy::Expanding, orientation == Qt::Horizontal
                                                   ? QSizePolicy::Preferred
                                                   : QSizePolicy::Expanding);
    policy.setHeightForWidth(orientation == Qt::Horizontal);
    setSizePolicy(policy);
    setAccessibleName(u"Parts of the memory"_s);
}

void StackedBarChart::setContent(const StackedBars &content)
{
    if (content == m_content)
        return;
    m_content = content;
    showContent();
}

void StackedBarChart::showContent()
{
    m_shown = m_content;
    m_present.reset();
    for (StackedBar &bar : m_shown.bars) {
        for (std::size_t part = 0; part < kPartCount; ++part) {
            if (bar.parts[part] > 0)
                m_present.set(part);
            if (m_hidden.test(part))
                bar.parts[part] = 0;
        }
    }
    relayout();
    updateGeometry();
}

void StackedBarChart::setPartHidden(std::size_t part, bool hidden)
{
    m_hidden.set(part, hidden);
    showContent();
}

void StackedBarChart::setLegendVisible(bool visible)
{
    m_hasLegend = visible;
    relayout();
    updateGeometry();
}

void StackedBarChart::setSelectedPart(std::optional<std::size_t> part)
{
    m_selectedPart = part;
    update();
}

void StackedBarChart::setSelectedBar(std::optional<int> bar)
{
    m_selectedBar = bar;
    update();
}

QSize StackedBarChart::sizeHint() const
{
    constexpr int kWidth = 560;
    return {kWidth, heightForWidth(kWidth)};
}

double StackedBarChart::interval() const
{
    const double length = lying() ? m_bars.plot.width() : m_bars.plot.height();
    const QString last = tickText(m_bars.range / gigaBytes(unit()), 1) + u" GiB"_s;
    const double room = std::max(64.0, QFontMetricsF(smallFont()).horizontalAdvance(last) + 12);
    const double giga = gigaBytes(unit());
    return giga * (lying() ? niceInterval(m_bars.range / giga,
                                          std::clamp(static_cast<int>(length / room), 2, 5))
                           : levelInterval(m_bars.range / giga, length));
}

Qt::Orientation StackedBarChart::fittingOrientation() const
{
    if (m_preferred == Qt::Horizontal || m_shown.bars.empty())
        return m_preferred;
    const QFontMetricsF metrics(smallFont());
    double widest = metrics.horizontalAdvance(u"peak 000.0"_s);
    for (const StackedBar &bar : m_shown.bars) {
        for (const QString &word : bar.name.split(u' '))
            widest = std::max(widest, metrics.horizontalAdvance(word));
    }
    const double slot = (width() - 50.0) / static_cast<double>(m_shown.bars.size());
    return slot < widest + 6 ? Qt::Horizontal : Qt::Vertical;
}

void StackedBarChart::layoutPlot()
{
    const double line = lineHeight();
    const double legendTop = height() - (m_hasLegend ? legendHeight(width()) : 0);
    m_legend = m_hasLegend ? legendItems(width(), legendTop + 4) : std::vector<PartEntry>{};
    if (lying()) {
        const double left = nameColumnWidth(width());
        const double top = m_shown.capacity ? line + 4 : 2;
        m_bars.plot = QRectF(left, top, std::max(width() - left - 12, 20.0),
                             std::max(legendTop - top - line - 8, 20.0));
        return;
    }
    const double left = QFontMetricsF(smallFont()).horizontalAdvance(u"0000"_s) + 12;
    const double right = std::max(width() - left - 4, 20.0);
    const double names = namesHeight(right / std::max(m_bars.count, 1) - 6);
    m_bars.plot = QRectF(left, 4, right, std::max(legendTop - 4 - names - 8, 20.0));
}

void StackedBarChart::layoutRange()
{
    double largest = 0;
    for (const StackedBar &bar : m_shown.bars)
        largest = std::max(largest, static_cast<double>(bar.total()));
    if (lying() && m_shown.bars.size() > 1 && m_shown.capacity)
        largest = std::min(largest, kReach * static_cast<double>(std::max(
                                                 *m_shown.capacity, m_shown.bars[0].total())));
    // The longest bar leaves room for its label.
    const double length = lying() ? m_bars.plot.width() : m_bars.plot.height();
    const double label = lying() ? totalLabelWidth() + 10 : lineHeight() + 8;
    largest *= length / std::max(length - label, length / 3);
    if (m_shown.capacity)
        largest = std::max(largest, 1.04 * static_cast<double>(*m_shown.capacity));
    m_bars.range = largest > 0 ? largest : 1;
}

void StackedBarChart::relayout()
{
    m_bars.count = static_cast<int>(m_shown.bars.size());
    m_bars.orientation = fittingOrientation();
    layoutPlot();
    layoutRange();
    m_hover = {};
    update();
}

int StackedBarChart::heightForWidth(int width) const
{
    const double legendRows = m_hasLegend ? legendHeight(width) : 0;
    if (m_preferred == Qt::Vertical)
        return static_cast<int>(kStandingHeight + legendRows);
    const double top = m_shown.capacity ? lineHeight() + 4 : 2;
    const double slots_ = lyingSlot(m_shown.bars.size()) *
                          static_cast<double>(std::max<std::size_t>(m_shown.bars.size(), 1));
    return static_cast<int>(std::ceil(top + slots_ + lineHeight() + 8 + legendRows));
}

StackedBarChart::Hit StackedBarChart::hitAt(QPointF point) const
{
    for (const PartEntry &item : m_legend) {
        if (item.rect.contains(point))
            return {std::nullopt, item.part};
    }
    const std::optional<int> bar = m_bars.slotAt(point);
    if (!bar)
        return {};
    double from = 0;
    const PartBytes &parts = m_shown.bars[static_cast<std::size_t>(*bar)].parts;
    for (std::size_t part = 0; part < kPartCount; ++part) {
        const double to = from + static_cast<double>(parts[part]);
        if (parts[part] > 0 && m_bars.rect(*bar, from, to).contains(point))
            return {bar, part};
        from = to;
    }
    return {bar, std::nullopt};
}

QString StackedBarChart::hoverText(QPointF point) const
{
    const Hit hit = hitAt(point);
    if (hit.part && !hit.bar)
        return u"<b>%1</b><br>Click: select it in every view. Ctrl+click: %2."_s.arg(
            partName(*hit.part), m_hidden.test(*hit.part) ? u"put it back into the bars"_s
                                                          : u"leave it out of the bars"_s);
    if (!hit.bar)
        return {};
    const StackedBar &bar = m_shown.bars[static_cast<std::size_t>(*hit.bar)];
    const QString note = bar.note.isEmpty() ? QString() : u"<br>%1"_s.arg(bar.note.toHtmlEscaped());
    if (!hit.part) {
        QString text =
            bar.name.isEmpty() ? QString() : u"<b>%1</b><br>"_s.arg(bar.name.toHtmlEscaped());
        if ((m_hidden & m_present).any())
            return text + u"shown %1"_s.arg(exactBytesText(bar.total(), unit()));
        text += u"allocated %1"_s.arg(exactBytesText(bar.allocated(), unit()));
        if (bar.total() != bar.allocated())
            text += u"<br>on the device %1"_s.arg(exactBytesText(bar.total(), unit()));
        return text + note;
    }
    const Bytes bytes = bar.parts[*hit.part];
    const double share = 100 * static_cast<double>(bytes) / static_cast<double>(bar.total());
    return u"<b>%1</b><br>%2<br>%3 % of %4"_s.arg(
               partName(*hit.part), exactBytesText(bytes, unit()), QString::number(share, 'f', 1),
               bar.name.isEmpty() ? u"the total"_s : bar.name.toHtmlEscaped()) +
           note;
}

void StackedBarChart::mousePressEvent(QMouseEvent *event)
{
    const Hit hit = hitAt(event->position());
    if (event->button() != Qt::LeftButton)
        return;
    if (hit.part && !hit.bar && event->modifiers().testFlag(Qt::ControlModifier)) {
        setPartHidden(*hit.part, !m_hidden.test(*hit.part));
        return;
    }
    if (hit.bar)
        Q_EMIT barClicked(*hit.bar);
    if (hit.part)
        Q_EMIT partClicked(*hit.part);
}

void StackedBarChart::mouseMoveEvent(QMouseEvent *event)
{
    const Hit hit = hitAt(event->position());
    setCursor(hit.part ? Qt::PointingHandCursor : Qt::ArrowCursor);
    if (hit != m_hover) {
        m_hover = hit;
        update();
    }
    showHover(*this, *event, hoverText(event->position()));
}

void StackedBarChart::leaveEvent(QEvent *event)
{
    m_hover = {};
    update();
    QWidget::leaveEvent(event);
}

void StackedBarChart::keyPressEvent(QKeyEvent *event)
{
    const int key = event->key();
    if (key == Qt::Key_H && m_selectedPart) {
        setPartHidden(*m_selectedPart, !m_hidden.test(*m_selectedPart));
        return;
    }
    if (key != Qt::Key_Left && key != Qt::Key_Right) {
        event->ignore(); // the page scrolls
        return;
    }
    const int step = key == Qt::Key_Right ? 1 : -1;
    const int count = static_cast<int>(kPartCount);
    for (int at = m_selectedPart ? static_cast<int>(*m_selectedPart) + step : 0;
         at >= 0 && at < count; at += step) {
        if (m_present.test(static_cast<std::size_t>(at))) {
            Q_EMIT partClicked(static_cast<std::size_t>(at));
            return;
        }
    }
}

} // namespace vramscope
