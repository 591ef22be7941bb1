// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/weight_file/segment_bars.h"

#include "ui/support/text.h"
#include "ui/support/theme.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr double kBarHeight = 22;
constexpr double kBarGap = 10;
constexpr double kSpace = 10; ///< between names, bars and notes
constexpr double kSwatch = 10;

} // namespace

Bytes SegmentBar::total() const
{
    Bytes sum = 0;
    for (const BarSegment &segment : segments)
        sum += segment.bytes;
    return sum;
}

SegmentBars::SegmentBars(QWidget *parent)
    : QWidget(parent)
{
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Minimum);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

void SegmentBars::setBars(std::vector<SegmentBar> bars)
{
    m_bars = std::move(bars);
    QStringList texts;
    for (const SegmentBar &bar : m_bars)
        texts << u"%1: %2 %3"_s.arg(bar.name, bytesText(bar.total(), m_unit), bar.note);
    setAccessibleDescription(texts.join(u"; "_s));
    updateGeometry();
    update();
}

void SegmentBars::setUnit(ByteUnit unit)
{
    m_unit = unit;
    update();
}

double SegmentBars::namesWidth() const
{
    double width = 0;
    for (const SegmentBar &bar : m_bars)
        width = std::max(width, fontMetrics().horizontalAdvance(bar.name) + kSpace);
    return m_bars.size() == 1 && m_bars.front().name.isEmpty() ? 0 : std::min(width, 260.0);
}

double SegmentBars::notesWidth() const
{
    double width = 0;
    for (const SegmentBar &bar : m_bars)
        if (!bar.note.isEmpty())
            width = std::max(width, fontMetrics().horizontalAdvance(bar.note) + kSpace);
    return width;
}

double SegmentBars::longest() const
{
    Bytes most = 1;
    for (const SegmentBar &bar : m_bars)
        most = std::max({most, bar.total(), bar.capacity.value_or(0)});
    return static_cast<double>(most);
}

QRectF SegmentBars::barRect(std::size_t bar) const
{
    const double left = namesWidth();
    return {left, static_cast<double>(bar) * (kBarHeight + kBarGap),
            std::max(40.0, width() - left - notesWidth()), kBarHeight};
}

std::vector<SegmentBars::LegendItem> SegmentBars::legend(double width) const
{
    std::vector<LegendItem> items;
    for (const SegmentBar &bar : m_bars) {
        for (const BarSegment &segment : bar.segments) {
            if (segment.bytes == 0 ||
                std::ranges::find(items, segment.color, &LegendItem::color) != items.end())
                continue;
            QString text = segment.name;
            if (m_bars.size() == 1)
                text += u" "_s + bytesText(segment.bytes, m_unit);
            items.push_back({std::move(text), segment.color, {}});
        }
    }
    double x = 0;
    double y = static_cast<double>(m_bars.size()) * (kBarHeight + kBarGap);
    const double line = fontMetrics().height() + 4;
    for (LegendItem &item : items) {
        const double needed = kSwatch + 6 + fontMetrics().horizontalAdvance(item.text) + 2 * kSpace;
        if (x > 0 && x + needed > width) {
            x = 0;
            y += line;
        }
        item.place = {x, y, needed, line};
        x += needed;
    }
    return items;
}

int SegmentBars::heightForWidth(int width) const
{
    const auto items = legend(width);
    const double end = items.empty() ? static_cast<double>(m_bars.size()) * (kBarHeight + kBarGap)
                                     : items.back().place.bottom();
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

void SegmentBars::paintEvent(QPaintEvent *)
{
    const Theme &theme = themeOf(this);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const double scale = longest();
    for (std::size_t i = 0; i < m_bars.size(); ++i) {
        const SegmentBar &bar = m_bars[i];
        const QRectF place = barRect(i);
        painter.setPen(theme.text);
        const double names = namesWidth();
        if (names > 0)
            painter.drawText(QRectF(0, place.top(), names - kSpace, kBarHeight),
                             Qt::AlignVCenter | Qt::AlignLeft,
                             fontMetrics().elidedText(bar.name, Qt::ElideRight,
                                                      static_cast<int>(names - kSpace)));
        if (bar.capacity) {
            painter.setPen(Qt::NoPen);
            painter.setBrush(theme.line);
            painter.drawRect(QRectF(place.left(), place.top(),
                                    place.width() * static_cast<double>(*bar.capacity) / scale,
                                    kBarHeight));
        }
        double x = place.left();
        for (const BarSegment &segment : bar.segments) {
            const double part = place.width() * static_cast<double>(segment.bytes) / scale;
            painter.fillRect(QRectF(x, place.top(), part, kBarHeight), segment.color);
            x += part;
        }
        if (bar.capacity) { // the end of what is free, over a bar that goes beyond it
            const double end =
                place.left() + place.width() * static_cast<double>(*bar.capacity) / scale;
            painter.setPen(QPen(bar.total() > *bar.capacity ? theme.bad : theme.dim, 2));
            painter.drawLine(QPointF(end - 1, place.top() - 2),
                             QPointF(end - 1, place.bottom() + 2));
        }
        painter.setPen(bar.isBad ? theme.bad : theme.dim);
        painter.drawText(QRectF(place.right() + kSpace, place.top(), notesWidth(), kBarHeight),
                         Qt::AlignVCenter | Qt::AlignLeft, bar.note);
    }
    for (const LegendItem &item : legend(width())) {
        const double middle = item.place.center().y();
        painter.fillRect(QRectF(item.place.left(), middle - kSwatch / 2, kSwatch, kSwatch),
                         item.color);
        painter.setPen(theme.text);
        painter.drawText(item.place.adjusted(kSwatch + 6, 0, 0, 0),
                         Qt::AlignVCenter | Qt::AlignLeft, item.text);
    }
}

QString SegmentBars::hoverText(QPointF point) const
{
    for (std::size_t i = 0; i < m_bars.size(); ++i) {
        const QRectF place = barRect(i);
        if (!place.contains(point))
            continue;
        double x = place.left();
        for (const BarSegment &segment : m_bars[i].segments) {
            const double part = place.width() * static_cast<double>(segment.bytes) / longest();
            if (point.x() >= x && point.x() < x + part)
                return u"%1%2: %3"_s.arg(m_bars[i].name.isEmpty() ? QString()
                                                                  : m_bars[i].name + u", "_s,
                                         segment.name, exactBytesText(segment.bytes, m_unit));
            x += part;
        }
        if (m_bars[i].capacity)
            return u"%1: %2 free"_s.arg(m_bars[i].name,
                                        exactBytesText(*m_bars[i].capacity, m_unit));
    }
    return {};
}

bool SegmentBars::event(QEvent *event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto *help = static_cast<QHelpEvent *>(event);
        QToolTip::showText(help->globalPos(), hoverText(help->pos()), this);
        return true;
    }
    return QWidget::event(event);
}

} // namespace vramscope
