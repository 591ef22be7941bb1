// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/row_button.h"

#include "ui/support/icons.h"
#include "ui/support/theme.h"

#include <QPainter>
#include <QStyleOptionButton>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr int kPadding = 8;
constexpr int kAbove = 5; // and below
constexpr int kIcon = 16;
constexpr int kIconGap = 10;

} // namespace

RowButton::RowButton(const QString &icon, const QString &title, QWidget *parent)
    : QPushButton(title, parent)
    , m_icon(icon)
{
    setProperty("role", u"row"_s);
    setAccessibleName(title);
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    setCursor(Qt::PointingHandCursor);
}

void RowButton::setDetail(const QString &detail, Detail place)
{
    m_detail = detail;
    m_place = place;
    setAccessibleDescription(detail);
    updateGeometry();
    update();
}

void RowButton::setKey(const QString &key)
{
    m_key = key;
    update();
}

void RowButton::setIconName(const QString &icon)
{
    m_icon = icon;
    update();
}

QSize RowButton::sizeHint() const
{
    const int lines = m_place == Detail::Below && !m_detail.isEmpty() ? 2 : 1;
    return {fontMetrics().averageCharWidth() * 40,
            lines * fontMetrics().height() + 2 * kAbove + lines - 1};
}

QSize RowButton::minimumSizeHint() const
{
    return {fontMetrics().averageCharWidth() * 12, sizeHint().height()};
}

void RowButton::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    QStyleOptionButton option;
    initStyleOption(&option);
    option.text.clear();
    style()->drawControl(QStyle::CE_PushButton, &option, &painter, this);

    const Theme &theme = themeOf(parentWidget() ? parentWidget() : this);
    const QColor quiet = isEnabled() ? theme.dim : theme.faint();
    const int line = fontMetrics().height();
    const auto put = [&](QRect place, const QString &text, const QColor &color,
                         Qt::TextElideMode mode, Qt::Alignment side) {
        painter.setPen(color);
        painter.drawText(place, static_cast<int>(side | Qt::AlignVCenter) | Qt::TextSingleLine,
                         fontMetrics().elidedText(text, mode, place.width()));
    };
    const QRect icon(kPadding, kAbove + (line - kIcon) / 2, kIcon, kIcon);
    painter.drawPixmap(icon.topLeft(), tintedPixmap(m_icon, isEnabled() ? theme.accent : quiet,
                                                    kIcon, devicePixelRatioF()));
    QRect row(icon.right() + kIconGap, kAbove, 0, line);
    row.setRight(width() - kPadding);
    if (!m_key.isEmpty()) {
        put(row, m_key, quiet, Qt::ElideNone, Qt::AlignRight);
        row.setRight(row.right() - fontMetrics().horizontalAdvance(m_key) - kIconGap);
    }
    // The end of a file's name is as informative as its beginning.
    put(row, text(), isEnabled() ? theme.text : quiet,
        m_place == Detail::Below ? Qt::ElideRight : Qt::ElideMiddle, Qt::AlignLeft);
    if (m_place == Detail::Below)
        row.translate(0, line + 1);
    else
        row.setLeft(row.left() + fontMetrics().horizontalAdvance(text()) + kIconGap);
    if (row.width() > fontMetrics().averageCharWidth() * 4)
        put(row, m_detail, quiet, m_place == Detail::Below ? Qt::ElideRight : Qt::ElideLeft,
            Qt::AlignLeft);
}

} // namespace vramscope
