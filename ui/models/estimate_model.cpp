// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/estimate_model.h"

#include "ui/support/exact_role.h"
#include "ui/support/text.h"

#include <algorithm>
#include <utility>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

// The internal id of a component's index is its part's row + 1; of a part's index it is 0.
constexpr quintptr kTopLevel = 0;

/// "÷ 8", or nothing where a part is whole on every rank or its components differ.
QString splitText(std::int64_t sharded)
{
    return sharded > 1 ? u"÷ %1"_s.arg(countText(sharded)) : QString();
}

QString shareText(Bytes bytes, Bytes total)
{
    if (total <= 0)
        return {};
    const double share = 100 * static_cast<double>(bytes) / static_cast<double>(total);
    if (share > 0 && share < 0.5)
        return u"<1 %"_s;
    return u"%1 %"_s.arg(QString::number(share, 'f', 0));
}

} // namespace

bool EstimateModel::PartRow::sameRows(const PartRow &other) const
{
    return part == other.part &&
           std::equal(components.begin(), components.end(), other.components.begin(),
                      other.components.end(),
                      [](const Component &a, const Component &b) { return a.name == b.name; });
}

void EstimateModel::setEstimate(const Estimate &estimate, std::size_t moment)
{
    std::vector<PartRow> rows;
    m_total = 0;
    const PartBytes bytes = partBytes(estimate, moment);
    for (std::size_t part = 0; part < kPartCount; ++part) {
        if (bytes[part] <= 0)
            continue;
        m_total += bytes[part];
        PartRow row{part, bytes[part], {}};
        const std::vector<Component> &source =
            part == kOutsidePart ? estimate.outside : estimate.moments[moment].components;
        for (const Component &component : source) {
            if (part == kOutsidePart || static_cast<std::size_t>(component.category) == part)
                row.components.push_back(component);
        }
        rows.push_back(std::move(row));
    }
    const bool same = std::equal(rows.begin(), rows.end(), m_rows.begin(), m_rows.end(),
                                 [](const PartRow &a, const PartRow &b) { return a.sameRows(b); });
    if (same) {
        m_rows = std::move(rows);
        emitAllChanged();
        return;
    }
    beginResetModel();
    m_rows = std::move(rows);
    endResetModel();
}

void EstimateModel::setUnit(ByteUnit unit)
{
    if (std::exchange(m_unit, unit) != unit)
        emitAllChanged();
}

void EstimateModel::emitAllChanged()
{
    if (m_rows.empty())
        return;
    const int last = static_cast<int>(m_rows.size()) - 1;
    Q_EMIT dataChanged(index(0, 0), index(last, ColumnCount - 1));
    for (int row = 0; row <= last; ++row) {
        const QModelIndex part = index(row, 0);
        if (const int children = rowCount(part); children > 0)
            Q_EMIT dataChanged(index(0, 0, part), index(children - 1, ColumnCount - 1, part));
    }
}

const EstimateModel::PartRow &EstimateModel::partRow(const QModelIndex &index) const
{
    const quintptr row = index.internalId() == kTopLevel ? static_cast<quintptr>(index.row())
                                                         : index.internalId() - 1;
    return m_rows[row];
}

const Component *EstimateModel::componentAt(const QModelIndex &index) const
{
    return index.internalId() == kTopLevel
               ? nullptr
               : &partRow(index).components[static_cast<std::size_t>(index.row())];
}

std::optional<PartKey> EstimateModel::keyAt(const QModelIndex &index) const
{
    if (!index.isValid())
        return std::nullopt;
    const Component *component = componentAt(index);
    return PartKey{partRow(index).part, component ? component->name : std::string()};
}

