// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "core/reconcile/reconcile.h"
#include "ui/stage/stage_item.h"

#include <optional>
#include <vector>

namespace vramscope {

/// A plan compared with a recording; without moments where there is nothing to compare, and why.
struct StagedReconciliation
{
    Reconciliation held;
    std::optional<Bytes> capacity; ///< of the plan's device
    QString empty;                 ///< why there is nothing to show; else empty
    ByteUnit unit = ByteUnit::Binary;
};

/// What can be shown of it: the answer, the moments of both sides, the way from predicted to
/// recorded, the reasons. The parts of each moment, levels and constants are there too, but not
/// shown before somebody wants them. Where there is nothing to compare, the answer says why.
[[nodiscard]] std::vector<StageItem> reconcileItems(StagedReconciliation held);

} // namespace vramscope
