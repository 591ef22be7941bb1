// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "core/ranks/run_study.h"

#include <QAbstractTableModel>

#include <cstdint>
#include <vector>

namespace vramscope {

/// The ranks of a run as rows, those that are kept, in any order of their columns.
class RanksModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column {
        Number,
        Peak,
        ToMedian,
        Node,
        Remark,
        Reserved,
        Group,
        Growth,
        StepTime, ///< this and what follows in the order of TimeFigure
        Compute,
        ExposedCommunication,
        Idle,
        Wait,
        Device,
        File,
        ColumnCount
    };

    explicit RanksModel(RunStudyPointer study, QObject *parent = nullptr);

    /// The same ranks with their curves, of which no column tells.
    void takeCurves(RunStudyPointer study) { m_study = std::move(study); }
    void setUnit(ByteUnit unit);
    /// By rank, 1 for those that are shown; empty: all are.
    void setKept(std::vector<std::uint8_t> kept);

    [[nodiscard]] std::size_t rank(int row) const { return m_rows[static_cast<std::size_t>(row)]; }
    /// Whether any rank has a figure in it.
    [[nodiscard]] bool isKnown(Column column) const;
    /// -1 where it is not shown.
    [[nodiscard]] int rowOf(std::size_t rank) const;

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role) const override;
    /// Rows are looked for anew: those that are selected are not.
    void sort(int column, Qt::SortOrder order) override;

private:
    void arrange();
    /// What a column is sorted by, where it is a number; nothing where it is not known.
    [[nodiscard]] std::optional<std::int64_t> number(std::size_t rank, int column) const;
    [[nodiscard]] QString text(std::size_t rank, int column) const;

    RunStudyPointer m_study;
    std::vector<std::uint8_t> m_kept;
    std::vector<std::size_t> m_rows;
    std::vector<int> m_rowOf;
    int m_column = Number;
    Qt::SortOrder m_direction = Qt::AscendingOrder;
    ByteUnit m_unit = ByteUnit::Binary;
};

} // namespace vramscope
