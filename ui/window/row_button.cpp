// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/row_button.h"

#include "ui/support/icons.h"
#include "ui/support/theme.h"
#include "ui/support/verdict_color.h"

#include <QPainter>
#include <QStyleOptionButton>

#include <algorithm>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr int kRowHeight = 40;
constexpr int kIcon = 20;
constexpr int kIconGap = 12;

} // namespace

RowButton::RowButton(const QString &icon, const QString &title, const QString &detail,
                     QWidget *parent)
    : QPushButton(title, parent)
    , m_icon(icon)
    , m_detail(detail)
{
    setProperty("role", u"row"_s);
    setAccessibleName(title);
    setAccessibleDescription(detail);
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    setCursor(Qt::PointingHandCursor);
}

void RowButton::setEnd(const QString &text, std::optional<Verdict> verdict)
{
    m_end = text;
    m_verdict = verdict;
    setAccessibleDescription(QStringList{m_detail, text}.join(u' ').trimmed());
    update();
}

QSize RowButton::sizeHint() const
{
    return {fontMetrics().averageCharWidth() * 40, kRowHeight};
}

QSize RowButton::minimumSizeHint() const
{
    return {fontMetrics().averageCharWidth() * 12, kRowHeight};
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
    const auto put = [&](const QRect &place, const QString &text, const QColor &color,
                         Qt::Alignment side) {
        painter.setPen(color);
        painter.drawText(place, static_cast<int>(side | Qt::AlignVCenter) | Qt::TextSingleLine,
                         fontMetrics().elidedText(text, Qt::ElideMiddle, place.width()));
    };
    QRect row = rect().adjusted(kInset, 0, -kInset, 0);
    painter.fillRect(row.left(), 0, row.width(), 1, theme.line);
    painter.drawPixmap(row.left(), (height() - kIcon) / 2,
                       tintedPixmap(m_icon, quiet, kIcon, devicePixelRatioF()));
    row.setLeft(row.left() + kIcon + kIconGap);
    if (!m_end.isEmpty()) {
        put(row, m_end, isEnabled() ? verdictColor(m_verdict, theme, theme.hint) : theme.faint(),
            Qt::AlignRight);
        row.setRight(row.right() - fontMetrics().horizontalAdvance(m_end) - kIconGap);
    }
    // The end of a file's name is as informative as its beginning.
    QRect title = row;
    const auto widthOf = [this](const QString &text) { // rounded up, for elidedText()
        return fontMetrics().horizontalAdvance(text) + 2;
    };
    const int detail = m_detail.isEmpty() ? 0 : widthOf(m_detail) + kIconGap;
    title.setWidth(std::min(widthOf(text()), row.width() - std::min(detail, row.width() / 3)));
    put(title, text(), isEnabled() ? theme.text : quiet, Qt::AlignLeft);
    row.setLeft(title.right() + 1 + kIconGap);
    if (row.width() > fontMetrics().averageCharWidth() * 4)
        put(row, m_detail, quiet, Qt::AlignLeft);
}

} // namespace vramscope
