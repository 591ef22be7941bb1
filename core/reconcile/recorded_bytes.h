// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/reconcile/reconcile.h"
#include "core/reconcile/recorded_step.h"

#include <optional>
#include <vector>

namespace vramscope {

/// The live allocations of a recording in the categories of a plan, by the bytes that were
/// requested: a plan counts tensors, not the rounding of their blocks.
class RecordedBytes
{
public:
    /// Judges by the recording's own categories, and by what the plan knows besides: an output of
    /// forward as large as the plan's logits is logits. What was there before the recording and
    /// stays has no stack; where it is two to four times as many blocks as the plan has parameters,
    /// it is shared out as the plan's parameters, states and gradients are.
    RecordedBytes(const Study &recorded, const Plan &plan);

    /// What is live after an event.
    [[nodiscard]] SideBytes after(EventIndex event) const;
    /// Live after `event`, made before `first` and never freed until `last` has passed, and of no
    /// category that a plan has.
    [[nodiscard]] Bytes staying(EventIndex event, EventIndex first, EventIndex last) const;
    /// Freed by the program before `event` and still held, because another stream may use it,
    /// without what staying() counts.
    [[nodiscard]] SideBytes pendingFree(EventIndex event, EventIndex first, EventIndex last) const;

    /// The category of an allocation in words of a plan; nothing where it is not known.
    [[nodiscard]] std::optional<Category> categoryOf(AllocationIndex index) const;
    /// Whether states of the optimizer were told among what was there before the recording.
    [[nodiscard]] bool foundEarlyStates() const { return m_earlyStates > 0; }

private:
    const Study &m_recorded;
    [[nodiscard]] bool stays(AllocationIndex index, EventIndex first, EventIndex last) const;
    void shareOutEarly(const Plan &plan);
    [[nodiscard]] bool isEarly(AllocationIndex index) const;

    std::vector<Bytes> m_logits; ///< sizes
    /// Of what was there before, the part that is states, and the part that is gradients.
    double m_earlyStates = 0;
    double m_earlyGradients = 0;
};

} // namespace vramscope
