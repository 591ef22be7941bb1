// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/categories/life.h"

#include <unordered_set>

namespace vramscope {

namespace {

// A failed allocation ends the program's work: frees during the unwinding after it say nothing
// about what the memory was.
EventIndex endOf(const DeviceTrace &device)
{
    return device.outOfMemory.empty() ? device.events.count() : device.outOfMemory.front().event;
}

} // namespace

Lives::Lives(const DeviceTrace &device, const Allocations &allocations, const Phases &phases,
             const KnownSizes &sizes, StackRules &rules, const CategoryThresholds &thresholds)
    : m_device(device)
    , m_end(endOf(device))
    , m_allocations(allocations)
    , m_phases(phases)
    , m_sizes(sizes)
    , m_rules(rules)
    , m_thresholds(thresholds)
{
    countForward();
    countAlike();
}

// A forward pass whose memory stays although no backward pass was recorded is one that training cut
// off, or an evaluation that records a graph: inference frees each layer's output after its use.
void Lives::countForward()
{
    double made = 0;
    double kept = 0;
    for (AllocationIndex index = 0; index < m_allocations.count(); ++index) {
        const auto at = static_cast<std::size_t>(index);
        if (m_allocations.birth[at] < 0 || m_phases.madeIn(index) != Phase::Forward)
            continue;
        made += static_cast<double>(m_allocations.requested[at]);
        if (m_allocations.death[at] >= m_end)
            kept += static_cast<double>(m_allocations.requested[at]);
    }
    m_keepsPasses = kept > m_thresholds.largestKeptShare * made;
}

void Lives::countAlike()
{
    for (std::size_t at = 0; at < m_allocations.birth.size(); ++at) {
        if (m_allocations.birth[at] >= 0 && m_allocations.death[at] >= m_end)
            ++m_alike[keyOfAlike(m_allocations.requested[at], m_allocations.stack[at])];
    }
    std::unordered_set<Bytes> sizes;
    for (std::size_t at = 0; at < m_allocations.birth.size(); ++at) {
        if (m_allocations.death[at] >= m_end)
            sizes.insert(m_allocations.requested[at]);
    }
    m_keepsMasters = m_sizes.shareOfGradients([&](Bytes size) {
        return sizes.contains(2 * size);
    }) >= m_thresholds.leastMasters;
}

Life Lives::of(AllocationIndex index) const
{
    const auto at = static_cast<std::size_t>(index);
    const EventIndex birth = m_allocations.birth[at];
    const EventIndex death = m_allocations.death[at];
    Life life;
    life.phase = m_phases.madeIn(index);
    life.before = m_phases.before(index);
    life.after = m_phases.after(index);
    life.fromBefore = birth < 0;
    life.stays = death >= m_end;
    life.trains = m_phases.trains();
    life.brief = !life.stays && death - birth <= m_thresholds.fewEvents;
    const EventIndex forward = m_phases.firstOf(Phase::Forward);
    life.beforeForward = forward < m_end && birth < forward;
    life.keepsPasses = m_keepsPasses;
    life.workspace = m_sizes.isWorkspace(index, m_allocations.requested[at]);
    life.halfGradients = m_allocations.requested[at] % 2 == 0
                             ? m_sizes.gradients(m_allocations.requested[at] / 2)
                             : 0;
    const auto alike =
        m_alike.find(keyOfAlike(m_allocations.requested[at], m_allocations.stack[at]));
    life.alike = alike != m_alike.end() ? alike->second : 0;
    life.gradients = m_sizes.gradients(m_allocations.requested[at]);
    life.flat = m_sizes.flatBuffers().of(index);
    life.logits = m_sizes.isLogits(index);
    StackId freedBy = StackId::None;
    if (!life.stays) {
        life.freedIn = m_phases.freedIn(index);
        life.zeroed = m_phases.isZeroed(index);
        freedBy = m_allocations.freeStack(m_device, index);
    }
    life.untilBackward =
        life.freedIn == Phase::Backward || m_phases.any(Phase::Backward, birth, death);
    const EventIndex optimizer = m_phases.nextOf(Phase::Optimizer, birth);
    life.untilOptimizer = life.freedIn == Phase::Optimizer || optimizer < death;
    life.pastOptimizer = optimizer < death && (m_phases.any(Phase::Forward, optimizer, death) ||
                                               m_phases.any(Phase::Backward, optimizer, death));
    const EventIndex again =
        m_phases.nextOf(Phase::Optimizer, m_phases.nextOf(Phase::Forward, optimizer));
    life.keptLong = life.stays || m_phases.any(Phase::Forward, again, death);
    life.outlivesBackward =
        life.phase == Phase::Backward && outlivesBackward(m_phases, m_allocations, index);
    life.recomputed = m_rules.isRecomputed(m_allocations.stack[at]);
    life.freedRecomputing = life.recomputed && m_rules.isRecomputed(freedBy);
    life.isFreeKnown = !life.stays && m_phases.recordsFrees();
    life.keepsMasters = m_keepsMasters;
    return life;
}

} // namespace vramscope
