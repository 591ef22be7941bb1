// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/describe/validation_tables.h"

#include <QStyledItemDelegate>

#include <vector>

namespace vramscope {

class DataTableModel;

/// Paints the errors of a group as strokes, on the same axis in every row, in the place of the text
/// that counts them.
class StripDelegate : public QStyledItemDelegate
{
    Q_OBJECT

public:
    /// `groups`: the rows of the model's table, all figures first.
    StripDelegate(const DataTableModel *model, const std::vector<ErrorGroup> *groups,
                  QObject *parent);

    void paint(QPainter *painter, const QStyleOptionViewItem &option,
               const QModelIndex &index) const override;

protected:
    void initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const override;

private:
    const DataTableModel *m_model;
    const std::vector<ErrorGroup> *m_groups;
};

} // namespace vramscope
