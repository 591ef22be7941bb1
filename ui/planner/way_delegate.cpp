// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/planner/way_delegate.h"

#include "ui/planner/look.h"
#include "ui/support/verdict_color.h"

#include <QAbstractItemView>
#include <QPainter>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr int kPadding = 5;
constexpr int kGap = 10;

/// The price with places where a long name of a setting may break.
QString breakable(QString price)
{
    return price.replace(u'=', u"=\u200b"_s).replace(u'_', u"_\u200b"_s);
}

/// The width that the price may take beside the mark.
int priceWidth(const QFontMetrics &small, const WayRow &row, int width)
{
    const int mark = row.mark.isEmpty() ? 0 : small.horizontalAdvance(row.mark) + kGap;
    return std::max(width - mark - 2, 60);
}

int priceHeight(const QFontMetrics &small, const WayRow &row, int width)
{
    return small
        .boundingRect(QRect(0, 0, priceWidth(small, row, width), 1000), Qt::TextWordWrap,
                      breakable(row.price))
        .height();
}

} // namespace

void WayDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option,
                        const QModelIndex &index) const
{
    const auto row = index.data(kRowRole).value<WayRow>();
    const Theme &theme = themeOf(option.widget);
    const auto *view = qobject_cast<const QAbstractItemView *>(option.widget);
    const bool current = view && view->hasFocus() && view->currentIndex() == index;
    painter->save();
    if (current || option.state.testFlag(QStyle::State_MouseOver))
        painter->fillRect(option.rect, theme.selection());
    const QFont font = option.widget->font();
    const QFont small = scaledFont(option.widget, 0.9);
    const QFontMetrics metrics(font);
    const QRect inside = option.rect.adjusted(1, kPadding, -1, -kPadding);
    const int saved = metrics.horizontalAdvance(row.saved);
    painter->setFont(font);
    painter->setPen(theme.text);
    painter->drawText(inside, Qt::AlignLeft | Qt::AlignTop,
                      metrics.elidedText(row.title, Qt::ElideRight, inside.width() - saved - kGap));
    painter->setPen(theme.good);
    painter->drawText(inside, Qt::AlignRight | Qt::AlignTop, row.saved);
    painter->setFont(small);
    const QRect below = inside.adjusted(0, metrics.height() + 1, 0, 0);
    painter->setPen(verdictColor(row.verdict, theme, theme.dim));
    painter->drawText(below, Qt::AlignRight | Qt::AlignTop, row.mark);
    painter->setPen(theme.dim);
    painter->drawText(
        QRect(below.topLeft(),
              QSize(priceWidth(QFontMetrics(small), row, inside.width()), below.height())),
        Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, breakable(row.price));
    painter->setPen(theme.line);
    painter->drawLine(option.rect.bottomLeft(), option.rect.bottomRight());
    painter->restore();
}

QSize WayDelegate::sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    const auto *view = qobject_cast<const QAbstractItemView *>(option.widget);
    const int width = view ? view->viewport()->width() : option.rect.width();
    const QFontMetrics small(scaledFont(option.widget, 0.9));
    const auto row = index.data(kRowRole).value<WayRow>();
    return {width, QFontMetrics(option.widget->font()).height() + 1 +
                       priceHeight(small, row, width - 2) + 2 * kPadding + 1};
}

} // namespace vramscope