QModelIndex EstimateModel::indexOf(const PartKey &key) const
{
    for (int row = 0; row < rowCount(); ++row) {
        const PartRow &part = m_rows[static_cast<std::size_t>(row)];
        if (part.part != key.part)
            continue;
        const QModelIndex parent = index(row, 0);
        for (int child = 0; !key.component.empty() && child < rowCount(parent); ++child) {
            if (part.components[static_cast<std::size_t>(child)].name == key.component)
                return index(child, 0, parent);
        }
        return parent;
    }
    return {};
}

std::vector<Component> EstimateModel::componentsAt(const QModelIndex &index) const
{
    if (!index.isValid())
        return {};
    if (const Component *component = componentAt(index))
        return {*component};
    return partRow(index).components;
}

QModelIndex EstimateModel::index(int row, int column, const QModelIndex &parent) const
{
    if (!hasIndex(row, column, parent))
        return {};
    return createIndex(row, column,
                       parent.isValid() ? static_cast<quintptr>(parent.row()) + 1 : kTopLevel);
}

QModelIndex EstimateModel::parent(const QModelIndex &child) const
{
    if (!child.isValid() || child.internalId() == kTopLevel)
        return {};
    return createIndex(static_cast<int>(child.internalId()) - 1, 0, kTopLevel);
}

int EstimateModel::rowCount(const QModelIndex &parent) const
{
    if (!parent.isValid())
        return static_cast<int>(m_rows.size());
    if (parent.column() != 0 || parent.internalId() != kTopLevel)
        return 0;
    return static_cast<int>(m_rows[static_cast<std::size_t>(parent.row())].components.size());
}

int EstimateModel::columnCount(const QModelIndex &) const
{
    return ColumnCount;
}

QString EstimateModel::cellText(const QModelIndex &index) const
{
    const PartRow &part = partRow(index);
    const Component *component = componentAt(index);
    const Bytes bytes = component ? component->bytes : part.bytes;
    switch (static_cast<Column>(index.column())) {
    case PartColumn:
        return component ? toQString(component->name) : partName(part.part);
    case SizeColumn:
        return bytesText(bytes, m_unit);
    case ShareColumn:
        return shareText(bytes, m_total);
    case SplitColumn:
    case ColumnCount:
        break;
    }
    if (component)
        return splitText(component->sharded);
    const std::int64_t first = part.components.front().sharded;
    const bool alike = std::all_of(part.components.begin(), part.components.end(),
                                   [&](const Component &c) { return c.sharded == first; });
    return alike ? splitText(first) : QString();
}

QVariant EstimateModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid())
        return {};
    const Component *component = componentAt(index);
    switch (role) {
    case Qt::DisplayRole:
        return cellText(index);
    case Qt::DecorationRole:
        if (index.column() == PartColumn && !component)
            return partColor(partRow(index).part);
        return {};
    case kExactRole:
        return index.column() == SizeColumn
                   ? QVariant::fromValue<qint64>(component ? component->bytes
                                                           : partRow(index).bytes)
                   : QVariant();
    case Qt::TextAlignmentRole:
        return QVariant((index.column() == PartColumn ? Qt::AlignLeft : Qt::AlignRight) |
                        Qt::AlignVCenter);
    case Qt::ToolTipRole:
        if (index.column() == ShareColumn)
            return u"Share of the sum of all parts here"_s;
        if (index.column() == SplitColumn)
            return u"÷ 8: this GPU has an eighth, the rest lies on others"_s;
        return u"%1: %2"_s.arg(
            component ? toQString(component->name) : partName(partRow(index).part),
            exactBytesText(component ? component->bytes : partRow(index).bytes, m_unit));
    default:
        return {};
    }
}

QVariant EstimateModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation == Qt::Horizontal && role == kUnitRole && section == SizeColumn)
        return u"bytes"_s;
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (static_cast<Column>(section)) {
    case PartColumn:
        return u"Part"_s;
    case SizeColumn:
        return u"Per GPU"_s;
    case ShareColumn:
        return u"Share"_s;
    case SplitColumn:
        return u"Sharded"_s;
    case ColumnCount:
        break;
    }
    return {};
}

} // namespace vramscope
