// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/support/row_delegate.h"

namespace vramscope {

/// Paints rows of a ReserveModel: below what is reserved a bar on the capacity, and where memory
/// does not suffice, which the text says too, in the colour of what is bad.
class ReserveDelegate : public RowDelegate
{
    Q_OBJECT

public:
    using RowDelegate::RowDelegate;

    void paint(QPainter *painter, const QStyleOptionViewItem &option,
               const QModelIndex &index) const override;

protected:
    void initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const override;
};

} // namespace vramscope
