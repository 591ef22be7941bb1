// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/data_table_model.h"

#include "core/base/parts.h"
#include "core/table/row_order.h"
#include "ui/support/exact_role.h"
#include "ui/support/text.h"

#include <QFont>

#include <algorithm>
#include <functional>
#include <numeric>

namespace vramscope {

namespace {

/// Each line as text of a file.
QString foreignLines(const std::string &text)
{
    QStringList lines;
    for (const std::string_view line : partsOf(text, '\n'))
        lines << foreignText(line);
    return lines.join(u'\n');
}

int alignmentOf(const DataTable::Column &column)
{
    return static_cast<int>((column.isText() ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
}

} // namespace

QString shownText(const DataTable::Column &column, const DataTable::Cell &cell, ByteUnit unit)
{
    const std::string text = cellText(column, cell, unit);
    return column.isText() ? foreignText(text) : numberText(text);
}

QString shownTip(const DataTable &table, std::size_t row, std::size_t at, ByteUnit unit)
{
    const DataTable::Column &column = table.columns[at];
    if (column.tipOf)
        return foreignLines(column.tipOf(row));
    const DataTable::Cell cell = column.cell(row);
    if (!cell.tip.empty())
        return foreignLines(cell.tip);
    const std::string exact = exactText(column, cell, unit);
    return exact.empty() ? shownText(column, cell, unit) : numberText(exact);
}

std::optional<qint64> exactValue(const DataTable::Column &column, const DataTable::Cell &cell)
{
    const auto *whole = std::get_if<std::int64_t>(&cell.value);
    return whole && cell.isKnown && !column.isText() ? std::optional<qint64>(*whole) : std::nullopt;
}

void DataTableModel::setTable(DataTable table)
{
    beginResetModel();
    m_table = std::move(table);
    m_rows = arranged();
    endResetModel();
}

void DataTableModel::setUnit(ByteUnit unit)
{
    if (unit == m_unit)
        return;
    m_unit = unit;
    if (rowCount() > 0)
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
}

void DataTableModel::setKept(Keeps keeps)
{
    m_keeps = std::move(keeps);
    arrange();
}

void DataTableModel::setFilter(const QString &text)
{
    if (text.isEmpty())
        return setKept({});
    setKept([this, text](std::size_t row) {
        const DataTable::Column &name = m_table.columns.front();
        return shownText(name, name.cell(row), m_unit).contains(text, Qt::CaseInsensitive);
    });
}

void DataTableModel::sort(int column, Qt::SortOrder order)
{
    m_column = column;
    m_order = order;
    arrange();
}

DataTableModel::Rows DataTableModel::arranged() const
{
    const bool isSorted = m_column >= 0 && m_column < columnCount();
    if (!m_keeps && !isSorted)
        return std::nullopt;
    std::vector<std::uint32_t> rows(m_table.rows);
    std::iota(rows.begin(), rows.end(), std::uint32_t(0));
    if (m_keeps)
        std::erase_if(rows, std::not_fn(m_keeps));
    if (isSorted)
        sortRows(rows, m_table, static_cast<std::size_t>(m_column), m_order == Qt::DescendingOrder);
    return rows;
}

void DataTableModel::arrange()
{
    Q_EMIT layoutAboutToBeChanged();
    const QModelIndexList kept = persistentIndexList();
    std::vector<std::size_t> rowsOfKept;
    for (const QModelIndex &each : kept)
        rowsOfKept.push_back(rowAt(each.row()));
    m_rows = arranged();
    if (!kept.isEmpty()) {
        std::vector<int> places(m_table.rows, -1);
        for (int at = 0; at < rowCount(); ++at)
            places[rowAt(at)] = at;
        QModelIndexList moved;
        for (qsizetype at = 0; at < kept.size(); ++at)
            moved << index(places[rowsOfKept[static_cast<std::size_t>(at)]], kept[at].column());
        changePersistentIndexList(kept, moved);
    }
    Q_EMIT layoutChanged();
}

int DataTableModel::placeOf(std::size_t row) const
{
    if (!m_rows)
        return row < m_table.rows ? static_cast<int>(row) : -1;
    const auto found = std::ranges::find(*m_rows, row);
    return found == m_rows->end() ? -1 : static_cast<int>(found - m_rows->begin());
}

int DataTableModel::columnOf(std::string_view key) const
{
    const auto column = m_table.columnOf(key);
    return column ? static_cast<int>(*column) : -1;
}

int DataTableModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows ? m_rows->size() : m_table.rows);
}

int DataTableModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_table.columns.size());
}

QVariant DataTableModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    const std::size_t row = rowAt(index.row());
    const auto at = static_cast<std::size_t>(index.column());
    const DataTable::Column &column = m_table.columns[at];
    switch (role) {
    case Qt::DisplayRole:
        return shownText(column, column.cell(row), m_unit);
    case Qt::TextAlignmentRole:
        return alignmentOf(column);
    case Qt::ToolTipRole: // what looks like markup is text of a file
        return m_rowTip ? m_rowTip(row) : tipHtml(shownTip(m_table, row, at, m_unit));
    case Qt::FontRole:
        if (m_table.isStrong && m_table.isStrong(row)) {
            QFont bold;
            bold.setBold(true);
            return bold;
        }
        return {};
    case kExactRole: {
        const auto exact = exactValue(column, column.cell(row));
        return exact ? QVariant(*exact) : QVariant();
    }
    default:
        return {};
    }
}

QVariant DataTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount())
        return {};
    const DataTable::Column &column = m_table.columns[static_cast<std::size_t>(section)];
    switch (role) {
    case Qt::DisplayRole:
        return foreignText(column.title);
    case Qt::ToolTipRole:
        return foreignText(column.tip);
    case Qt::TextAlignmentRole:
        return alignmentOf(column);
    case kUnitRole: // where the title does not say it
        return unitOf(column.kind) == column.title ? QVariant() : toQString(unitOf(column.kind));
    default:
        return {};
    }
}

std::vector<FactRow> factRows(const DataTable &table, std::size_t most, ByteUnit unit)
{
    std::vector<FactRow> rows;
    for (std::size_t at = 0; at < std::min(table.rows, most); ++at) {
        FactRow row;
        for (std::size_t column = 0; column < table.columns.size(); ++column) {
            const DataTable::Column &of = table.columns[column];
            const DataTable::Cell cell = of.cell(at);
            row.cells.push_back({shownText(of, cell, unit), shownTip(table, at, column, unit),
                                 exactValue(of, cell)});
        }
        row.strong = table.isStrong && table.isStrong(at);
        rows.push_back(std::move(row));
    }
    return rows;
}

} // namespace vramscope
