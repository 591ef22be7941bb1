// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/stage/levels_picture.h"

#include "ui/support/text.h"
#include "ui/support/theme.h"

#include <QPainter>

#include <algorithm>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr double kRowHeight = 62;
constexpr double kBarHeight = 18;
constexpr double kGap = 20;        ///< above the remarks
constexpr double kLimitSpace = 20; ///< for the name of the limit, above the rows

QFont fontOf(const QWidget &widget, double factor, bool bold = false)
{
    QFont font = widget.font();
    font.setPointSizeF(font.pointSizeF() * factor);
    font.setBold(bold);
    return font;
}

} // namespace

LevelsPicture::LevelsPicture(Levels levels, ByteUnit unit, QWidget *parent)
    : QWidget(parent)
    , m_levels(std::move(levels))
    , m_unit(unit)
{
}

void LevelsPicture::paintRow(QPainter &painter, const Levels::Row &row, const QRectF &place,
                             double bytesPerPixel) const
{
    const Theme &theme = themeOf(this);
    const auto x = [&](Bytes bytes) {
        return place.left() + static_cast<double>(bytes) / bytesPerPixel;
    };
    const QRectF text = place.adjusted(0, 0, 0, -kBarHeight - 8);
    painter.setFont(fontOf(*this, 1.1));
    painter.setPen(theme.dim);
    painter.drawText(text, Qt::AlignLeft | Qt::AlignBottom, row.name);
    const double name = painter.fontMetrics().horizontalAdvance(row.name) + 12;
    painter.setFont(fontOf(*this, 1.6, true));
    painter.setPen(theme.text);
    const QString size = bytesText(row.bytes, m_unit);
    painter.drawText(text.adjusted(name, 0, 0, 4), Qt::AlignLeft | Qt::AlignBottom, size);
    const bool band = row.low != row.high;
    const double sized = name + painter.fontMetrics().horizontalAdvance(size) + 12;
    const QRectF bar(place.left(), text.bottom() + 6, x(row.bytes) - place.left(), kBarHeight);
    const bool over = m_levels.limit && row.bytes > *m_levels.limit;
    painter.fillRect(bar, over ? theme.bad : theme.accent);
    if (!band)
        return;
    painter.setFont(fontOf(*this, 1.1));
    painter.setPen(theme.dim);
    painter.drawText(text.adjusted(sized, 0, 0, 0), Qt::AlignLeft | Qt::AlignBottom,
                     u"%1 to %2"_s.arg(bytesText(row.low, m_unit), bytesText(row.high, m_unit)));
    painter.setPen(QPen(theme.text, 2));
    const double middle = bar.center().y();
    painter.drawLine(QLineF(x(row.low), middle, x(row.high), middle));
    for (const Bytes end : {row.low, row.high})
        painter.drawLine(QLineF(x(end), middle - 5, x(end), middle + 5));
}

void LevelsPicture::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Theme &theme = themeOf(this);
    Bytes most = m_levels.limit.value_or(0);
    for (const Levels::Row &row : m_levels.rows)
        most = std::max({most, row.bytes, row.high});
    const double perPixel = std::max(1.0, static_cast<double>(most) * 1.02 / width());
    const double top = m_levels.limit ? kLimitSpace : 0;
    QRectF place(0, top, width(), kRowHeight);
    for (const Levels::Row &row : m_levels.rows) {
        paintRow(painter, row, place, perPixel);
        place.translate(0, kRowHeight);
    }
    if (m_levels.limit) {
        const double x = static_cast<double>(*m_levels.limit) / perPixel;
        painter.setPen(QPen(theme.text, 1.5, Qt::DashLine));
        painter.drawLine(QLineF(x, top - 2, x, place.top()));
        painter.setFont(fontOf(*this, 1.0));
        const QString name = u"capacity %1"_s.arg(bytesText(*m_levels.limit, m_unit));
        const double wide = painter.fontMetrics().horizontalAdvance(name);
        painter.drawText(QRectF(std::max(0.0, std::min(x - wide / 2, width() - wide - 1.0)), 0,
                                wide + 1, kLimitSpace - 2),
                         Qt::AlignCenter, name);
    }
    painter.setFont(fontOf(*this, 1.1));
    painter.setPen(theme.text);
    painter.drawText(QRectF(0, place.top() + kGap, width(), height() - place.top() - kGap),
                     Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, m_levels.remarks.join(u'\n'));
}

} // namespace vramscope
