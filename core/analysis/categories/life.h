// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/categories/known_sizes.h"
#include "core/analysis/steps/phases.h"

#include <unordered_map>

namespace vramscope {

/// Allocations alike: of the same size and stack.
[[nodiscard]] constexpr std::uint64_t keyOfAlike(Bytes size, StackId stack)
{
    return static_cast<std::uint64_t>(size) * 0x9e3779b97f4a7c15U +
           static_cast<std::uint64_t>(stack);
}

/// The facts about an allocation's lifetime from which its category follows.
struct Life
{
    Phase phase = Phase::Unknown;   ///< that made it
    Phase freedIn = Phase::Unknown; ///< that freed it
    Phase before = Phase::Unknown;  ///< of the last pass that allocated before it
    Phase after = Phase::Unknown;   ///< of the next
    bool fromBefore = false;        ///< there before the recording
    bool zeroed = false;            ///< freed by zero_grad
    bool stays = false;             ///< alive at the end, or at the failure that ends the program
    bool brief = false;             ///< freed within few events
    bool beforeForward = false;     ///< made before the first forward pass, if there is one
    bool untilBackward = false;     ///< lived during a backward pass, or was freed in one
    bool untilOptimizer = false;    ///< the same for the optimizer
    bool pastOptimizer = false;     ///< lived through the optimizer into the next pass
    bool keptLong = false;          ///< the same twice, or never freed
    bool outlivesBackward = false;  ///< made in backward: freed after it
    bool recomputed = false;        ///< made while activations are recomputed
    bool freedRecomputing = false;  ///< and freed there too
    bool isFreeKnown = false;       ///< frees have stacks, unless the engine makes them
    bool trains = false;            ///< the program trains
    bool keepsPasses = false;       ///< forward passes of the program keep most of what they make
    bool workspace = false;         ///< as large as a workspace of cuBLAS
    std::int64_t gradients = 0;     ///< of its size, alive at once
    std::int64_t halfGradients = 0; ///< of half its size
    bool keepsMasters = false;      ///< most gradients have a kept copy of twice their size
    std::int64_t alike = 0;         ///< with its stack and size, never freed
    FlatBuffers::Role flat = FlatBuffers::Role::None;
    bool logits = false; ///< the loss made another of its size right after it
};

/// Gives the lives of the allocations of a device.
class Lives
{
public:
    Lives(const DeviceTrace &device, const Allocations &allocations, const Phases &phases,
          const KnownSizes &sizes, StackRules &rules, const CategoryThresholds &thresholds);

    [[nodiscard]] Life of(AllocationIndex index) const;

private:
    const DeviceTrace &m_device;
    EventIndex m_end; ///< up to which lifetimes are meaningful
    const Allocations &m_allocations;
    const Phases &m_phases;
    const KnownSizes &m_sizes;
    StackRules &m_rules;
    const CategoryThresholds &m_thresholds;
    bool m_keepsPasses = false;
    bool m_keepsMasters = false;
    std::unordered_map<std::uint64_t, std::int64_t> m_alike; ///< by stack and size

    void countForward();
    void countAlike();
};

} // namespace vramscope
