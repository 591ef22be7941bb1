// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/categories/category_thresholds.h"
#include "core/analysis/categories/flat_buffers.h"
#include "core/analysis/steps/phases.h"

#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace vramscope {

/// What sizes tell: a parameter, its gradient and its states have the same, and logits have that of
/// what the loss makes of them.
class KnownSizes
{
public:
    KnownSizes(const Trace &trace, const DeviceTrace &device, const Allocations &allocations,
               const Phases &phases, StackRules &rules, const CategoryThresholds &thresholds);

    /// The bytes of all gradients that are alive at once, at most.
    [[nodiscard]] double bytesOfGradients() const { return m_bytesOfGradients; }
    /// How many gradients of that size are alive at once, at most.
    [[nodiscard]] std::int64_t gradients(Bytes size) const;
    /// The share of gradients whose size `is` accepts; 0 without gradients.
    template<class Is>
    [[nodiscard]] double shareOfGradients(Is is) const
    {
        std::int64_t all = 0;
        std::int64_t those = 0;
        for (const auto &[size, count] : m_gradients) {
            all += count;
            those += is(size) ? count : 0;
        }
        return all > 0 ? static_cast<double>(those) / static_cast<double>(all) : 0;
    }
    /// Whether it is as large as a workspace of cuBLAS, which each thread makes once and keeps: 8.1
    /// MiB; on Hopper 32 MiB, which other things are too, so that there only the first is one that
    /// forward makes and never frees, and the first that backward does.
    [[nodiscard]] bool isWorkspace(AllocationIndex index, Bytes size) const;
    [[nodiscard]] bool isLogits(AllocationIndex index) const { return m_logits.contains(index); }
    /// Whether some logits have that size.
    [[nodiscard]] bool isOfLogits(Bytes size) const { return m_logitSizes.contains(size); }

    /// What an allocation from before the recording is by the number of its equals.
    enum class Copy : std::uint8_t { None, Parameter, State };
    [[nodiscard]] Copy copyOf(AllocationIndex index) const;
    [[nodiscard]] const FlatBuffers &flatBuffers() const { return m_flatBuffers; }

private:
    [[nodiscard]] static std::unordered_set<AllocationIndex>
    findWorkspaces(const Allocations &allocations, const Phases &phases);
    [[nodiscard]] double sumOfGradients() const;
    [[nodiscard]] std::unordered_map<Bytes, std::int64_t>
    countGradients(const Allocations &allocations, const Phases &phases) const;
    void findLogits(const DeviceTrace &device, const Allocations &allocations, const Phases &phases,
                    StackRules &rules);
    void walkBack(const Allocations &allocations, const Phases &phases, StackRules &rules,
                  AllocationIndex from, EventIndex at, Bytes size);
    void findCopies(const Trace &trace, const DeviceTrace &device, const Allocations &allocations,
                    const Phases &phases);

    const CategoryThresholds &m_thresholds;
    std::unordered_set<AllocationIndex> m_workspaces; ///< of Hopper
    std::unordered_map<Bytes, std::int64_t> m_gradients;
    double m_bytesOfGradients;
    std::unordered_set<AllocationIndex> m_logits;
    std::unordered_set<Bytes> m_logitSizes;
    std::unordered_map<AllocationIndex, Copy> m_copies;
    FlatBuffers m_flatBuffers;
};

/// Whether an allocation made in backward outlives that pass, as gradients do: something else is
/// allocated before it is freed, or the optimizer frees it.
[[nodiscard]] bool outlivesBackward(const Phases &phases, const Allocations &allocations,
                                    AllocationIndex index);

} // namespace vramscope
