// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/trace/budget_bar.h"

#include "core/analysis/findings/out_of_memory.h"
#include "ui/support/hatch.h"
#include "ui/support/text.h"
#include "ui/support/theme.h"

#include <QPainter>

#include <algorithm>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr double kBudgetLabel = 16; // pixels
constexpr double kBudgetGap = 4;
constexpr double kBudgetHeight = 28;
constexpr double kRequestHeight = 14;

} // namespace

BudgetBar::BudgetBar(QWidget *parent)
    : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    setAccessibleName(u"The device's memory at the failure"_s);
}

void BudgetBar::setFailure(const OutOfMemoryReport &failure, ByteUnit unit)
{
    const Bands &bands = failure.bands;
    m_used = wrappingSum(bands.requested, bands.rounding);
    m_holes = wrappingDifference(bands.reserved(), m_used);
    m_free = failure.deviceFree;
    m_asked = failure.requested;
    m_unit = unit;
    setAccessibleDescription(text());
    setToolTip(text());
    update();
}

QString BudgetBar::text() const
{
    QString text = u"In use %1, free between blocks %2"_s.arg(bytesText(m_used, m_unit),
                                                              bytesText(m_holes, m_unit));
    if (m_free >= 0)
        text += u", free on the device %1"_s.arg(bytesText(m_free, m_unit));
    return text + u"; asked for %1"_s.arg(bytesText(m_asked, m_unit));
}

QSize BudgetBar::sizeHint() const
{
    return {200, static_cast<int>(kBudgetLabel + kBudgetGap + kBudgetHeight + kBudgetGap +
                                  kRequestHeight + kBudgetGap)};
}

void BudgetBar::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(typeFont(this, Type::Small));
    const QFontMetricsF metrics(painter.font());
    const Theme &theme = themeOf(this);
    const double held = static_cast<double>(m_used) + static_cast<double>(m_holes);
    const double device = held + static_cast<double>(std::max(m_free, Bytes(0)));
    const double whole = std::max({device, held + static_cast<double>(m_asked), 1.0});
    const double perByte = (width() - 2) / whole;
    const auto part = [&, top = kBudgetLabel + kBudgetGap](double from, double bytes) {
        return QRectF(from * perByte, top, bytes * perByte, kBudgetHeight);
    };
    const QRectF used = part(0, static_cast<double>(m_used));
    const QRectF holes = part(static_cast<double>(m_used), static_cast<double>(m_holes));
    const QColor fill = categoryColor(Category::Framework);
    painter.fillRect(used, fill);
    fillHatched(painter, {holes}, QPen(theme.control, 1.5));
    if (m_free > 0) {
        const QRectF free = part(held, static_cast<double>(m_free)).adjusted(0.5, 0.5, -0.5, -0.5);
        painter.setPen(theme.good);
        painter.setBrush(theme.goodFill);
        painter.drawRect(free);
    }
    painter.setPen(textOn(fill));
    const QString inUse = u"in use %1"_s.arg(bytesText(m_used, m_unit));
    const QString between = u"free between blocks %1"_s.arg(bytesText(m_holes, m_unit));
    double room = used.width() - 16 - metrics.horizontalAdvance(inUse);
    if (room >= 0)
        painter.drawText(used.adjusted(8, 0, -8, 0), Qt::AlignLeft | Qt::AlignVCenter, inUse);
    if (room -= metrics.horizontalAdvance(between) + 16; room >= 0 && m_holes > 0)
        painter.drawText(used.adjusted(8, 0, -6, 0), Qt::AlignRight | Qt::AlignVCenter, between);
    if (m_free >= 0) {
        const double end = device * perByte;
        painter.fillRect(
            QRectF(end - 1, kBudgetLabel, 2, kBudgetHeight + kRequestHeight + 3 * kBudgetGap),
            theme.text);
        painter.setPen(theme.text);
        painter.drawText(
            QRectF(0, 0, std::min(end + 1, double(width())), kBudgetLabel),
            Qt::AlignRight | Qt::AlignVCenter,
            u"%1 for this process"_s.arg(bytesText(static_cast<Bytes>(device), m_unit)));
    }
    paintRequest(painter, held * perByte, perByte);
}

void BudgetBar::paintRequest(QPainter &painter, double from, double perByte) const
{
    const Theme &theme = themeOf(this);
    const QRectF box(from + 0.5, kBudgetLabel + kBudgetHeight + 2 * kBudgetGap + 0.5,
                     std::max(static_cast<double>(m_asked) * perByte - 1, 4.0), kRequestHeight - 1);
    painter.setPen(QPen(theme.bad, 1.5));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(box);
    QString text = u"asked %1"_s.arg(bytesText(m_asked, m_unit));
    if (m_free >= 0)
        text += u", free %1"_s.arg(bytesText(m_free, m_unit));
    const double wide = QFontMetricsF(painter.font()).horizontalAdvance(text) + 2;
    const bool isLeft = wide + 6 <= box.left();
    const QRectF place(isLeft ? box.left() - 6 - wide : box.right() + 6, box.top(), wide,
                       box.height());
    painter.drawText(place, Qt::AlignLeft | Qt::AlignVCenter, text);
}

} // namespace vramscope
