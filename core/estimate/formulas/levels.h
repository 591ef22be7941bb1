// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/estimate/estimate.h"
#include "core/estimate/formulas/ledger.h"

#include <span>

namespace vramscope {

/// What vLLM finds on the GPU beside PyTorch's memory, under the name of its part.
inline constexpr std::string_view kOutsidePyTorch = "Outside PyTorch";
inline constexpr std::string_view kCudaGraphs = "CUDA graphs";

/// How high the moments of a ledger reach, and at which one.
struct PeakHeights
{
    Exact peak;
    Position peakAt;
    Exact firstStep;
    Position firstStepAt;
    Exact rest;
    Exact pooled, firstStepPooled; ///< of the two peaks, what has no slack
};
/// What the allocator reserves over the totals of a ledger.
struct Slack
{
    double factor = 1;
    /// Of each total, what has none: pools that are allocated whole (rollout_memory.h). Empty: all
    /// has some.
    std::span<const Exact> pooled{};
};
/// The peak is where most is reserved.
[[nodiscard]] PeakHeights peakHeights(const Ledger &ledger, const Slack &slack = {});

/// The levels above allocated memory, and what stands between them.
struct MemoryLevels
{
    Bytes reserved = 0;
    Bytes slack = 0; ///< of the allocator
    Bytes context = 0;
    Bytes nccl = 0;
    Bytes nonTorch = 0; ///< vLLM's own count instead of context and NCCL
    Bytes graphs = 0;
    Bytes system = 0;    ///< on unified memory: what the system takes of it
    Bytes offloaded = 0; ///< and what the plan offloads, which stays in it
    Bytes engine = 0;    ///< beside a trainer: what its engine keeps outside the allocator
    Bytes device = 0;
};
/// Of an allocated peak, `pooled` bytes of it without slack. `serving` is what addInference() gave,
/// nullptr for training; `hostBytes` what is offloaded.
[[nodiscard]] MemoryLevels levelsOf(const Settings &settings, Bytes allocated, Bytes pooled,
                                    const InferenceFigures *serving, Bytes hostBytes);

/// The moments of the ledger with their components, the peak among them, the first step's peak and
/// what stays at rest. Blocks within the `blocks` of the rank are moments of their own only where
/// the peak stands at one of them.
void fillMoments(const Ledger &ledger, const Slack &slack, std::int64_t blocks, Estimate &result);

/// The levels above allocated memory (reserved, device), what they consist of, whether the plan
/// fits the capacity, and how far the device level may be off. Needs the moments and what is
/// offloaded.
void fillLevels(const Plan &plan, const Settings &settings, const PeakHeights &heights,
                Estimate &result);

/// What nvidia-smi shows where PyTorch has allocated `allocated` at its peak (not for vLLM, which
/// states what is outside), and nothing is offloaded.
[[nodiscard]] Exact deviceLevel(const Settings &settings, Exact allocated);

} // namespace vramscope
