// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/estimate/formulas/inventory.h"
#include "core/estimate/formulas/ledger.h"
#include "core/estimate/formulas/levels.h"

#include <optional>
#include <vector>

namespace vramscope {

/// The memory of one rank: what it holds, and for serving what the engine prints itself.
struct RankMemory
{
    Ledger ledger;
    std::optional<InferenceFigures> serving;
    std::vector<Exact> pooled; ///< as Slack has it
    Bytes heldAtStart = 0;     ///< of a trainer, when the engine beside it starts
    Bytes hostBytes = 0;       ///< of both, what waits on the host for its phase
    [[nodiscard]] Slack slack(const Settings &settings) const;
};

/// All formulas of the workload over one rank; without texts only sums.
[[nodiscard]] RankMemory rankMemory(const Settings &settings, const RankInventory &rank,
                                    bool texts);

/// Peak allocated of every pipeline stage; empty where there is one.
[[nodiscard]] std::vector<Bytes> stagePeaks(const Settings &settings,
                                            const ParameterCounts &counts);

/// The stage that a plan's figures are of, with its heights: the one asked for, or the first of
/// those with the highest peak; on GPUs of several kinds the one that leaves the least of its own.
/// Visits only stages that may be it.
struct StageHeights
{
    RankInventory rank;
    PeakHeights heights;
    std::optional<InferenceFigures> serving;
    Bytes hostBytes = 0; ///< as RankMemory has it
};
[[nodiscard]] StageHeights chosenStage(const Settings &settings, const ParameterCounts &counts);

} // namespace vramscope
