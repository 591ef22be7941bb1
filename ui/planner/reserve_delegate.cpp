// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/planner/reserve_delegate.h"

#include "ui/models/reserve_model.h"
#include "ui/support/verdict_color.h"

#include <QPainter>

#include <algorithm>

namespace vramscope {

namespace {

constexpr double kBarHeight = 3;

/// The colour of a row's verdict; none where the capacity is unknown.
std::optional<QColor> colorOf(const QModelIndex &index, const Theme &theme)
{
    const QVariant verdict = index.data(ReserveModel::VerdictRole);
    if (!verdict.isValid())
        return {};
    return verdictColor(static_cast<Verdict>(verdict.toInt()), theme);
}

} // namespace

void ReserveDelegate::initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const
{
    RowDelegate::initStyleOption(option, index);
    const std::optional<QColor> color = colorOf(index, themeOf(option->widget));
    if (index.column() != ReserveModel::Word || !color)
        return;
    option->palette.setColor(QPalette::Text, *color);
    option->palette.setColor(QPalette::HighlightedText, *color);
}

void ReserveDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option,
                            const QModelIndex &index) const
{
    RowDelegate::paint(painter, option, index);
    const QVariant share = index.data(ReserveModel::ShareRole);
    if (!share.isValid())
        return;
    const Theme &theme = themeOf(option.widget);
    QRectF bar = QRectF(option.rect).adjusted(6, 0, -4, -1);
    bar.setTop(bar.bottom() - kBarHeight);
    painter->fillRect(bar, theme.line);
    bar.setWidth(bar.width() * std::clamp(share.toDouble(), 0.0, 1.0));
    painter->fillRect(bar, colorOf(index, theme).value_or(theme.accent));
}

} // namespace vramscope
