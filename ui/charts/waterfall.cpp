// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/waterfall.h"

#include "ui/support/hatch.h"
#include "ui/support/text.h"
#include "ui/support/theme.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <limits>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr double kThickness = 0.66;
constexpr double kMostNames = 0.36; ///< of the width
constexpr double kBelow = 0.7;      ///< of the changes' span, shown below them where bars are cut
constexpr double kWorthACut = 0.3;  ///< of the largest total, at least, is left out

using Kind = WaterfallBar::Kind;

/// Parts have their colours.
QColor colorOf(const WaterfallBar &bar, const Theme &theme)
{
    if (bar.kind == Kind::Total)
        return theme.border;
    return bar.part ? partColor(*bar.part) : theme.accent;
}

/// A text in one line, or broken into two, the second elided.
QString inTwoLines(const QString &text, const QFontMetricsF &metrics, double width)
{
    if (metrics.horizontalAdvance(text) <= width)
        return text;
    qsizetype end = -1;
    for (qsizetype at = text.indexOf(u' '); at >= 0; at = text.indexOf(u' ', at + 1)) {
        if (metrics.horizontalAdvance(text.left(at)) > width)
            break;
        end = at;
    }
    if (end < 0)
        return metrics.elidedText(text, Qt::ElideMiddle, width);
    return text.left(end) + u'\n' + metrics.elidedText(text.mid(end + 1), Qt::ElideRight, width);
}

} // namespace

std::vector<WaterfallBar> waterfall(const QString &fromName, const PartBytes &from,
                                    const QString &toName, const PartBytes &to)
{
    const Bytes start = totalOf(from);
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
    : Chart(parent)
{
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
    return shown.kind == Kind::Total ? bytesText(shown.to, unit())
                                     : signedBytesText(shown.change(), unit());
}

QString WaterfallChart::barText(int bar) const
{
    const WaterfallBar &shown = m_bars[static_cast<std::size_t>(bar)];
    const Bytes change = shown.change();
    if (shown.kind == Kind::Total)
        return u"<b>%1</b><br>%2"_s.arg(shown.name.toHtmlEscaped(),
                                        exactBytesText(shown.to, unit()));
    return u"<b>%1</b><br>%2 %3"_s.arg(shown.name.toHtmlEscaped(),
                                       change < 0 ? u"less by"_s : u"more by"_s,
                                       exactBytesText(change < 0 ? -change : change, unit()));
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
    } else if (m_cursor && (isEnter(key) || key == Qt::Key_Space)) {
        choose(*m_cursor);
    } else {
        QWidget::keyPressEvent(event);
    }
}

void WaterfallChart::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    const Theme &theme = themeOf(this);
    painter.setFont(smallFont());
    if (m_bars.empty())
        return paintReason(painter, rect().adjusted(12, 12, -12, -12), m_emptyText, theme);
    for (int bar = 0; bar < static_cast<int>(m_bars.size()); ++bar)
        paintBar(painter, bar, theme);
    if (hasFocus()) {
        painter.setPen(theme.accent);
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(m_cursor ? row(*m_cursor).adjusted(0.5, 0.5, -0.5, -0.5)
                                         : QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5),
                                4, 4);
    }
}

void WaterfallChart::paintBar(QPainter &painter, int bar, const Theme &theme) const
{
    const WaterfallBar &shown = m_bars[static_cast<std::size_t>(bar)];
    const QRectF line = row(bar);
    const QRectF place = box(bar);
    const bool selected = shown.part && shown.part == m_part;
    if (selected)
        painter.fillRect(line, theme.selection);
    if (shown.kind != Kind::Rest) {
        painter.fillRect(place, colorOf(shown, theme));
    } else { // without a reason
        fillHatched(painter, {place}, theme.dim);
        painter.setPen(theme.dim);
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(place);
    }
    if (shown.kind == Kind::Total && beginning() > 0)
        paintBreak(painter, place, theme);
    if (selected) {
        painter.setPen(QPen(theme.text, 1.4));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(place);
    }
    if (bar + 1 < static_cast<int>(m_bars.size())) { // where the next one begins
        const QRectF area = plot();
        const bool grows = shown.to >= shown.from;
        const double x =
            std::clamp(grows ? place.right() : place.left(), area.left(), area.right());
        painter.setPen(QPen(theme.dim, 1, Qt::DotLine));
        painter.drawLine(QPointF(x, place.bottom()), QPointF(x, box(bar + 1).top()));
    }
    painter.setPen(theme.text);
    paintName(painter, bar);
    painter.drawText(QRectF(place.right() + 6, line.top(), width() - place.right(), line.height()),
                     Qt::AlignLeft | Qt::AlignVCenter, label(bar));
}

// Two slanted strokes across a bar that does not begin at 0.
void WaterfallChart::paintBreak(QPainter &painter, const QRectF &place, const Theme &theme) const
{
    painter.setPen(QPen(theme.card, 2.5));
    const double x = place.left() + std::min(10.0, place.width() / 3);
    for (const double at : {x, x + 6})
        painter.drawLine(QPointF(at - 3, place.bottom() + 1), QPointF(at + 3, place.top() - 1));
}

void WaterfallChart::paintName(QPainter &painter, int bar) const
{
    const QFontMetricsF metrics(smallFont());
    const QRectF line = row(bar);
    const double names = plot().left() - 12;
    const QString &name = m_bars[static_cast<std::size_t>(bar)].name;
    const bool two = line.height() >= 2 * metrics.lineSpacing() - 2;
    painter.drawText(QRectF(0, line.top(), names, line.height()), Qt::AlignRight | Qt::AlignVCenter,
                     two ? inTwoLines(name, metrics, names)
                         : metrics.elidedText(name, Qt::ElideMiddle, names));
}

} // namespace vramscope
