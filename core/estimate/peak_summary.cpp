// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/peak_summary.h"

#include "core/estimate/diffusion/diffusion.h"
#include "core/estimate/formulas/offload.h"
#include "core/estimate/formulas/side_effects.h"
#include "core/estimate/formulas/stages.h"
#include "core/estimate/formulas/step_work.h"
#include "core/estimate/formulas/training.h"

#include <cmath>

namespace vramscope {

namespace {

/// Parameters that a 64-bit count of bytes can still hold in all their states.
constexpr double kLargestModel = 1e16;

/// Effects of a training step outside its memory: host, communication and time.
void addSideEffects(const Settings &s, const ParameterCounts &counts, const RankInventory &rank,
                    PeakSummary &result)
{
    const Training training(s, rank);
    result.hostBytes = offloadOf(training).hostBytes.value();
    result.communicationBytes = communicationOf(training).total().value();
    const SideEffects effects = sideEffects(s, counts);
    result.recomputeShare = effects.recomputeShare;
    result.bubbleShare = effects.bubbleShare;
    result.work = rank.stage == 0 ? trainingWork(training, counts)
                                  : trainingWork(s, counts).value_or(StepWork());
}

void fillHeights(const Settings &s, const PeakHeights &heights, const MemoryLevels &levels,
                 PeakSummary &result)
{
    result.capacity = s.capacity;
    result.allocated = heights.peak.value();
    result.reserved = levels.reserved;
    result.device = levels.device;
    result.peak = heights.peakAt;
    result.firstStepAllocated = heights.firstStep.value();
    result.firstStepPeak = heights.firstStepAt;
    result.atRest = heights.rest.value();
}

PeakSummary diffusionSummary(const Settings &s)
{
    PeakSummary result;
    result.hostBytes = diffusionHostBytes(s);
    result.blocks = 1;
    const PeakHeights heights = peakHeights(diffusionLedger(s, false), {s.reservedFactor});
    fillHeights(s, heights, levelsOf(s, heights, nullptr, result.hostBytes), result);
    return result;
}

} // namespace

bool PeakSummary::overflowed() const
{
    return Exact(allocated).overflowed();
}

std::optional<PeakSummary> peakSummary(const Settings &plan, const ParameterCounts &counts)
{
    if (plan.diffusion)
        return diffusionSummary(plan);
    const StageHeights chosen = chosenStage(plan, counts);
    const RankInventory &rank = chosen.rank;
    const Settings &s = settingsOfStage(plan, rank.stage);
    if (rank.root() < 0)
        return std::nullopt;
    const PeakHeights &heights = chosen.heights;
    PeakSummary result;
    if (s.workload == Workload::Training)
        addSideEffects(s, counts, rank, result);
    else if (chosen.serving)
        result.work = servingWork(s, counts, rank, *chosen.serving);
    result.hostBytes = (Exact(result.hostBytes) + chosen.hostBytes).value();
    const MemoryLevels levels =
        levelsOf(s, heights, chosen.serving ? &*chosen.serving : nullptr, result.hostBytes);
    fillHeights(s, heights, levels, result);
    result.stage = rank.stage;
    result.blocks = rank.layers();
    result.inference = chosen.serving;
    return result;
}

bool countable(const Architecture &a)
{
    const auto real = [](std::int64_t count) { return static_cast<double>(count); };
    const double width = real(a.heads) * (real(a.headDim) + real(a.qkNopeHeadDim) +
                                          real(a.qkRopeHeadDim) + real(a.vHeadDim));
    const double attention = (real(a.hidden) + real(a.qLoraRank) + real(a.kvLoraRank)) *
                             (2 * width + 2 * real(a.kvHeads) * real(a.headDim) +
                              real(a.qLoraRank) + real(a.kvLoraRank) + 1);
    const StateMixer &m = a.state;
    const double state =
        real(m.heads) * real(m.headDim) * (real(m.stateDim) + real(m.headDim)) +
        (real(m.inner) + real(m.heads) * real(m.headDim) + real(m.groups) * real(m.stateDim) +
         real(m.headDim)) *
            (8 * real(a.hidden) + real(m.convWidth) + 4 * real(m.rank) + 4 * real(m.stateDim) + 8);
    const double ffn =
        4 * (real(a.hidden) + real(a.expertHidden) + 1) *
        (real(a.ffn) + real(a.sharedFfn) + real(a.experts) * (real(a.expertFfn) + 1));
    const double outside =
        (2 * real(a.vocab) + real(a.learnedPositions) + real(a.typeVocab) + 1) * real(a.hidden);
    const double norms = real(a.normsPerLayer) * 2 * real(a.hidden);
    return real(a.layers) * (attention + state + ffn + norms) + outside +
               std::abs(real(a.extraParameters)) <
           kLargestModel;
}

} // namespace vramscope
