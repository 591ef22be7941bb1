// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/stacked_bar_view.h"

#include "ui/support/text.h"
#include "ui/support/theme.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QtCharts/QBarCategoryAxis>
#include <QtCharts/QHorizontalStackedBarSeries>
#include <QtCharts/QStackedBarSeries>

#include <algorithm>
#include <cmath>
#include <iterator>

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

StackedBarView::StackedBarView(Qt::Orientation orientation, QWidget *parent)
    : QChartView(parent)
    , m_preferred(orientation)
{
    m_bars.thickness = kBarThickness;
    chart()->setAnimationOptions(QChart::NoAnimation);
    chart()->setBackgroundVisible(false);
    chart()->legend()->hide();
    chart()->setMargins({});
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    viewport()->setAutoFillBackground(false);
    viewport()->setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(u"Parts of the memory"_s);
    buildSeries(orientation);
}

void StackedBarView::buildSeries(Qt::Orientation orientation)
{
    m_bars.orientation = orientation;
    m_categories = 0;
    chart()->removeAllSeries();
    for (QAbstractAxis *axis : chart()->axes()) {
        chart()->removeAxis(axis);
        delete axis;
    }
    m_names = new QBarCategoryAxis;
    m_values = new QValueAxis;
    QAbstractBarSeries *series =
        orientation == Qt::Horizontal
            ? static_cast<QAbstractBarSeries *>(new QHorizontalStackedBarSeries)
            : new QStackedBarSeries;
    for (std::size_t part = 0; part < kPartCount; ++part) {
        m_sets[part] = new QBarSet(partName(part));
        m_sets[part]->setPen(Qt::NoPen);
        // Patterns are painted over the bars.
        m_sets[part]->setBrush(part < kCategoryCount ? QBrush(partColor(part)) : QBrush());
        series->append(m_sets[part]);
    }
    series->setBarWidth(kBarThickness);
    chart()->addSeries(series);
    const bool horizontal = orientation == Qt::Horizontal;
    chart()->addAxis(m_names, horizontal ? Qt::AlignLeft : Qt::AlignBottom);
    chart()->addAxis(m_values, horizontal ? Qt::AlignBottom : Qt::AlignLeft);
    series->attachAxis(m_names);
    series->attachAxis(m_values);
    for (QAbstractAxis *axis :
         {static_cast<QAbstractAxis *>(m_names), static_cast<QAbstractAxis *>(m_values)}) {
        axis->setLabelsVisible(false);
        axis->setLineVisible(false);
    }
    m_names->setGridLineVisible(false);
    m_values->setGridLineVisible(false);
    m_values->setLabelFormat(u"-"_s); // no number: Qt would lay out invisible labels too
    m_values->setTickCount(2);
}

double StackedBarView::interval() const
{
    const double length = lying() ? m_bars.plot.width() : m_bars.plot.height();
    const QString last = tickText(m_bars.range / gigaBytes(unit), 1) + u" GiB"_s;
    const double room = std::max(64.0, QFontMetricsF(smallFont()).horizontalAdvance(last) + 12);
    const double giga = gigaBytes(unit);
    return giga * (lying() ? niceInterval(m_bars.range / giga,
                                          std::clamp(static_cast<int>(length / room), 2, 5))
                           : levelInterval(m_bars.range / giga, length));
}

Qt::Orientation StackedBarView::fittingOrientation() const
{
    if (m_preferred == Qt::Horizontal || content.bars.empty())
        return m_preferred;
    const QFontMetricsF metrics(smallFont());
    double widest = metrics.horizontalAdvance(u"peak 000.0"_s);
    for (const StackedBar &bar : content.bars) {
        for (const QString &word : bar.name.split(u' '))
            widest = std::max(widest, metrics.horizontalAdvance(word));
    }
    const double slot = (viewport()->width() - 50.0) / static_cast<double>(content.bars.size());
    return slot < widest + 6 ? Qt::Horizontal : Qt::Vertical;
}

