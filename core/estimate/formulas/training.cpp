// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/formulas/training.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

namespace vramscope {

namespace {

/// The blocks of a range at which the memory it keeps or recomputes for backward peaks.
void addTurns(const Settings &s, const BlockRange &range, std::vector<std::int64_t> &blocks)
{
    const std::int64_t end = range.first + range.blocks;
    if (range.blocks == 0)
        return;
    blocks.insert(blocks.end(), {range.first, end - 1});
    if (s.checkpointing == Checkpointing::EveryK && range.blocks > s.every)
        blocks.insert(blocks.end(), {range.first + s.every - 1, // the top of a whole segment
                                     range.first + range.blocks / s.every * s.every - 1});
    if (s.checkpointing == Checkpointing::Block && s.checkpointedBlocks > range.first &&
        s.checkpointedBlocks < end)
        blocks.insert(blocks.end(), {s.checkpointedBlocks - 1, s.checkpointedBlocks});
}

} // namespace

namespace {

/// The last two blocks of each kind before the last: FSDP gathers the next block while one runs, so
/// that two large blocks may take more than a small one after them.
std::vector<std::int64_t> endsOfKinds(const Training &t)
{
    std::vector<std::int64_t> ends;
    const std::int64_t last = t.rank.layers() - 1;
    for (const RankGroup &group : t.rank.groups) {
        const std::int64_t end = group.range.first + group.range.blocks - 1;
        for (std::int64_t block = std::max(end - 1, group.range.first);
             group.range.blocks > 0 && end < last && block <= end; ++block)
            ends.push_back(block);
    }
    return ends;
}

} // namespace

std::vector<Position> turningPoints(const Training &t)
{
    std::vector<std::int64_t> blocks;
    blocks.reserve(10);
    if (t.s.architecture.isPlain()) {
        for (const RankGroup &group : t.rank.groups)
            addTurns(t.s, group.range, blocks);
    } else { // each block may differ in kind from its neighbours
        blocks.resize(static_cast<std::size_t>(t.rank.layers()));
        std::iota(blocks.begin(), blocks.end(), 0);
    }
    // FSDP prefetches for every block but the last to run, and reduces the head with the first.
    if (t.reshards() && t.rank.layers() > 1)
        blocks.insert(blocks.end(), {1, t.rank.layers() - 2});
    std::ranges::sort(blocks, std::greater<>());
    blocks.erase(std::unique(blocks.begin(), blocks.end()), blocks.end());
    const bool differ = t.s.architecture.isPlain() && t.rank.groups.size() > 1;
    return peakPositions(trainingSchedule(t.s), blocks, t.rank.layers(),
                         differ ? endsOfKinds(t) : std::vector<std::int64_t>());
}

Ledger trainingLedger(const Training &training, std::vector<Position> positions, bool texts)
{
    Ledger ledger(std::move(positions), texts);
    addStates(training, ledger);
    addActivations(training, ledger);
    addVisionTower(training, ledger);
    addSource(training, ledger);
    addPictures(training, ledger);
    addLoss(training, ledger);
    addBuffers(training, ledger);
    addWeightCopies(training, ledger);
    addParallelBuffers(training, ledger);
    addStepTemporaries(training, ledger);
    addOverheads(training, ledger);
    addMegatronHeld(training, ledger);
    return ledger;
}

namespace {

/// All parameters but those of a frozen vision tower, and of an index, which transformers runs
/// without gradients.
Share trainedShare(const Settings &s, const RankInventory &rank)
{
    Share share = rank.share();
    share.dense -= rank.untrained();
    if (s.architecture.source.frames > 0 && rank.hasEmbedding) // its positions are not trained
        share.dense -= s.architecture.source.positions * s.architecture.hidden;
    if (s.visionTower == TowerTraining::Frozen)
        share.dense -= rank.tower();
    return share;
}

} // namespace

Training::Training(const Settings &settings, const RankInventory &inventory)
    : s(settings)
    , rank(inventory)
    , tokens(Exact(settings.microBatch) * (settings.sequenceLength / settings.context))
    , sourceTokens(Exact(settings.microBatch) * settings.sourceLength)
    , dense(denseDegrees(settings))
    , expert(expertDegrees(settings))
    , trained(settings.adapters.kind == AdapterKind::Lora ? adapterParameters(settings, inventory)
                                                          : trainedShare(settings, inventory))
    , gathered(settings.regime == Regime::FsdpMixedBf16 ? settings.computeBytes
                                                        : settings.weightBytes)
    , residual(settings.computeBytes)
    , flights(chunksInFlight(settings, inventory.stage))
    , chunks(settings.pipeline > 1 ? settings.virtualStages : 1)
    , trainedWeight(lora() ? settings.adapters.weightBytes : settings.weightBytes)
    , trainedGradient(lora() ? settings.adapters.weightBytes : settings.gradientBytes)
{
    // The embedding's output, and with it the residual stream, is fp32 where the weights are.
    // Over bitsandbytes' layers nothing casts DoRA's fp32 results back to 16 bit under autocast.
    const bool widens = lora() && settings.adapters.dora &&
                        settings.adapters.baseQuantization != BaseQuantization::None;
    if ((isAutocast(settings.regime) && (settings.weightBytes == 4 || widens)) ||
        settings.adapters.upcastUnquantized)
        residual = 4;
}

} // namespace vramscope
