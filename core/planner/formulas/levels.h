// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/planner/estimate.h"
#include "core/planner/formulas/ledger.h"

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
};
[[nodiscard]] PeakHeights peakHeights(const Ledger &ledger);

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
    Bytes device = 0;
};
/// Of an allocated peak. `serving` is what addInference() gave, nullptr for training; `hostBytes`
/// what is offloaded.
[[nodiscard]] MemoryLevels levelsOf(const Settings &settings, Bytes allocated,
                                    const InferenceFigures *serving, Bytes hostBytes);

/// The moments of the ledger with their components, the peak among them, the first step's peak and
/// what stays at rest. Blocks within the `blocks` of the rank are moments of their own only where
/// the peak stands at one of them.
void fillMoments(const Ledger &ledger, std::int64_t blocks, Estimate &result);

/// The levels above allocated memory (reserved, device), what they consist of, whether the plan
/// fits the capacity, and how far the device level may be off. Needs the moments and what is
/// offloaded.
void fillLevels(const Plan &plan, const Settings &settings, Estimate &result);

/// What nvidia-smi shows where PyTorch has allocated `allocated` at its peak (not for vLLM, which
/// states what is outside), and nothing is offloaded.
[[nodiscard]] Exact deviceLevel(const Settings &settings, Exact allocated);

} // namespace vramscope
