// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/serving_log/budget_bar.h"

#include "ui/support/parts.h"
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

constexpr double kBarHeight = 24;
constexpr double kBarGap = 6;
constexpr double kSwatch = 10;
constexpr double kBetweenEntries = 18;

QColor colorOf(BudgetPart part, const Theme &theme)
{
    switch (part) {
    case BudgetPart::Weights:
        return categoryColor(Category::Parameters);
    case BudgetPart::Outside:
        return partColor(kOutsidePart);
    case BudgetPart::Activations:
        return categoryColor(Category::Activations);
    case BudgetPart::Graphs:
        return categoryColor(Category::TemporaryBuffers);
    case BudgetPart::Cache:
        return categoryColor(Category::KeyValueCache);
    case BudgetPart::Unused:
        break;
    }
    return theme.line;
}

/// Black or white, whichever is read better on a colour.
QColor textOn(const QColor &color)
{
    constexpr int kMiddle = 140;
    return qGray(color.rgb()) > kMiddle ? QColor(Qt::black) : QColor(Qt::white);
}

} // namespace

BudgetBar::BudgetBar(QWidget *parent)
    : QWidget(parent)
{
    setMouseTracking(true);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(u"What takes the memory"_s);
}

void BudgetBar::setBars(std::vector<BudgetOfDevice> bars)
{
    m_bars = std::move(bars);
    QStringList texts;
    for (const BudgetOfDevice &bar : m_bars)
        for (const BudgetPiece &piece : bar.pieces)
            texts << tipText(bar, piece);
    setAccessibleDescription(texts.join(u'\n'));
    updateGeometry();
    update();
}

void BudgetBar::setUnit(ByteUnit unit)
{
    m_unit = unit;
    updateGeometry();
    update();
}

QFont BudgetBar::smallerFont() const
{
    QFont smaller = font();
    smaller.setPointSizeF(smaller.pointSizeF() * 0.92);
    return smaller;
}

double BudgetBar::namesWidth() const
{
    double widest = 0;
    const QFontMetricsF metrics(smallerFont());
    for (const BudgetOfDevice &bar : m_bars)
        if (!bar.name.isEmpty())
            widest = std::max(widest, metrics.horizontalAdvance(bar.name) + 10);
    return std::ceil(widest);
}

double BudgetBar::wholeWidth() const
{
    double widest = 0;
    const QFontMetricsF metrics(smallerFont());
    for (const BudgetOfDevice &bar : m_bars)
        widest = std::max(widest, metrics.horizontalAdvance(bytesText(bar.whole, m_unit)) + 10);
    return std::ceil(widest);
}

QRectF BudgetBar::barRect(std::size_t bar) const
{
    Bytes longest = 1;
    for (const BudgetOfDevice &each : m_bars)
        longest = std::max(longest, each.whole);
    const double room = width() - namesWidth() - wholeWidth();
    const double length =
        room * static_cast<double>(m_bars[bar].whole) / static_cast<double>(longest);
    return {namesWidth(), static_cast<double>(bar) * (kBarHeight + kBarGap), std::round(length),
            kBarHeight};
}

QRectF BudgetBar::pieceRect(std::size_t bar, std::size_t piece) const
{
    const QRectF whole = barRect(bar);
    const BudgetOfDevice &it = m_bars[bar];
    const auto x = [&](Bytes bytes) {
        return whole.left() + std::round(whole.width() * static_cast<double>(bytes) /
                                         static_cast<double>(std::max<Bytes>(it.whole, 1)));
    };
    Bytes before = 0;
    for (std::size_t at = 0; at < piece; ++at)
        before += it.pieces[at].bytes;
    return QRectF(QPointF(x(before), whole.top()),
                  QPointF(x(before + it.pieces[piece].bytes), whole.bottom()));
}

