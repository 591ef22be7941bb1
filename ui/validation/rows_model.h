// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "core/validation/measured.h"

#include <QAbstractTableModel>

#include <memory>
#include <optional>

namespace vramscope {

/// Measured figures beside predicted ones, a row each. Sorted by itself; the errors by their size,
/// whatever their sign, the worst first unless asked otherwise.
class RowsModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column {
        Id,
        Figure,
        Family,
        Measured,
        Predicted,
        ErrorColumn,
        Quality,
        Covered,
        Source,
        Note,
        ColumnCount
    };

    explicit RowsModel(std::shared_ptr<const Validation> validation, QObject *parent = nullptr);

    /// Shows these rows of the validation, by index.
    void setRows(std::vector<std::size_t> rows);
    void setUnit(ByteUnit unit);

    /// Index into the validation of a shown row.
    [[nodiscard]] std::size_t rowAt(int row) const { return m_rows[static_cast<std::size_t>(row)]; }
    /// Where it is shown.
    [[nodiscard]] std::optional<int> placeOf(std::size_t row) const;

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role) const override;
    void sort(int column, Qt::SortOrder order) override;

private:
    void arrange();
    [[nodiscard]] QString text(const ComparedFigure &row, int column) const;

    std::shared_ptr<const Validation> m_validation;
    std::vector<std::size_t> m_rows;
    int m_column = ErrorColumn;
    Qt::SortOrder m_order = Qt::DescendingOrder;
    ByteUnit m_unit = ByteUnit::Binary;
};

} // namespace vramscope
