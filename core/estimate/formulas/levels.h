// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/estimate/estimate.h"
#include "core/estimate/formulas/ledger.h"

#include <span>

namespace vramscope {

/// A band whose half width exceeds this part of its middle is of no use to a user.
inline constexpr double kWidestBand = 0.15;

/// Memory that vLLM finds on the GPU outside PyTorch, under the name of its part.
inline constexpr std::string_view kOutsidePyTorch = "Outside PyTorch";
inline constexpr std::string_view kCudaGraphs = "CUDA graphs";

/// The highest totals of a ledger's moments, and where they are.
struct PeakHeights
{
    Exact peak;
    Position peakAt;
    Exact firstStep;
    Position firstStepAt;
    Exact rest;
    Exact pooled, firstStepPooled; ///< the part of the two peaks that has no slack
};
/// Memory that the allocator reserves above the totals of a ledger.
struct Slack
{
    double factor = 1;
    /// The part of each total without slack: pools that are allocated whole (rollout_memory.h).
    /// Empty: all have some.
    std::span<const Exact> pooled{};
};
/// The peak is where most is reserved.
[[nodiscard]] PeakHeights peakHeights(const Ledger &ledger, const Slack &slack = {});

/// The levels above allocated memory, and the memory between them.
struct MemoryLevels
{
    Bytes reserved = 0;
    Bytes slack = 0; ///< of the allocator
    Bytes context = 0;
    Bytes nccl = 0;
    Bytes nonTorch = 0; ///< vLLM's own count instead of context and NCCL
    Bytes graphs = 0;
    Bytes system = 0;    ///< on unified memory: used by the system
    Bytes offloaded = 0; ///< offloaded by the plan, but still in that memory
    Bytes engine = 0;    ///< a trainer's engine: its memory outside the allocator
    Bytes device = 0;
};
/// For an allocated peak, `pooled` bytes of it without slack. `serving` is the result of
/// addInference(), nullptr for training; `hostBytes` are offloaded.
[[nodiscard]] MemoryLevels levelsOf(const Settings &settings, Bytes allocated, Bytes pooled,
                                    const InferenceFigures *serving, Bytes hostBytes);

/// The moments of the ledger with their components, the peak among them, the first step's peak and
/// the memory at rest. Blocks within the `blocks` of the rank are moments of their own only where
/// the peak is at one of them.
void fillMoments(const Ledger &ledger, const Slack &slack, std::int64_t blocks, Estimate &result);

/// The levels above allocated memory (reserved, device), their parts, whether the plan fits the
/// capacity, and the uncertainty of the device level. Needs the moments and the offloaded bytes.
void fillLevels(const Plan &plan, const Settings &settings, const PeakHeights &heights,
                Estimate &result);

/// Uncertainty of the reserved and the device level: fills in both bands from the spreads of the
/// peak's parts, of the memory outside and of the reserved factor. Needs the levels. Each band
/// contains its figure, has a width, and reaches at most 15 % of its figure to either side.
void fillBands(const Plan &plan, const Settings &settings, Estimate &result);

/// The memory that nvidia-smi shows where PyTorch has allocated `allocated` at its peak (not for
/// vLLM, which states the memory outside), and nothing is offloaded.
[[nodiscard]] Exact deviceLevel(const Settings &settings, Exact allocated);

} // namespace vramscope
