// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/validation/strip_delegate.h"

#include "ui/charts/error_strip.h"
#include "ui/models/data_table_model.h"
#include "ui/support/theme.h"
#include "ui/validation/row_filter.h"

#include <cmath>

namespace vramscope {

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
                    std::ceil(m_groups->front().summary.worst), kMetPercent,
                    themeOf(option.widget));
}

} // namespace vramscope
