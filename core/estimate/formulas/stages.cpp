// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/formulas/stages.h"

#include "core/estimate/formulas/inference.h"
#include "core/estimate/formulas/training.h"
#include "core/estimate/rollout/rollout_memory.h"
#include "core/settings/schedules/schedule.h"

#include <algorithm>
#include <array>
#include <utility>

namespace vramscope {

namespace {

/// Remembers the kinds of blocks of the middle stages seen so far. A middle stage with the blocks
/// of an earlier one cannot keep more: fewer micro-batches are in flight towards the end.
class MiddleStages
{
public:
    bool seen(const StageBlocks &blocks)
    {
        const auto end = m_blocks.begin() + m_count;
        if (std::any_of(m_blocks.begin(), end,
                        [&](const StageBlocks &other) { return other.sameKinds(blocks); }))
            return true;
        if (end != m_blocks.end())
            m_blocks[static_cast<std::size_t>(m_count++)] = blocks;
        return false;
    }

private:
    std::array<StageBlocks, 8> m_blocks{};
    std::ptrdiff_t m_count = 0;
};

/// The caches of stages differ where some of their layers slide and others do not.
bool stagesDifferInLayers(const Settings &s)
{
    return s.workload == Workload::Inference &&
           (!s.architecture.slidingLayers.empty() || !s.architecture.isPlain());
}

} // namespace

RankMemory rankMemory(const Settings &s, const RankInventory &rank, bool texts)
{
    if (s.workload == Workload::Inference) {
        Ledger ledger(peakPositions(servingSchedule(), {}, rank.layers()), texts);
        const InferenceFigures figures = addInference(s, rank, ledger);
        return {std::move(ledger), figures, {}, 0, figures.hostWeights};
    }
    const Training training(s, rank);
    if (s.rollout) {
        RolloutMemory both = rolloutMemory(training, withRollout(turningPoints(training)), texts);
        return {std::move(both.ledger), both.engine, std::move(both.pooled), both.heldAtStart,
                both.hostBytes};
    }
    return {trainingLedger(training, turningPoints(training), texts), std::nullopt, {}};
}

Slack RankMemory::slack(const Settings &s) const
{
    return {s.reservedFactor, !s.reservedStated, pooled};
}

namespace {

StageHeights heightsAt(const Settings &plan, const ParameterCounts &counts, std::int64_t stage)
{
    const Settings &s = settingsOfStage(plan, stage);
    RankInventory rank = rankOf(s, counts, stage);
    const RankMemory memory = rankMemory(s, rank, false);
    return {std::move(rank), peakHeights(memory.ledger, memory.slack(s)), memory.serving,
            memory.hostBytes};
}

/// Memory that a stage leaves on its GPUs; for an engine that fills them with cache, the tokens
/// that it has room for.
std::int64_t leftAt(const Settings &plan, const StageHeights &it)
{
    const Settings &s = settingsOfStage(plan, it.rank.stage);
    if (it.serving && sizesItsCache(s))
        return it.serving->kvTokens;
    return s.capacity -
           levelsOf(s, it.heights, it.serving ? &*it.serving : nullptr, it.hostBytes).device;
}

/// On GPUs of several kinds the stage with the least headroom decides.
StageHeights tightestStage(const Settings &s, const ParameterCounts &counts)
{
    StageHeights tightest = heightsAt(s, counts, 0);
    for (std::int64_t stage = 1; stage < s.pipeline; ++stage) {
        StageHeights next = heightsAt(s, counts, stage);
        if (leftAt(s, next) < leftAt(s, tightest))
            tightest = std::move(next);
    }
    return tightest;
}

} // namespace

std::vector<Bytes> stagePeaks(const Settings &s, const ParameterCounts &counts)
{
    std::vector<Bytes> peaks;
    if (s.pipeline == 1)
        return peaks;
    peaks.reserve(static_cast<std::size_t>(s.pipeline));
    for (std::int64_t stage = 0; stage < s.pipeline; ++stage)
        peaks.push_back(heightsAt(s, counts, stage).heights.peak.value());
    return peaks;
}

StageHeights chosenStage(const Settings &s, const ParameterCounts &counts)
{
    if (s.stage >= 0)
        return heightsAt(s, counts, s.stage);
    if (!s.ofStages.empty())
        return tightestStage(s, counts);
    StageHeights worst = heightsAt(s, counts, 0);
    MiddleStages middle;
    const bool differ = stagesDifferInLayers(s);
    // A stage that has run backward before its last forward pass has gradients in that.
    const auto accumulates = [&s](std::int64_t stage) {
        return Exact(chunksInFlight(s, stage)) < Exact(s.accumulationSteps) * s.virtualStages;
    };
    for (std::int64_t stage = 1; stage < s.pipeline; ++stage) {
        const bool alike = !differ && accumulates(stage) == accumulates(stage - 1);
        if (alike && stage < s.pipeline - 1 && middle.seen(blocksOf(s, counts, stage)))
            continue;
        StageHeights next = heightsAt(s, counts, stage);
        if (next.heights.peak > worst.heights.peak)
            worst = std::move(next);
    }
    return worst;
}

} // namespace vramscope
