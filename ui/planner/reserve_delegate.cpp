// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/planner/reserve_delegate.h"

#include "ui/models/reserve_model.h"
#include "ui/support/theme.h"

#include <QPainter>

#include <algorithm>

namespace vramscope {

namespace {

constexpr double kBarHeight = 3;

bool runsOut(const QModelIndex &index)
{
    return index.data(ReserveModel::RunsOutRole).toBool();
}

} // namespace

void ReserveDelegate::initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const
{
    QStyledItemDelegate::initStyleOption(option, index);
    if (index.column() != ReserveModel::Where || !runsOut(index))
        return;
    const QColor bad = themeOf(option->widget).bad;
    option->palette.setColor(QPalette::Text, bad);
    option->palette.setColor(QPalette::HighlightedText, bad);
}

void ReserveDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option,
                            const QModelIndex &index) const
{
    QStyledItemDelegate::paint(painter, option, index);
    const QVariant share = index.data(ReserveModel::ShareRole);
    if (!share.isValid())
        return;
    const Theme &theme = themeOf(option.widget);
    QRectF bar = QRectF(option.rect).adjusted(6, 0, -4, -1);
    bar.setTop(bar.bottom() - kBarHeight);
    painter->fillRect(bar, theme.line);
    bar.setWidth(bar.width() * std::clamp(share.toDouble(), 0.0, 1.0));
    painter->fillRect(bar, runsOut(index) ? theme.bad : theme.accent);
}

} // namespace vramscope
