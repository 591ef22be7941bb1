// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/models/step_text.h"

#include <QAbstractTableModel>

namespace vramscope {

/// The steps of a device as rows, in any order of their columns: which, peak, how far that is from
/// the middle one, duration, and what is remarkable.
class StepsModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column { Name, Peak, Delta, Length, Remark, ColumnCount };

    using QAbstractTableModel::QAbstractTableModel;

    void setSteps(const StepsData &steps);
    void setUnit(ByteUnit unit);

    [[nodiscard]] std::size_t step(int row) const { return m_order[static_cast<std::size_t>(row)]; }
    /// The row of a step.
    [[nodiscard]] int rowOf(std::size_t step) const;

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role) const override;
    /// By name is by time. Rows are looked for anew: those that are selected are not.
    void sort(int column, Qt::SortOrder order) override;

private:
    [[nodiscard]] QString text(std::size_t step, int column) const;
    void arrange();

    StepsData m_data;
    std::vector<std::size_t> m_order; // by row
    int m_column = Name;
    Qt::SortOrder m_direction = Qt::AscendingOrder;
    ByteUnit m_unit = ByteUnit::Binary;
};

} // namespace vramscope
