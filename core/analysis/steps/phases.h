// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/costs/stack_rules.h"
#include "core/analysis/replayed/allocations.h"

#include <array>
#include <vector>

namespace vramscope {

/// The phase in which each allocation was made and freed. A stack shows it by its frames; without
/// frames the thread does: autograd's has none of Python, where all others have them.
class Phases
{
public:
    /// Linear in the allocations and in the distinct stacks, except for sorting frees.
    Phases(const Trace &trace, const DeviceTrace &device, const Allocations &allocations,
           StackRules &rules);

    [[nodiscard]] Phase madeIn(AllocationIndex index) const { return m_made[at(index)]; }
    [[nodiscard]] const std::vector<Phase> &made() const { return m_made; }
    /// Unknown for those that stay to the end.
    [[nodiscard]] Phase freedIn(AllocationIndex index) const { return m_freed[at(index)]; }
    [[nodiscard]] bool isZeroed(AllocationIndex index) const { return m_zeroed[at(index)]; }
    /// Whether frees have stacks, but for those by a thread without Python.
    [[nodiscard]] bool recordsFrees() const { return m_recordsFrees; }
    /// Where no free has a stack: whether a backward pass had made its last allocation before this
    /// one was freed.
    [[nodiscard]] bool isFreedAfterBackward(AllocationIndex index) const
    {
        return m_afterBackward[at(index)];
    }
    /// Whether a backward pass or an optimizer ran.
    [[nodiscard]] bool trains() const { return m_trains; }
    /// The phase of the last allocation before this one, and of the next, that belongs to a forward
    /// or backward pass or to the optimizer; Unknown without one.
    [[nodiscard]] Phase before(AllocationIndex index) const { return m_before[at(index)]; }
    [[nodiscard]] Phase after(AllocationIndex index) const { return m_after[at(index)]; }
    /// Whether an allocation is made in that phase, or one freed by the optimizer, in
    /// (first, last).
    [[nodiscard]] bool any(Phase phase, EventIndex first, EventIndex last) const;
    /// The event of the first one, or of the first after an event; the largest index without one.
    [[nodiscard]] EventIndex firstOf(Phase phase) const { return nextOf(phase, -1); }
    [[nodiscard]] EventIndex nextOf(Phase phase, EventIndex after) const;

    /// An uninterrupted run of the optimizer: its allocations and frees.
    struct Run
    {
        EventIndex first = 0;
        EventIndex last = 0;
        StackId stack = StackId::None; ///< of its first event
    };
    /// Those of step(), or those of zero_grad() where step() allocates nothing.
    [[nodiscard]] const std::vector<Run> &optimizerRuns() const { return m_runs; }

private:
    struct Mark
    {
        EventIndex event;
        StackId stack;
        bool zeroes;
    };
    static std::size_t at(AllocationIndex index) { return static_cast<std::size_t>(index); }
    [[nodiscard]] Phase ofStack(StackId stack, StackRules &rules);
    void findMade(const Allocations &allocations);
    void findFreed(const DeviceTrace &device, const Allocations &allocations, StackRules &rules);
    [[nodiscard]] bool followsBackward(EventIndex event) const;
    [[nodiscard]] std::vector<Run> runsOf(const std::vector<Mark> &marks, bool zeroes) const;

    const Trace &m_trace;
    bool m_hasPython = false;
    bool m_trains = false;
    std::vector<Phase> m_ofStack; ///< by StackId
    std::vector<Phase> m_made;
    std::vector<Phase> m_freed;
    std::vector<bool> m_zeroed;
    std::vector<bool> m_afterBackward;
    bool m_recordsFrees = false;
    std::vector<Phase> m_before;
    std::vector<Phase> m_after;
    std::array<std::vector<EventIndex>, kPhaseCount> m_events; ///< by phase, ascending
    std::vector<Run> m_runs;
};

} // namespace vramscope
