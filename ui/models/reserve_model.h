// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "core/planned_requests/planned_reserve.h"

#include <QAbstractTableModel>

#include <optional>
#include <vector>

namespace vramscope {

/// What one plan reserves under some settings of the allocator, and on what device.
struct PlanReserves
{
    std::vector<PlannedReserve> reserves; ///< the first under PyTorch's default
    std::optional<Bytes> capacity;        ///< for the allocator; none: unknown
    std::optional<std::size_t> best;      ///< the one to use in place of the first
};

/// A row for each setting, in the order in which they were asked for.
class ReserveModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column {
        Setting,
        Reserved,
        Likely,
        Word,
        Stranded,
        Segments,
        Retries,
        Where,
        ColumnCount
    };
    enum Role {
        SortRole = Qt::UserRole, ///< a number, or text for Where
        ConfigurationRole,       ///< a string of PYTORCH_CUDA_ALLOC_CONF
        ShareRole,               ///< of Reserved: the share of the capacity, where it is known
        VerdictRole ///< of the device level, as a number; invalid: no capacity is known
    };

    using QAbstractTableModel::QAbstractTableModel;

    void setReserves(PlanReserves reserves);
    void setUnit(ByteUnit unit);
    [[nodiscard]] const PlanReserves &reserves() const { return m_found; }

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role) const override;

private:
    [[nodiscard]] QString text(const PlannedReserve &reserve, int column) const;
    [[nodiscard]] QString toolTip(const PlannedReserve &reserve, int column) const;
    [[nodiscard]] QVariant sortKey(int row, int column) const;
    [[nodiscard]] QVariant share(const PlannedReserve &reserve) const;

    PlanReserves m_found;
    ByteUnit m_unit = ByteUnit::Binary;
};

/// "loss, steady step", or "out of memory at the loss, first step".
[[nodiscard]] QString whereText(const PlannedReserve &reserve);

} // namespace vramscope
