// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStyledItemDelegate>

namespace vramscope {

class GroupsModel;

/// Paints the errors of a family as strokes, on the same axis in every row.
class StripDelegate : public QStyledItemDelegate
{
    Q_OBJECT

public:
    StripDelegate(const GroupsModel *model, QObject *parent);

    void paint(QPainter *painter, const QStyleOptionViewItem &option,
               const QModelIndex &index) const override;

private:
    const GroupsModel *m_model;
};

} // namespace vramscope
