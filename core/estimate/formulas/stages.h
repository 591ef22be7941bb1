// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/estimate/formulas/inventory.h"
#include "core/estimate/formulas/ledger.h"
#include "core/estimate/formulas/levels.h"

#include <optional>
#include <vector>

namespace vramscope {

/// The memory of one rank: its parts, and for serving the figures that the engine prints.
struct RankMemory
{
    Ledger ledger;
    std::optional<InferenceFigures> serving;
    std::vector<Exact> pooled; ///< as in Slack
    Bytes heldAtStart = 0;     ///< a trainer's memory when its engine starts
    Bytes hostBytes = 0;       ///< of trainer and engine, waiting on the host for their phase
    [[nodiscard]] Slack slack(const Settings &settings) const;
};

/// All formulas of the workload over one rank; without texts only sums.
[[nodiscard]] RankMemory rankMemory(const Settings &settings, const RankInventory &rank,
                                    bool texts);

/// Peak allocated of every pipeline stage; empty where there is one.
[[nodiscard]] std::vector<Bytes> stagePeaks(const Settings &settings,
                                            const ParameterCounts &counts);

/// The stage that a plan's figures describe, with its heights: the requested one, or the first with
/// the highest peak; on GPUs of several kinds the one that leaves the least free. Visits only
/// stages that may be it.
struct StageHeights
{
    RankInventory rank;
    PeakHeights heights;
    std::optional<InferenceFigures> serving;
    Bytes hostBytes = 0; ///< as in RankMemory
};
[[nodiscard]] StageHeights chosenStage(const Settings &settings, const ParameterCounts &counts);

} // namespace vramscope
