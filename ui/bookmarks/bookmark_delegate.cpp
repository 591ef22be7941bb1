// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/bookmarks/bookmark_delegate.h"

#include "ui/bookmarks/bookmark_model.h"
#include "ui/support/theme.h"

#include <QApplication>
#include <QPainter>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr int kRowMargin = 8;
constexpr int kPadding = 5;

} // namespace

void BookmarkDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option,
                             const QModelIndex &index) const
{
    QStyleOptionViewItem item = option;
    initStyleOption(&item, index);
    item.text.clear();
    const QWidget *view = option.widget;
    QStyle *style = view ? view->style() : QApplication::style();
    style->drawControl(QStyle::CE_ItemViewItem, &item, painter, view);

    QString place = index.data(BookmarkModel::PlaceRole).toString();
    const QString note = index.data(BookmarkModel::NoteRole).toString().left(300).simplified();
    if (!note.isEmpty())
        place += u" – "_s + note;
    const Theme &theme = themeOf(view);
    const QFontMetrics metrics(option.font);
    const QRect room = option.rect.adjusted(kRowMargin, kPadding, -kRowMargin, -kPadding);
    const auto line = [&](int at, const QString &text, const QColor &color) {
        painter->setPen(color);
        painter->drawText(
            QRect(room.left(), room.top() + at * metrics.height(), room.width(), metrics.height()),
            Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
            metrics.elidedText(text, Qt::ElideRight, room.width()));
    };
    painter->save();
    painter->setFont(option.font);
    line(0, index.data(Qt::DisplayRole).toString(), theme.text);
    line(1, place, theme.dim);
    painter->restore();
}

QSize BookmarkDelegate::sizeHint(const QStyleOptionViewItem &option, const QModelIndex &) const
{
    return {0, 2 * QFontMetrics(option.font).height() + 2 * kPadding};
}

void BookmarkDelegate::updateEditorGeometry(QWidget *editor, const QStyleOptionViewItem &option,
                                            const QModelIndex &) const
{
    QRect room = option.rect.adjusted(2, 1, -2, 0);
    room.setHeight(qMin(room.height(), editor->sizeHint().height()));
    editor->setGeometry(room);
}

} // namespace vramscope
