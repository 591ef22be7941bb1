// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/estimate/estimate.h"
#include "core/estimate/formulas/ledger.h"

#include <span>

namespace vramscope {

/// The half width of a band from the spreads of parts, at most, as a part of its middle.
inline constexpr double kWidestBand = 0.15;

/// Memory that vLLM finds on the GPU outside PyTorch, under the name of its part.
inline constexpr std::string_view kOutsidePyTorch = "Outside PyTorch";
inline constexpr std::string_view kCudaGraphs = "CUDA graphs";

/// The highest totals of a ledger's moments, and where they are; and the most that is reserved.
struct PeakHeights
{
    Exact peak;
    Position peakAt;
    Exact firstStep;
    Position firstStepAt;
    Exact rest;
    Bytes reserved = 0, firstStepReserved = 0;
    Bytes aside = 0; ///< of `reserved`: what side streams keep and do not use at that moment
    Bytes least = 0; ///< the most that is reserved if side streams return what is idle
};
/// Memory that the allocator reserves above the totals of a ledger.
struct Slack
{
    double factor = 1;
    bool byStream = false; ///< side streams keep their blocks; the factor is of the rest
    /// The part of each total without slack: pools that are allocated whole (rollout_memory.h).
    /// Empty: all have some. Then the peak is where most is reserved.
    std::span<const Exact> pooled{};
};
[[nodiscard]] PeakHeights peakHeights(const Ledger &ledger, const Slack &slack = {});

/// The levels above allocated memory, and the memory between them.
struct MemoryLevels
{
    Bytes reserved = 0;
    Bytes slack = 0;    ///< of the allocator
    Bytes aside = 0;    ///< of the slack: kept by side streams, as far as the GPU has room
    Bytes returned = 0; ///< kept by them otherwise: returned when memory runs out
    Bytes context = 0;
    Bytes nccl = 0;
    Bytes nonTorch = 0; ///< vLLM's own count instead of context and NCCL
    Bytes graphs = 0;
    Bytes system = 0;    ///< on unified memory: used by the system
    Bytes offloaded = 0; ///< offloaded by the plan, but still in that memory
    Bytes engine = 0;    ///< a trainer's engine: its memory outside the allocator
    Bytes device = 0;
};
/// `serving` is the result of addInference(), nullptr for training; `hostBytes` are offloaded.
[[nodiscard]] MemoryLevels levelsOf(const Settings &settings, const PeakHeights &heights,
                                    const InferenceFigures *serving, Bytes hostBytes);

/// The moments of the ledger with their components, the peak among them, the first step's peak and
/// the memory at rest. Blocks within the `blocks` of the rank are moments of their own only where
/// the peak is at one of them.
void fillMoments(const Ledger &ledger, const Slack &slack, std::int64_t blocks, Estimate &result);

/// The levels above allocated memory (reserved, device), their parts, whether the plan fits the
/// capacity, and the uncertainty of the device level. Needs the moments and the offloaded bytes.
void fillLevels(const Plan &plan, const Settings &settings, const PeakHeights &heights,
                Estimate &result);

/// Uncertainty of the reserved and the device level: fills in both bands by the measured errors of
/// the plan's class of runs (measured_bands.h) or, if it has none, from the spreads of the peak's
/// parts, of the memory outside and of the reserved factor, at most 15 % of the figure to either
/// side. Needs the levels. Each band contains its figure and has a width.
void fillBands(const Plan &plan, const Settings &settings, Estimate &result);

/// The memory that nvidia-smi shows where PyTorch has allocated `allocated` at its peak (not for
/// vLLM, which states the memory outside), and nothing is offloaded.
[[nodiscard]] Exact deviceLevel(const Settings &settings, Exact allocated);

} // namespace vramscope