/// Every part once, with its size where there is one bar.
std::vector<BudgetBar::LegendEntry> BudgetBar::legend(double width) const
{
    const QFontMetricsF metrics(smallerFont());
    const double line = std::ceil(metrics.height()) + 4;
    std::vector<LegendEntry> entries;
    double top = static_cast<double>(m_bars.size()) * (kBarHeight + kBarGap) + 2;
    double left = namesWidth();
    for (const BudgetOfDevice &bar : m_bars) {
        for (const BudgetPiece &piece : bar.pieces) {
            if (std::ranges::find(entries, piece.part, &LegendEntry::part) != entries.end())
                continue;
            LegendEntry entry{piece.part, piece.name, {}};
            if (m_bars.size() == 1)
                entry.text += u"  "_s + bytesText(piece.bytes, m_unit);
            const double wide = kSwatch + 5 + std::ceil(metrics.horizontalAdvance(entry.text));
            if (left > namesWidth() && left + wide > width) {
                left = namesWidth();
                top += line;
            }
            entry.rect = QRectF(left, top, wide, line);
            left += wide + kBetweenEntries;
            entries.push_back(std::move(entry));
        }
    }
    return entries;
}

QSize BudgetBar::sizeHint() const
{
    return {600, heightForWidth(600)};
}

QSize BudgetBar::minimumSizeHint() const
{
    return {240, heightForWidth(QWIDGETSIZE_MAX)};
}

int BudgetBar::heightForWidth(int width) const
{
    const auto entries = legend(width);
    return entries.empty() ? 0 : static_cast<int>(std::ceil(entries.back().rect.bottom())) + 2;
}

QString BudgetBar::tipText(const BudgetOfDevice &bar, const BudgetPiece &piece) const
{
    const double share = 100.0 * static_cast<double>(piece.bytes) /
                         static_cast<double>(std::max<Bytes>(bar.whole, 1));
    const QString text =
        u"%1: %2, %3 % of %4"_s.arg(piece.name, exactBytesText(piece.bytes, m_unit),
                                    QString::number(share, 'f', 1), bytesText(bar.whole, m_unit));
    return bar.name.isEmpty() ? text : bar.name + u", "_s + text;
}

bool BudgetBar::event(QEvent *event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto *help = static_cast<QHelpEvent *>(event);
    for (std::size_t bar = 0; bar < m_bars.size(); ++bar) {
        for (std::size_t piece = 0; piece < m_bars[bar].pieces.size(); ++piece) {
            if (pieceRect(bar, piece).contains(help->pos())) {
                QToolTip::showText(help->globalPos(),
                                   tipText(m_bars[bar], m_bars[bar].pieces[piece]), this);
                return true;
            }
        }
    }
    QToolTip::hideText();
    return true;
}

void BudgetBar::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    const Theme &theme = themeOf(this);
    painter.setFont(smallerFont());
    const QFontMetricsF metrics(painter.font());
    for (std::size_t bar = 0; bar < m_bars.size(); ++bar) {
        const BudgetOfDevice &it = m_bars[bar];
        const QRectF whole = barRect(bar);
        painter.setPen(theme.dim);
        painter.drawText(QRectF(0, whole.top(), namesWidth(), whole.height()),
                         Qt::AlignVCenter | Qt::AlignLeft, it.name);
        painter.drawText(QRectF(whole.right() + 8, whole.top(), wholeWidth(), whole.height()),
                         Qt::AlignVCenter | Qt::AlignLeft, bytesText(it.whole, m_unit));
        for (std::size_t piece = 0; piece < it.pieces.size(); ++piece) {
            const QRectF rect = pieceRect(bar, piece);
            const QColor color = colorOf(it.pieces[piece].part, theme);
            painter.fillRect(rect, color);
            const QString text = bytesText(it.pieces[piece].bytes, m_unit);
            if (metrics.horizontalAdvance(text) + 10 > rect.width())
                continue;
            painter.setPen(it.pieces[piece].part == BudgetPart::Unused ? theme.text
                                                                       : textOn(color));
            painter.drawText(rect, Qt::AlignCenter, text);
        }
    }
    for (const LegendEntry &entry : legend(width())) {
        painter.fillRect(QRectF(entry.rect.left(),
                                std::round(entry.rect.center().y() - kSwatch / 2), kSwatch,
                                kSwatch),
                         colorOf(entry.part, theme));
        painter.setPen(theme.text);
        painter.drawText(entry.rect.adjusted(kSwatch + 5, 0, 2, 0),
                         Qt::AlignVCenter | Qt::AlignLeft, entry.text);
    }
}

} // namespace vramscope
