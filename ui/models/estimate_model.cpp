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

/// "÷ 8", or nothing where a part is whole on every rank or its components differ.
QString splitText(std::int64_t sharded)
{
    return sharded > 1 ? u"÷ %1"_s.arg(countText(sharded)) : QString();
}

QString wholeShareText(Bytes bytes, Bytes total)
{
    if (total <= 0)
        return {};
    const double share = 100 * static_cast<double>(bytes) / static_cast<double>(total);
    if (share > 0 && share < 0.5)
        return u"<1 %"_s;
    return u"%1 %"_s.arg(QString::number(share, 'f', 0));
}

/// The same for a whole part.
QString splitText(const std::vector<Component> &components)
{
    const std::int64_t first = components.front().sharded;
    const bool alike =
        std::ranges::all_of(components, [&](const Component &c) { return c.sharded == first; });
    return alike ? splitText(first) : QString();
}

void addRow(QStandardItem *parent)
{
    QList<QStandardItem *> cells;
    for (int column = 0; column < EstimateModel::ColumnCount; ++column) {
        auto *cell = new QStandardItem;
        cell->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable);
        cell->setTextAlignment(
            (column == EstimateModel::PartColumn ? Qt::AlignLeft : Qt::AlignRight) |
            Qt::AlignVCenter);
        cells << cell;
    }
    cells[EstimateModel::ShareColumn]->setToolTip(u"Share of the sum of all parts here"_s);
    cells[EstimateModel::SplitColumn]->setToolTip(
        u"÷ 8: this GPU has an eighth, the rest lies on others"_s);
    parent->appendRow(cells);
}

} // namespace

bool EstimateModel::PartRow::sameRows(const PartRow &other) const
{
    return part == other.part &&
           std::equal(components.begin(), components.end(), other.components.begin(),
                      other.components.end(),
                      [](const Component &a, const Component &b) { return a.name == b.name; });
}

EstimateModel::EstimateModel(QObject *parent)
    : QStandardItemModel(parent)
{
    setHorizontalHeaderLabels({u"Part"_s, u"Per GPU"_s, u"Share"_s, u"Sharded"_s});
    setHeaderData(SizeColumn, Qt::Horizontal, u"bytes"_s, kUnitRole);
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
    m_rows = std::move(rows);
    if (!same)
        addRows();
    fillRows();
}

void EstimateModel::setUnit(ByteUnit unit)
{
    if (std::exchange(m_unit, unit) != unit)
        fillRows();
}

void EstimateModel::addRows()
{
    removeRows(0, rowCount());
    for (const PartRow &part : m_rows) {
        addRow(invisibleRootItem());
        for (std::size_t at = 0; at < part.components.size(); ++at)
            addRow(item(rowCount() - 1));
    }
}

void EstimateModel::fillRows()
{
    for (int row = 0; row < rowCount(); ++row) {
        const PartRow &part = m_rows[static_cast<std::size_t>(row)];
        fillRow(invisibleRootItem(), row, partName(part.part), part.bytes,
                splitText(part.components));
        item(row)->setData(partColor(part.part), Qt::DecorationRole);
        int child = 0;
        for (const Component &component : part.components)
            fillRow(item(row), child++, toQString(component.name), component.bytes,
                    splitText(component.sharded));
    }
}

QString EstimateModel::sizeText(Bytes bytes) const
{
    const Bytes giga = m_unit == ByteUnit::Binary ? Bytes(1) << 30 : 1'000'000'000;
    const int decimals = m_total < 10 * giga ? 2 : 1;
    if (bytes > 0 && bytes < giga / (decimals == 2 ? 200 : 20))
        return decimals == 2 ? u"<0.01"_s : u"<0.1"_s;
    return toQString(formatGiga(bytes, m_unit, decimals));
}

void EstimateModel::fillRow(const QStandardItem *parent, int row, const QString &name, Bytes bytes,
                            const QString &split)
{
    const QString exact = u"%1: %2"_s.arg(name, exactBytesText(bytes, m_unit));
    parent->child(row, PartColumn)->setText(name);
    parent->child(row, PartColumn)->setToolTip(exact);
    parent->child(row, SizeColumn)->setText(bytesText(bytes, m_unit));
    parent->child(row, SizeColumn)->setToolTip(exact);
    parent->child(row, SizeColumn)->setData(QVariant::fromValue<qint64>(bytes), kExactRole);
    parent->child(row, ShareColumn)->setText(wholeShareText(bytes, m_total));
    parent->child(row, SplitColumn)->setText(split);
}

std::optional<PartKey> EstimateModel::keyAt(const QModelIndex &index) const
{
    if (!index.isValid())
        return std::nullopt;
    if (!index.parent().isValid())
        return PartKey{m_rows[static_cast<std::size_t>(index.row())].part, {}};
    const PartRow &part = m_rows[static_cast<std::size_t>(index.parent().row())];
    return PartKey{part.part, part.components[static_cast<std::size_t>(index.row())].name};
}

QModelIndex EstimateModel::indexOf(const PartKey &key) const
{
    for (int row = 0; row < rowCount(); ++row) {
        const PartRow &part = m_rows[static_cast<std::size_t>(row)];
        if (part.part != key.part)
            continue;
        const QModelIndex parent = index(row, 0);
        const auto found = std::ranges::find(part.components, key.component, &Component::name);
        return found == part.components.end()
                   ? parent
                   : index(static_cast<int>(found - part.components.begin()), 0, parent);
    }
    return {};
}

std::vector<Component> EstimateModel::componentsAt(const QModelIndex &index) const
{
    if (!index.isValid())
        return {};
    if (!index.parent().isValid())
        return m_rows[static_cast<std::size_t>(index.row())].components;
    return {m_rows[static_cast<std::size_t>(index.parent().row())]
                .components[static_cast<std::size_t>(index.row())]};
}

} // namespace vramscope
