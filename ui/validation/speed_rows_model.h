// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/validation/throughput.h"

#include <QAbstractTableModel>

#include <memory>
#include <optional>

namespace vramscope {

/// Published training speeds beside projected ones, a row each. Sorted by itself: by family unless
/// asked otherwise, the worst first, the run that calibrates it at its head; then the runs that
/// stand alone, the worst first, and those that are not computed. Errors are sorted by their size,
/// rows without one last.
class SpeedRowsModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column {
        Id,
        Model,
        Devices,
        Published,
        Predicted,
        ErrorColumn,
        Outcome,
        Basis,
        Catalogue,
        Layout,
        Source,
        ColumnCount
    };

    /// In the place of a column: the order at first.
    static constexpr int kByFamily = -1;

    explicit SpeedRowsModel(std::shared_ptr<const SpeedValidation> speeds,
                            QObject *parent = nullptr);

    /// Shows these rows, by index.
    void setRows(std::vector<std::size_t> rows);

    /// Index of a shown row.
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
    void arrangeByFamily();
    [[nodiscard]] QString text(const ComparedSpeed &row, int column) const;

    std::shared_ptr<const SpeedValidation> m_speeds;
    std::vector<std::size_t> m_rows;
    int m_column = kByFamily;
    Qt::SortOrder m_order = Qt::DescendingOrder;
};

} // namespace vramscope