void StackedBarView::layoutPlot()
{
    const double width = viewport()->width();
    const double height = viewport()->height();
    const double line = lineHeight();
    const double legendTop = height - (legend ? legendHeight(width) : 0);
    m_legend = legend ? legendItems(width, legendTop + 4) : std::vector<PartEntry>{};
    if (lying()) {
        const double left = nameColumnWidth(width);
        const double top = content.capacity ? line + 4 : 2;
        m_bars.plot = QRectF(left, top, std::max(width - left - 12, 20.0),
                             std::max(legendTop - top - line - 8, 20.0));
        return;
    }
    const double left = QFontMetricsF(smallFont()).horizontalAdvance(u"0000"_s) + 12;
    const double right = std::max(width - left - 4, 20.0);
    const double names = namesHeight(right / std::max(m_bars.count, 1) - 6);
    m_bars.plot = QRectF(left, 4, right, std::max(legendTop - 4 - names - 8, 20.0));
}

void StackedBarView::layoutRange()
{
    double largest = 0;
    for (const StackedBar &bar : content.bars)
        largest = std::max(largest, static_cast<double>(bar.total()));
    if (lying() && content.bars.size() > 1 && content.capacity)
        largest = std::min(largest, kReach * static_cast<double>(std::max(
                                                 *content.capacity, content.bars[0].total())));
    // The longest bar leaves room for its label.
    const double length = lying() ? m_bars.plot.width() : m_bars.plot.height();
    const double label = lying() ? totalLabelWidth() + 10 : lineHeight() + 8;
    largest *= length / std::max(length - label, length / 3);
    if (content.capacity)
        largest = std::max(largest, 1.04 * static_cast<double>(*content.capacity));
    m_bars.range = largest > 0 ? largest : 1;
}

void StackedBarView::fillSets()
{
    const int count = m_bars.count;
    if (count != m_categories) {
        QStringList names;
        for (int bar = 0; bar < count; ++bar)
            names.append(QString::number(bar));
        for (QBarSet *set : m_sets)
            set->remove(0, set->count());
        m_names->setCategories(names);
        for (QBarSet *set : m_sets)
            set->append(QList<qreal>(count, 0));
        m_categories = count;
    }
    for (std::size_t part = 0; part < kPartCount; ++part) {
        for (int bar = 0; bar < count; ++bar) {
            // Qt Charts counts horizontal bars from below.
            const int index = lying() ? count - 1 - bar : bar;
            const auto value =
                static_cast<double>(content.bars[static_cast<std::size_t>(bar)].parts[part]);
            if (m_sets[part]->at(index) != value)
                m_sets[part]->replace(index, value);
        }
    }
}

std::vector<std::array<double, kPartCount>> StackedBarView::drawnValues() const
{
    std::vector<std::array<double, kPartCount>> rows(static_cast<std::size_t>(m_bars.count));
    for (int bar = 0; bar < m_bars.count; ++bar) {
        for (std::size_t part = 0; part < kPartCount; ++part)
            rows[static_cast<std::size_t>(bar)][part] =
                m_sets[part]->at(lying() ? m_bars.count - 1 - bar : bar);
    }
    return rows;
}

void StackedBarView::relayout()
{
    m_bars.count = static_cast<int>(content.bars.size());
    if (const Qt::Orientation fitting = fittingOrientation(); fitting != m_bars.orientation)
        buildSeries(fitting);
    layoutPlot();
    layoutRange();
    fillSets();
    m_values->setRange(0, m_bars.range);
    chart()->setPlotArea(m_bars.plot);
    m_hover = {};
    viewport()->update();
}

int StackedBarView::heightAt(int width) const
{
    const double legendRows = legend ? legendHeight(width) : 0;
    if (m_preferred == Qt::Vertical)
        return static_cast<int>(kStandingHeight + legendRows);
    const double top = content.capacity ? lineHeight() + 4 : 2;
    const double slots_ = lyingSlot(content.bars.size()) *
                          static_cast<double>(std::max<std::size_t>(content.bars.size(), 1));
    return static_cast<int>(std::ceil(top + slots_ + lineHeight() + 8 + legendRows));
}

void StackedBarView::resizeEvent(QResizeEvent *event)
{
    QChartView::resizeEvent(event);
    relayout();
}

StackedBarView::Hit StackedBarView::hitAt(QPointF point) const
{
    for (const PartEntry &item : m_legend) {
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
    showHover(*this, *event, hoverText(event->position()));
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
