// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/planned_requests/planned_reserve.h"
#include "ui/models/data_table_model.h"

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
class ReserveModel : public DataTableModel
{
    Q_OBJECT

public:
    /// The columns of the table, in their order.
    enum Column { Setting, Reserved, Likely, Word, Stranded, Segments, Retries, Where };
    using DataTableModel::DataTableModel;

    void setReserves(PlanReserves reserves);
    void setUnit(ByteUnit unit);
    [[nodiscard]] const PlanReserves &reserves() const { return m_found; }
    [[nodiscard]] const PlannedReserve &reserveAt(int row) const
    {
        return m_found.reserves[rowAt(row)];
    }
    /// The share of what the device has for the allocator; nothing if that is unknown.
    [[nodiscard]] std::optional<double> share(const PlannedReserve &reserve) const;

private:
    [[nodiscard]] DataTable reservesTable() const;

    PlanReserves m_found;
};

/// "loss, steady step", or "out of memory at the loss, first step".
[[nodiscard]] QString whereText(const PlannedReserve &reserve);

} // namespace vramscope
