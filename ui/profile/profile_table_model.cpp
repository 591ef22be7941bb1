// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/profile/profile_table_model.h"

#include "ui/support/exact_role.h"

namespace vramscope {

using namespace Qt::StringLiterals;

void ProfileTableModel::setTable(ProfileTable table)
{
    beginResetModel();
    m_table = std::move(table);
    endResetModel();
}

int ProfileTableModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_table.rows.size());
}

int ProfileTableModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_table.columns.size());
}

QVariant ProfileTableModel::data(const QModelIndex &index, int role) const
{
    const auto column = static_cast<std::size_t>(index.column());
    const ProfileCell &cell = m_table.rows[static_cast<std::size_t>(index.row())].cells[column];
    const bool isWord = m_table.columns[column].isWord;
    switch (role) {
    case Qt::DisplayRole:
        return cell.text;
    case Qt::TextAlignmentRole:
        return static_cast<int>((isWord ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    case Qt::ToolTipRole: // what looks like markup is text of a file
        return u"<p>%1</p>"_s.arg((cell.tip.isEmpty() ? cell.text : cell.tip).toHtmlEscaped());
    case kExactRole:
        return cell.exact ? QVariant(*cell.exact) : QVariant();
    case kOrderRole:
        return isWord ? QVariant(cell.text) : QVariant(cell.order);
    default:
        return {};
    }
}

QVariant ProfileTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    const ProfileColumn &column = m_table.columns[static_cast<std::size_t>(section)];
    switch (role) {
    case Qt::DisplayRole:
        return column.title;
    case Qt::ToolTipRole:
        return column.tip;
    case Qt::TextAlignmentRole:
        return static_cast<int>((column.isWord ? Qt::AlignLeft : Qt::AlignRight) |
                                Qt::AlignVCenter);
    case kUnitRole:
        return column.unit;
    default:
        return {};
    }
}

} // namespace vramscope
