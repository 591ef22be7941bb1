// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/stage/levels_picture.h"

#include "ui/charts/text_patch.h"
#include "ui/support/text.h"
#include "ui/support/theme.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr double kRowHeight = 62;
constexpr double kBarHeight = 18;
constexpr double kGapAbove = 20;   ///< above the remarks
constexpr double kSpace = 12;      ///< between the pieces of text of a row
constexpr double kLimitSpace = 20; ///< for the name of the limit, above the rows

QFont fontOf(const QWidget &widget, double factor, bool bold = false)
{
    QFont font = widget.font();
    font.setPointSizeF(font.pointSizeF() * factor);
    font.setBold(bold);
    return font;
}

} // namespace

LevelsPicture::LevelsPicture(LevelBars levels, ByteUnit unit, QWidget *parent)
    : QWidget(parent)
    , m_levels(std::move(levels))
    , m_unit(unit)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Maximum);
}

double LevelsPicture::rowsTop() const
{
    return m_levels.limit ? kLimitSpace : 0;
}

double LevelsPicture::rowsBottom() const
{
    return rowsTop() + kRowHeight * static_cast<double>(m_levels.rows.size());
}

QSize LevelsPicture::sizeHint() const
{
    double widest = 0;
    for (const LevelBars::Row &row : m_levels.rows) {
        double wide = 0;
        for (const Piece &piece : piecesOf(row))
            wide += kSpace + QFontMetricsF(piece.font).horizontalAdvance(piece.text);
        widest = std::max(widest, wide);
    }
    const QRect text(0, 0, std::max(width(), 1), QWIDGETSIZE_MAX);
    const double remarks =
        m_levels.remarks.isEmpty()
            ? 0
            : kGapAbove + QFontMetrics(fontOf(*this, 1.1))
                              .boundingRect(text, Qt::TextWordWrap, m_levels.remarks.join(u'\n'))
                              .height();
    return QSizeF(widest, std::ceil(rowsBottom() + remarks)).toSize();
}

std::vector<LevelsPicture::Piece> LevelsPicture::piecesOf(const LevelBars::Row &row) const
{
    const Theme &theme = themeOf(this);
    const QFont plain = fontOf(*this, 1.1);
    std::vector<Piece> pieces{{row.name, plain, theme.dim},
                              {bytesText(row.bytes, m_unit), fontOf(*this, 1.6, true), theme.text}};
    if (row.low != row.high)
        pieces.push_back(
            {u"%1 to %2"_s.arg(bytesText(row.low, m_unit), bytesText(row.high, m_unit)), plain,
             theme.dim});
    return pieces;
}

void LevelsPicture::paintText(QPainter &painter, const LevelBars::Row &row, QRectF place) const
{
    const double baseline = place.bottom() - kBarHeight - 13;
    for (const Piece &piece : piecesOf(row)) {
        const double width = QFontMetricsF(piece.font).horizontalAdvance(piece.text);
        painter.setFont(piece.font);
        painter.setPen(piece.color);
        const double ascent = QFontMetricsF(piece.font).ascent();
        drawOnPatch(painter, {place.left(), baseline - ascent, width + 1, place.height()},
                    Qt::AlignLeft | Qt::AlignTop, piece.text, palette().color(backgroundRole()));
        place.setLeft(place.left() + width + kSpace);
    }
}

QColor LevelsPicture::barColor(const LevelBars::Row &row, const Theme &theme) const
{
    const bool banded = row.low != row.high;
    if (!m_levels.limit || std::max(row.bytes, banded ? row.high : 0) <= *m_levels.limit)
        return theme.accent;
    return (banded ? row.low : row.bytes) > *m_levels.limit ? theme.bad : theme.warn;
}

void LevelsPicture::paintBar(QPainter &painter, const LevelBars::Row &row, const QRectF &place,
                             double bytesPerPixel) const
{
    const Theme &theme = themeOf(this);
    const auto x = [&](Bytes bytes) {
        return place.left() + static_cast<double>(bytes) / bytesPerPixel;
    };
    const QRectF bar(place.left(), place.bottom() - kBarHeight - 2, x(row.bytes) - place.left(),
                     kBarHeight);
    painter.fillRect(bar, barColor(row, theme));
    if (row.low == row.high)
        return;
    painter.setPen(QPen(theme.text, 2));
    const double middle = bar.center().y();
    painter.drawLine(QLineF(x(row.low), middle, x(row.high), middle));
    for (const Bytes end : {row.low, row.high})
        painter.drawLine(QLineF(x(end), middle - 5, x(end), middle + 5));
}

void LevelsPicture::paintLimit(QPainter &painter, double x) const
{
    const double bottom = rowsBottom();
    painter.setPen(QPen(themeOf(this).text, 1.5, Qt::DashLine));
    painter.drawLine(QLineF(x, kLimitSpace - 2, x, bottom));
    painter.setFont(fontOf(*this, 1.0));
    const QString name = u"capacity %1"_s.arg(bytesText(*m_levels.limit, m_unit));
    const double wide = painter.fontMetrics().horizontalAdvance(name);
    painter.drawText(QRectF(std::max(0.0, std::min(x - wide / 2, width() - wide - 1.0)), 0,
                            wide + 1, kLimitSpace - 2),
                     Qt::AlignCenter, name);
}

void LevelsPicture::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    Bytes most = m_levels.limit.value_or(0);
    for (const LevelBars::Row &row : m_levels.rows)
        most = std::max({most, row.bytes, row.high});
    const double perPixel = std::max(1.0, static_cast<double>(most) * 1.02 / width());
    const auto placeOf = [&](std::size_t row) {
        return QRectF(0, rowsTop() + static_cast<double>(row) * kRowHeight, width(), kRowHeight);
    };
    for (std::size_t row = 0; row < m_levels.rows.size(); ++row)
        paintBar(painter, m_levels.rows[row], placeOf(row), perPixel);
    if (m_levels.limit)
        paintLimit(painter, static_cast<double>(*m_levels.limit) / perPixel);
    for (std::size_t row = 0; row < m_levels.rows.size(); ++row)
        paintText(painter, m_levels.rows[row], placeOf(row));
    const double bottom = rowsBottom();
    painter.setFont(fontOf(*this, 1.1));
    painter.setPen(themeOf(this).text);
    painter.drawText(QRectF(0, bottom + kGapAbove, width(), height() - bottom - kGapAbove),
                     Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, m_levels.remarks.join(u'\n'));
}

} // namespace vramscope
