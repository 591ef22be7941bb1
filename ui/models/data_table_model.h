// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/table/table.h"
#include "ui/support/fact_table.h"

#include <QAbstractTableModel>

#include <cstdint>
#include <optional>
#include <vector>

namespace vramscope {

/// The text of a cell in the window: on one line, numbers with a minus sign.
[[nodiscard]] QString shownText(const DataTable::Column &column, const DataTable::Cell &cell,
                                ByteUnit unit);
/// What its tooltip says, as plain text: more about it, else its exact value, else its text.
[[nodiscard]] QString shownTip(const DataTable &table, std::size_t row, std::size_t column,
                               ByteUnit unit);
/// Its number for export, where the column holds whole numbers.
[[nodiscard]] std::optional<qint64> exactValue(const DataTable::Column &column,
                                               const DataTable::Cell &cell);

/// The item model of a DataTable, for every page: sorts, filters, and makes cells only for the
/// rows that a view asks for. A sorted or filtered table costs four bytes a row.
class DataTableModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    using QAbstractTableModel::QAbstractTableModel;

    /// Sorted and filtered as the table before it.
    void setTable(DataTable table);
    void setUnit(ByteUnit unit);
    using Keeps = std::function<bool(std::size_t row)>;
    /// Keeps the rows of the table that it is true of; none: all.
    void setKept(Keeps keeps);
    /// Keeps the rows whose first cell has a text, in whichever case; empty: all.
    void setFilter(const QString &text);
    /// One tooltip for all cells of a row, as rich text, in the place of their own.
    void setRowTip(std::function<QString(std::size_t row)> tip) { m_rowTip = std::move(tip); }
    /// By a column of the table, -1: in the order of the table. Selected rows stay selected.
    void sort(int column, Qt::SortOrder order = Qt::AscendingOrder) override;

    [[nodiscard]] const DataTable &table() const { return m_table; }
    [[nodiscard]] ByteUnit unit() const { return m_unit; }
    /// The row of the table that a shown row is.
    [[nodiscard]] std::size_t rowAt(int row) const
    {
        const auto at = static_cast<std::size_t>(row);
        return m_rows ? (*m_rows)[at] : at;
    }
    /// Where a row of the table is shown; -1: nowhere.
    [[nodiscard]] int placeOf(std::size_t row) const;
    /// The column with a key; -1: the table has none.
    [[nodiscard]] int columnOf(std::string_view key) const;

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index,
                                int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role = Qt::DisplayRole) const override;

private:
    using Rows = std::optional<std::vector<std::uint32_t>>;
    /// The rows that the filter keeps, in the order that is asked for; none: as in the table.
    [[nodiscard]] Rows arranged() const;
    void arrange();

    DataTable m_table;
    Rows m_rows; ///< of the table, as they are shown
    std::function<QString(std::size_t row)> m_rowTip;
    Keeps m_keeps;
    int m_column = -1;
    Qt::SortOrder m_order = Qt::AscendingOrder;
    ByteUnit m_unit = ByteUnit::Binary;
};

/// The first rows of a table for a FactTable, with all columns and tips.
[[nodiscard]] std::vector<FactRow> factRows(const DataTable &table, std::size_t most,
                                            ByteUnit unit);

} // namespace vramscope
