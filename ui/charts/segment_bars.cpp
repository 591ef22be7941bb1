// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/segment_bars.h"

#include "ui/support/text.h"
#include "ui/support/theme.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr double kBarHeight = 24;
constexpr double kBarGap = 8;
constexpr double kSpace = 10; ///< between names, bars and notes
constexpr double kMostOfNames = 260;

} // namespace

Bytes SegmentBar::total() const
{
    Bytes sum = 0;
    for (const BarSegment &segment : segments)
        sum += segment.bytes;
    return sum;
}

SegmentBars::SegmentBars(QWidget *parent)
    : Chart(parent)
{
    setFocusPolicy(Qt::NoFocus);
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Minimum);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

void SegmentBars::setBars(std::vector<SegmentBar> bars)
{
    m_bars = std::move(bars);
    QStringList texts;
    for (const SegmentBar &bar : m_bars) {
        QStringList parts;
        for (const BarSegment &segment : bar.segments)
            if (segment.bytes > 0)
                parts << u"%1 %2"_s.arg(segment.name, bytesText(segment.bytes, unit()));
        texts << u"%1: %2; %3"_s.arg(bar.name, parts.join(u", "_s), bar.note);
    }
    setAccessibleDescription(texts.join(u'\n'));
    relayout();
}

void SegmentBars::relayout()
{
    updateGeometry();
    update();
}

double SegmentBars::widestOf(QString SegmentBar::*text) const
{
    double width = 0;
    const QFontMetricsF metrics(textFont());
    for (const SegmentBar &bar : m_bars)
        if (!(bar.*text).isEmpty())
            width = std::max(width, metrics.horizontalAdvance(bar.*text) + kSpace);
    return width;
}

double SegmentBars::namesWidth() const
{
    return std::ceil(std::min(widestOf(&SegmentBar::name), kMostOfNames));
}

Bytes SegmentBars::longest() const
{
    Bytes most = 1;
    for (const SegmentBar &bar : m_bars)
        most = std::max({most, bar.total(), bar.capacity.value_or(0)});
    return most;
}

QRectF SegmentBars::barRect(std::size_t bar) const
{
    const double left = namesWidth();
    return {left, static_cast<double>(bar) * (kBarHeight + kBarGap),
            std::max(40.0, width() - left - std::ceil(widestOf(&SegmentBar::note))), kBarHeight};
}

double SegmentBars::endOf(std::size_t bar, Bytes bytes) const
{
    const QRectF place = barRect(bar);
    return place.left() +
           std::round(place.width() * static_cast<double>(bytes) / static_cast<double>(longest()));
}

/// Every part once.
std::vector<SegmentBars::LegendItem> SegmentBars::legend(double width) const
{
    std::vector<LegendItem> items;
    std::vector<double> widths;
    const QFontMetricsF metrics(textFont());
    for (const SegmentBar &bar : m_bars) {
        for (const BarSegment &segment : bar.segments) {
            const bool isKnown = std::ranges::any_of(
                items, [&](const LegendItem &item) { return item.segment->name == segment.name; });
            if (segment.bytes == 0 || isKnown)
                continue;
            QString text = segment.name;
            if (m_bars.size() == 1)
                text += u"  "_s + bytesText(segment.bytes, unit());
            widths.push_back(kSwatch + 6 + std::ceil(metrics.horizontalAdvance(text)));
            items.push_back({&segment, std::move(text), {}});
        }
    }
    const double top = static_cast<double>(m_bars.size()) * (kBarHeight + kBarGap);
    const std::vector<QRectF> places =
        legendPlaces(widths, width, std::ceil(metrics.height()) + 4, namesWidth());
    for (std::size_t at = 0; at < items.size(); ++at)
        items[at].place = places[at].translated(0, top);
    return items;
}

int SegmentBars::heightForWidth(int width) const
{
    const auto items = legend(width);
    const double end = items.empty() ? static_cast<double>(m_bars.size()) * (kBarHeight + kBarGap)
                                     : items.back().place.bottom() + 2;
    return static_cast<int>(std::ceil(end));
}

QSize SegmentBars::sizeHint() const
{
    return {600, heightForWidth(600)};
}

