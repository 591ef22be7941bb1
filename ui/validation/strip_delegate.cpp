// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/validation/strip_delegate.h"

#include "ui/charts/error_strip.h"
#include "ui/support/theme.h"
#include "ui/validation/groups_model.h"

#include <cmath>

namespace vramscope {

StripDelegate::StripDelegate(const GroupsModel *model, QObject *parent)
    : QStyledItemDelegate(parent)
    , m_model(model)
{
}

void StripDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option,
                          const QModelIndex &index) const
{
    QStyledItemDelegate::paint(painter, option, index); // the background
    const auto errors = index.data(GroupsModel::ErrorsRole).value<QList<double>>();
    paintErrorStrip(*painter, QRectF(option.rect).adjusted(6, 0, -6, 0), errors,
                    std::ceil(m_model->range()), kMetPercent, themeOf(option.widget));
}

} // namespace vramscope
