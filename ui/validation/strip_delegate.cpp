// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/validation/strip_delegate.h"

#include "ui/models/data_table_model.h"
#include "ui/support/theme.h"
#include "ui/validation/row_filter.h"

#include <QPainter>
#include <QRectF>

#include <algorithm>
#include <cmath>
#include <span>

namespace vramscope {

namespace {

/// Paints signed errors in percent as strokes on one axis from −`range` to `range`, with a line at
/// zero: a column of such strips shows the errors of each row. Errors beyond `met` on either side
/// are taller.
void paintErrorStrip(QPainter &painter, const QRectF &place, std::span<const double> errors,
                     double range, double met, const Theme &theme)
{
    if (range <= 0)
        return;
    const auto position = [&](double error) {
        const double share = std::clamp(error / range, -1.0, 1.0);
        return place.center().x() + share * (place.width() / 2 - 2);
    };
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    QColor within = theme.accent;
    within.setAlphaF(0.13F);
    painter.fillRect(
        QRectF(QPointF(position(-met), place.top()), QPointF(position(met), place.bottom())),
        within);
    painter.setPen(QPen(theme.border, 1));
    painter.drawLine(QPointF(position(0), place.top()), QPointF(position(0), place.bottom()));
    QColor stroke = theme.text;
    stroke.setAlphaF(0.6F);
    painter.setPen(QPen(stroke, 1.6));
    for (const double error : errors) {
        const double half = place.height() * (std::abs(error) > met ? 0.36 : 0.22);
        const double x = position(error);
        painter.drawLine(QPointF(x, place.center().y() - half),
                         QPointF(x, place.center().y() + half));
    }
    painter.restore();
}

} // namespace

StripDelegate::StripDelegate(const DataTableModel *model, const std::vector<ErrorGroup> *groups,
                             QObject *parent)
    : QStyledItemDelegate(parent)
    , m_model(model)
    , m_groups(groups)
{
}

void StripDelegate::initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const
{
    QStyledItemDelegate::initStyleOption(option, index);
    option->text.clear();
}

void StripDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option,
                          const QModelIndex &index) const
{
    QStyledItemDelegate::paint(painter, option, index); // the background
    const ErrorGroup &group = (*m_groups)[m_model->rowAt(index.row())];
    paintErrorStrip(*painter, QRectF(option.rect).adjusted(6, 0, -6, 0), group.errors,
                    stripRange(*m_groups), kMetPercent, themeOf(option.widget));
}

} // namespace vramscope
