// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/reconcile/reconciliation.h"
#include "core/reconcile/recorded_step.h"

#include <optional>
#include <vector>

namespace vramscope {

/// The live allocations of a recording in the categories of a plan.
class RecordedBytes
{
public:
    /// Judges by the recording's own categories, and by what the plan knows besides: an output of
    /// forward as large as the plan's logits is logits.
    RecordedBytes(const RecordedDevice &recorded, const Plan &plan);

    /// What is live after an event.
    [[nodiscard]] SideBytes after(EventIndex event) const;
    /// Live after `event`, made before `first` and never freed until `last` has passed, and of no
    /// category that a plan has.
    [[nodiscard]] Bytes staying(EventIndex event, EventIndex first, EventIndex last) const;
    /// Freed by the program before `event` and still held, because another stream may use it.
    [[nodiscard]] Bytes pendingFree(EventIndex event) const;

    /// The category of an allocation in words of a plan; nothing where it is not known.
    [[nodiscard]] std::optional<Category> categoryOf(AllocationIndex index) const;

private:
    const RecordedDevice &m_recorded;
    std::vector<Bytes> m_logits; ///< sizes
};

} // namespace vramscope
