// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/live_groups_model.h"

#include "ui/models/stack_text.h"
#include "ui/support/exact_role.h"
#include "ui/support/text.h"

namespace vramscope {

using namespace Qt::StringLiterals;

LiveGroupsModel::LiveGroupsModel(std::shared_ptr<const Trace> trace, QObject *parent)
    : QAbstractTableModel(parent)
    , m_trace(std::move(trace))
    , m_origins(*m_trace)
{
}

void LiveGroupsModel::setGroups(std::vector<LiveGroup> groups)
{
    beginResetModel();
    m_groups = std::move(groups);
    m_total = 0;
    m_allocations = 0;
    for (const LiveGroup &group : m_groups) {
        m_total = wrappingSum(m_total, group.bytes);
        m_allocations += group.count;
    }
    endResetModel();
}

void LiveGroupsModel::setUnit(ByteUnit unit)
{
    m_unit = unit;
    if (!m_groups.empty())
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
}

int LiveGroupsModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_groups.size());
}

int LiveGroupsModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant LiveGroupsModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    const LiveGroup &at = group(index.row());
    switch (role) {
    case Qt::DisplayRole:
        return text(at, index.column());
    case Qt::ToolTipRole:
        return tip(at, index.column());
    case kExactRole:
        return index.column() == Size    ? QVariant::fromValue<qint64>(at.bytes)
               : index.column() == Count ? QVariant::fromValue<qint64>(at.count)
                                         : QVariant();
    case Qt::TextAlignmentRole:
        return static_cast<int>((index.column() == Site ? Qt::AlignLeft : Qt::AlignRight) |
                                Qt::AlignVCenter);
    default:
        return {};
    }
}

QVariant LiveGroupsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return static_cast<int>((section == Site ? Qt::AlignLeft : Qt::AlignRight) |
                                Qt::AlignVCenter);
    if (role == Qt::ToolTipRole) {
        switch (section) {
        case Site:
            return u"The stack that allocated them"_s;
        case Size:
            return u"What they asked for, together"_s;
        case Count:
            return u"How many allocations they are"_s;
        default:
            return u"Of all bytes in this table"_s;
        }
    }
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Site:
        return u"allocated at"_s;
    case Size:
        return u"bytes"_s;
    case Count:
        return u"count"_s;
    case Share:
        return u"share"_s;
    default:
        return {};
    }
}

QString LiveGroupsModel::text(const LiveGroup &group, int column) const
{
    switch (column) {
    case Site:
        return siteAndCalleeText(*m_trace, group.stack, m_origins);
    case Size:
        return bytesText(group.bytes, m_unit);
    case Count:
        return countText(group.count);
    case Share:
        return u"%1 %"_s.arg(m_total > 0 ? 100.0 * static_cast<double>(group.bytes) /
                                               static_cast<double>(m_total)
                                         : 0,
                             0, 'f', 1);
    default:
        return {};
    }
}

QString LiveGroupsModel::tip(const LiveGroup &group, int column) const
{
    if (column == Size)
        return exactBytesText(group.bytes, m_unit);
    return column == Site ? stackTip(*m_trace, group.stack) : QString();
}

} // namespace vramscope