QSize SegmentBars::minimumSizeHint() const
{
    return {240, heightForWidth(std::max(width(), 240))};
}

void SegmentBars::paintBar(QPainter &painter, std::size_t index) const
{
    const Theme &theme = themeOf(this);
    const QFontMetricsF metrics(painter.font());
    const SegmentBar &bar = m_bars[index];
    const QRectF place = barRect(index);
    const double names = namesWidth() - kSpace;
    painter.setPen(theme.text);
    if (names > 0)
        painter.drawText(QRectF(0, place.top(), names, kBarHeight),
                         Qt::AlignVCenter | Qt::AlignLeft,
                         metrics.elidedText(bar.name, Qt::ElideRight, names));
    if (bar.capacity)
        painter.fillRect(
            QRectF(place.topLeft(), QPointF(endOf(index, *bar.capacity), place.bottom())),
            theme.line);
    Bytes before = 0;
    for (const BarSegment &segment : bar.segments) {
        const QRectF part(QPointF(endOf(index, before), place.top()),
                          QPointF(endOf(index, before + segment.bytes), place.bottom()));
        before += segment.bytes;
        const bool isTaken = segment.color.isValid();
        painter.fillRect(part, isTaken ? segment.color : theme.line);
        const QString text = bytesText(segment.bytes, unit());
        if (metrics.horizontalAdvance(text) + kSpace > part.width())
            continue;
        painter.setPen(isTaken ? textOn(segment.color) : theme.text);
        painter.drawText(part, Qt::AlignCenter, text);
    }
    if (bar.capacity) { // the capacity, over a bar that exceeds it
        const double end = endOf(index, *bar.capacity);
        painter.setPen(QPen(bar.total() > *bar.capacity ? theme.bad : theme.dim, 2));
        painter.drawLine(QPointF(end - 1, place.top() - 2), QPointF(end - 1, place.bottom() + 2));
    }
    painter.setPen(bar.isBad ? theme.bad : theme.dim);
    painter.drawText(QRectF(place.right() + kSpace, place.top(),
                            std::ceil(widestOf(&SegmentBar::note)), kBarHeight),
                     Qt::AlignVCenter | Qt::AlignLeft, bar.note);
}

void SegmentBars::paintEvent(QPaintEvent *)
{
    const Theme &theme = themeOf(this);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(textFont());
    for (std::size_t i = 0; i < m_bars.size(); ++i)
        paintBar(painter, i);
    for (const LegendItem &item : legend(width())) {
        const QColor &color = item.segment->color;
        painter.fillRect(QRectF(item.place.left(),
                                std::round(item.place.center().y() - kSwatch / 2), kSwatch,
                                kSwatch),
                         color.isValid() ? color : theme.line);
        painter.setPen(theme.text);
        painter.drawText(item.place.adjusted(kSwatch + 6, 0, 2, 0),
                         Qt::AlignVCenter | Qt::AlignLeft, item.text);
    }
}

QString SegmentBars::tipText(const SegmentBar &bar, const BarSegment &segment) const
{
    const Bytes whole = std::max<Bytes>(bar.total(), 1);
    const double share = 100.0 * static_cast<double>(segment.bytes) / static_cast<double>(whole);
    return u"%1%2: %3, %4 % of %5"_s.arg(bar.name.isEmpty() ? QString() : bar.name + u", "_s,
                                         segment.name, exactBytesText(segment.bytes, unit()),
                                         QString::number(share, 'f', 1), bytesText(whole, unit()));
}

QString SegmentBars::hoverText(QPointF point) const
{
    for (std::size_t i = 0; i < m_bars.size(); ++i) {
        if (!barRect(i).contains(point))
            continue;
        Bytes end = 0;
        for (const BarSegment &segment : m_bars[i].segments) {
            end += segment.bytes;
            if (segment.bytes > 0 && point.x() < endOf(i, end))
                return tipText(m_bars[i], segment);
        }
        if (m_bars[i].capacity)
            return u"%1: %2 free"_s.arg(m_bars[i].name,
                                        exactBytesText(*m_bars[i].capacity, unit()));
    }
    return {};
}

} // namespace vramscope
