// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/waterfall.h"

#include "ui/support/signed_text.h"
#include "ui/support/text.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr double kThickness = 0.66;
constexpr double kMostNames = 0.36; ///< of the width
constexpr double kBelow = 0.7;      ///< of the changes' span, shown below them where bars are cut
constexpr double kWorthACut = 0.3;  ///< of the largest total, at least, is left out

using Kind = WaterfallBar::Kind;

} // namespace

std::vector<WaterfallBar> waterfall(const QString &fromName, const PartBytes &from,
                                    const QString &toName, const PartBytes &to)
{
    const Bytes start = std::accumulate(from.begin(), from.end(), Bytes(0));
    std::vector<WaterfallBar> bars{{fromName, {}, 0, start, WaterfallBar::Kind::Total}};
    Bytes level = start;
    for (std::size_t part = 0; part < kPartCount; ++part) {
        const Bytes change = to[part] - from[part];
        if (change != 0)
            bars.push_back({partName(part), part, level, level + change});
        level += change;
    }
    bars.push_back({toName, {}, 0, level, WaterfallBar::Kind::Total});
    return bars;
}

WaterfallChart::WaterfallChart(QWidget *parent)
    : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(u"Where two plans differ"_s);
}

void WaterfallChart::setBars(const std::vector<WaterfallBar> &bars, const QString &emptyText)
{
    m_bars = bars;
    m_emptyText = emptyText;
    if (m_cursor && *m_cursor >= static_cast<int>(m_bars.size()))
        m_cursor.reset();
    update();
}

void WaterfallChart::setUnit(ByteUnit unit)
{
    m_unit = unit;
    update();
}

void WaterfallChart::setCutOff(bool cutOff)
{
    m_cutOff = cutOff;
    update();
}

Bytes WaterfallChart::beginning() const
{
    Bytes lowest = std::numeric_limits<Bytes>::max();
    Bytes highest = 0;
    for (const WaterfallBar &bar : m_bars) {
        if (!m_cutOff)
            return 0;
        lowest = std::min(lowest, bar.kind == Kind::Total ? bar.to : std::min(bar.from, bar.to));
        highest = std::max({highest, bar.from, bar.to});
    }
    if (m_bars.empty())
        return 0;
    const auto below = static_cast<Bytes>(kBelow * static_cast<double>(highest - lowest));
    const Bytes from = lowest - below;
    const double share = static_cast<double>(from) / std::max(1.0, static_cast<double>(highest));
    return highest > lowest && share > kWorthACut ? from : 0;
}

void WaterfallChart::setMostRowHeight(double height)
{
    m_mostRow = height;
    update();
}

void WaterfallChart::setSelectedPart(std::optional<std::size_t> part)
{
    m_part = part;
    update();
}

QFont WaterfallChart::smallFont() const
{
    QFont small = font();
    small.setPointSizeF(small.pointSizeF() * 0.88);
    return small;
}

QRectF WaterfallChart::row(int bar) const
{
    const double height = std::min(
        this->height() / std::max<double>(1, static_cast<double>(m_bars.size())), m_mostRow);
    return {0, bar * height, static_cast<double>(width()), height};
}

QRectF WaterfallChart::plot() const
{
    const QFontMetricsF metrics(smallFont());
    double names = 0;
    double labels = 0;
    for (int bar = 0; bar < static_cast<int>(m_bars.size()); ++bar) {
        names =
            std::max(names, metrics.horizontalAdvance(m_bars[static_cast<std::size_t>(bar)].name));
        labels = std::max(labels, metrics.horizontalAdvance(label(bar)));
    }
    const double left = std::min(names + 14, kMostNames * width());
    return {left, 0, std::max(width() - left - labels - 14, 20.0), static_cast<double>(height())};
}

QRectF WaterfallChart::box(int bar) const
{
    Bytes highest = 1;
    for (const WaterfallBar &one : m_bars)
        highest = std::max({highest, one.from, one.to});
    const WaterfallBar &shown = m_bars[static_cast<std::size_t>(bar)];
    const QRectF area = plot();
    const Bytes begin = beginning();
    const auto x = [&](Bytes bytes) {
        return area.left() + static_cast<double>(std::max<Bytes>(bytes - begin, 0)) /
                                 static_cast<double>(highest - begin) * area.width();
    };
    const QRectF line = row(bar);
    const double low = x(std::min(shown.from, shown.to));
    const double high = x(std::max(shown.from, shown.to));
    const double thick = line.height() * kThickness;
    return {low, line.center().y() - thick / 2, std::max(high - low, 1.0), thick};
}

QString WaterfallChart::label(int bar) const
{
    const WaterfallBar &shown = m_bars[static_cast<std::size_t>(bar)];
    return shown.kind == Kind::Total ? bytesText(shown.to, m_unit)
                                     : signedBytesText(shown.change(), m_unit);
}

QString WaterfallChart::barText(int bar) const
{
    const WaterfallBar &shown = m_bars[static_cast<std::size_t>(bar)];
    const Bytes change = shown.change();
    if (shown.kind == Kind::Total)
        return u"<b>%1</b><br>%2"_s.arg(shown.name.toHtmlEscaped(),
                                        exactBytesText(shown.to, m_unit));
    return u"<b>%1</b><br>%2 %3"_s.arg(shown.name.toHtmlEscaped(),
                                       change < 0 ? u"less by"_s : u"more by"_s,
                                       exactBytesText(change < 0 ? -change : change, m_unit));
}

std::optional<int> WaterfallChart::barAt(QPointF point) const
{
    for (int bar = 0; bar < static_cast<int>(m_bars.size()); ++bar) {
        if (row(bar).contains(point))
            return bar;
    }
    return std::nullopt;
}

QString WaterfallChart::hoverText(QPointF point) const
{
    const std::optional<int> bar = barAt(point);
    return bar ? barText(*bar) : QString();
}

void WaterfallChart::choose(int bar)
{
    Q_EMIT barClicked(bar);
    if (const std::optional<std::size_t> part = m_bars[static_cast<std::size_t>(bar)].part)
        Q_EMIT partClicked(*part);
}

void WaterfallChart::mousePressEvent(QMouseEvent *event)
{
    const std::optional<int> bar = barAt(event->position());
    if (event->button() == Qt::LeftButton && bar)
        choose(*bar);
}

void WaterfallChart::mouseMoveEvent(QMouseEvent *event)
{
    const QString text = hoverText(event->position());
    if (text.isEmpty())
        QToolTip::hideText();
    else
        QToolTip::showText(event->globalPosition().toPoint(), text, this);
}

void WaterfallChart::keyPressEvent(QKeyEvent *event)
{
    const int key = event->key();
    const auto last = static_cast<int>(m_bars.size()) - 1;
    if (last >= 0 && (key == Qt::Key_Down || key == Qt::Key_Up)) {
        m_cursor = key == Qt::Key_Down ? std::min(m_cursor.value_or(-1) + 1, last)
                                       : std::max(m_cursor.value_or(last + 1) - 1, 0);
        const QString text = barText(*m_cursor);
        setAccessibleDescription(m_bars[static_cast<std::size_t>(*m_cursor)].name + u' ' +
                                 label(*m_cursor));
        QToolTip::showText(mapToGlobal(box(*m_cursor).bottomLeft().toPoint()), text, this);
        update();
    } else if (m_cursor &&
               (key == Qt::Key_Return || key == Qt::Key_Enter || key == Qt::Key_Space)) {
        choose(*m_cursor);
    } else {
        QWidget::keyPressEvent(event);
    }
}

} // namespace vramscope
