// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/planner/formulas/training.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace vramscope {

namespace {

/// Chunks of L / (p v) blocks whose activations stage i keeps at once: 1F1B min(m, p - i);
/// interleaved min(m v, 2 (p - i - 1) + (v - 1) p + 1) (Megatron's schedules); GPipe all
/// micro-batches (Huang et al. 2018); zero bubble as many on every stage as 1F1B on the first (Qi
/// et al. 2023, ZB-H1 with the memory of 1F1B).
std::int64_t chunksInFlight(const Settings &s, std::int64_t stage)
{
    const std::int64_t p = s.pipeline;
    const std::int64_t v = s.virtualStages;
    if (p == 1)
        return 1;
    const Exact issued = Exact(s.accumulationSteps) * v;
    if (s.schedule == Schedule::GPipe)
        return issued.value();
    if (s.schedule == Schedule::ZeroBubble)
        return std::min(issued.value(), p * v);
    if (v == 1)
        return std::min(s.accumulationSteps, p - stage);
    return std::min(issued.value(), 2 * (p - stage - 1) + (v - 1) * p + 1);
}

/// The blocks of a range at which what it keeps or recomputes for backward turns.
void addTurns(const Settings &s, BlockRange range, std::vector<std::int64_t> &blocks)
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

std::vector<Position> turningPoints(const Training &t)
{
    std::vector<std::int64_t> blocks;
    blocks.reserve(8);
    addTurns(t.s, t.rank.denseRange(), blocks);
    addTurns(t.s, t.rank.moeRange(), blocks);
    std::ranges::sort(blocks, std::greater<>());
    blocks.erase(std::unique(blocks.begin(), blocks.end()), blocks.end());
    std::vector<Position> positions;
    positions.reserve(blocks.size() + 7);
    positions.push_back({StepPhase::Load});
    positions.push_back({StepPhase::Forward, t.rank.layers() - 1});
    positions.push_back({StepPhase::Loss});
    for (const std::int64_t block : blocks)
        positions.push_back({StepPhase::Backward, block});
    positions.push_back({StepPhase::Backward, 0, true}); // all gradients of the blocks are there
    for (const StepPhase at : {StepPhase::EndOfBackward, StepPhase::Step, StepPhase::Rest})
        positions.push_back({at});
    return positions;
}

Ledger trainingLedger(const Training &training, std::vector<Position> positions, bool texts)
{
    Ledger ledger(std::move(positions), texts);
    addStates(training, ledger);
    addActivations(training, ledger);
    addLoss(training, ledger);
    addBuffers(training, ledger);
    addWeightCopies(training, ledger);
    addParallelBuffers(training, ledger);
    addStepTemporaries(training, ledger);
    addOverheads(training, ledger);
    return ledger;
}

Training::Training(const Settings &settings, const RankInventory &inventory)
    : s(settings)
    , rank(inventory)
    , tokens(Exact(settings.microBatch) * (settings.sequenceLength / settings.context))
    , dense(denseDegrees(settings))
    , expert(expertDegrees(settings))
    , trained(settings.adapters == AdapterKind::Lora ? adapterParameters(settings, inventory)
                                                     : inventory.share())
    , gathered(settings.regime == Regime::FsdpMixedBf16 ? settings.computeBytes
                                                        : settings.weightBytes)
    , residual(settings.computeBytes)
    , flights(chunksInFlight(settings, inventory.stage))
    , chunks(settings.pipeline > 1 ? settings.virtualStages : 1)
    , trainedWeight(lora() ? settings.adapterWeightBytes : settings.weightBytes)
    , trainedGradient(lora() ? settings.adapterWeightBytes : settings.gradientBytes)
{
    // The embedding's output, and with it the residual stream, is fp32 where the weights are.
    if ((autocast() && settings.weightBytes == 4) || settings.upcastUnquantized)
        residual = 4;
}

} // namespace vramscope
