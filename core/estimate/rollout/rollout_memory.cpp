// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/rollout/rollout_memory.h"

#include "core/estimate/formulas/inference.h"
#include "core/settings/rollout.h"
#include "core/settings/schedules/schedule.h"

#include <algorithm>
#include <string>

namespace vramscope {

namespace {

constexpr PhaseSet kRollout = {StepPhase::Generate, StepPhase::LogProbabilities,
                               StepPhase::WeightSync};
constexpr PhaseSet kUpdate = kWholeStep.without({StepPhase::Rest});

/// Memory that a forward pass needs for a moment and does not keep for backward: gathered weights,
/// copies of weights, workspaces.
bool passesThrough(Category category)
{
    return category == Category::Parameters || category == Category::Communication ||
           category == Category::TemporaryBuffers || category == Category::Framework;
}

/// Adds a part under a name of its own. The formula stays that of its owner.
void addLine(const Ledger::Line &line, std::string_view owner, PhaseSet when, PhaseSet firstStep,
             Ledger &ledger)
{
    Entry entry = line.entry;
    const std::string name = std::string(owner) + line.component.name;
    entry.name = name;
    entry.when = when;
    entry.firstStep = firstStep;
    ledger.add(entry, line.component.formula);
}

/// When parts of the trainer exist outside its own step.
class TrainerPhases
{
public:
    explicit TrainerPhases(const Settings &settings)
        : m_s(settings)
    {
    }

    /// Parts that last from step to step, and those that a forward pass needs.
    [[nodiscard]] PhaseSet of(const Entry &entry, bool first) const
    {
        const PhaseSet own = first ? entry.firstStep : entry.when;
        PhaseSet when = own;
        // Before the first update, lasting parts are there as far as they are in forward.
        if (entry.when.contains(StepPhase::Rest) && (!first || own.contains(StepPhase::Forward)))
            when = when | lasting(entry.category);
        if (own.contains(StepPhase::Forward) && passesThrough(entry.category))
            when = when | PhaseSet{StepPhase::LogProbabilities};
        return when.contains(StepPhase::Rest) && isOffloaded(entry.category)
                   ? when.without({StepPhase::Rest})
                   : when;
    }

    /// The same of a critic, which rests while the policy is updated.
    [[nodiscard]] PhaseSet resting(Category category) const
    {
        const PhaseSet when = lasting(category) | PhaseSet{StepPhase::Rest};
        return isOffloaded(category) ? when.without({StepPhase::Rest}) : when | kUpdate;
    }

    [[nodiscard]] bool isOffloaded(Category category) const
    {
        return category == Category::OptimizerStates ? m_s.rl.optimizerOffload
                                                     : isWeight(category) && m_s.rl.paramOffload;
    }

private:
    [[nodiscard]] static bool isWeight(Category category)
    {
        return category == Category::Parameters || category == Category::Gradients;
    }
    [[nodiscard]] PhaseSet lasting(Category category) const
    {
        if (!isOffloaded(category))
            return kRollout;
        return isWeight(category) ? kRollout.without({StepPhase::Generate}) : PhaseSet();
    }

    const Settings &m_s;
};

/// Elements of a token that the feed-forward of a block has at once, without gradients: gate, its
/// activation and up, or the rows of its experts, sorted, multiplied and put back.
Exact feedForwardWidth(const Training &t)
{
    const Architecture &a = t.s.architecture;
    Exact widest;
    if (t.rank.has(FeedForward::Dense))
        widest = Exact(3) * dividedUp(Exact(a.ffn), t.s.tensor);
    if (t.rank.has(FeedForward::Experts)) {
        const Exact rows = std::max(Exact(4) * a.hidden, Exact(4) * a.expertFfn + a.hidden);
        widest = std::max({widest, Exact(3) * a.sharedFfn, rows * a.expertsPerToken});
    }
    return widest;
}

/// The forward pass over finished answers, without gradients.
void addLogProbabilities(const Training &t, Ledger &ledger)
{
    const Settings &s = t.s;
    const Architecture &a = s.architecture;
    const PhaseSet when = {StepPhase::LogProbabilities};
    const std::int64_t tokens =
        (Exact(s.rl.logProbMicroBatch) * (s.sequenceLength / s.context)).value();
    const Exact width = feedForwardWidth(t);
    const std::int64_t streams = 2 * (s.computeBytes + t.residual);
    ledger.add(
        Category::Activations, "Activations of a block without gradients",
        Exact(tokens) * (width * s.computeBytes + Exact(streams) * a.hidden), when,
        {"Its feed-forward, the residual stream and what was normalised; measured: "
         "tests/measure/record_forward.py",
         Evidence::Verified},
        {"({} f + {} h) T = ({} × {} + {} × {}) × {}",
         {s.computeBytes, streams, s.computeBytes, width.value(), streams, a.hidden, tokens}});
    if (!t.rank.hasHead || s.loss == LossKind::LinearFused || s.loss == LossKind::LinearChunked ||
        s.loss == LossKind::None)
        return;
    const bool chunked = s.loss == LossKind::Chunked || s.loss == LossKind::ChunkedFp32 ||
                         s.loss == LossKind::ChunkedBackward;
    const std::int64_t rows = chunked ? dividedUp(Exact(tokens), s.lossChunks).value() : tokens;
    const std::int64_t split = dividesLogits(s) ? s.tensor : 1;
    ledger.add(
        Category::LossAndLogits, "Logits for log-probabilities",
        {"6 V / t T", {6, over(a.vocab, split), rows}}, when,
        {"At most: logits in 16 bit, their softmax and its product with them for the entropy; "
         "verl/utils/torch_functional.py. TRL goes row by row",
         Evidence::Derived});
}

/// A frozen copy of the policy in 16 bits, sharded as its weights are. Returns the part that waits
/// on the host.
Exact addReference(const Training &t, Ledger &ledger)
{
    const Settings &s = t.s;
    if (!s.rl.reference)
        return 0;
    // Gathered unit by unit where weights are sharded: the gathers of the forward pass are there.
    const PhaseSet offloaded =
        t.reshards() || t.zero3() ? PhaseSet() : PhaseSet{StepPhase::LogProbabilities};
    const PhaseSet when =
        s.rl.referenceOffload ? offloaded : kRollout | kWholeStep | PhaseSet{StepPhase::Load};
    constexpr std::int64_t kBytes = 2;
    addSharded(
        t, t.rank.share(),
        {Category::Parameters,
         "Reference model",
         when,
         {"A frozen copy of the model in bf16; verl/workers/fsdp_workers.py", Evidence::Sourced}},
        kBytes, &Degrees::weights, ledger);
    return s.rl.referenceOffload
               ? sharded(t.rank.share(), kBytes, t.dense.weights, t.expert.weights)
               : Exact();
}

void addSyncBucket(const Settings &s, Ledger &ledger)
{
    ledger.add(Category::Communication, "Weights on their way to the engine", s.rl.syncBucketBytes,
               {StepPhase::WeightSync},
               {"Whole tensors are gathered and copied a bucket at a time; "
                "verl/workers/engine_workers.py",
                Evidence::Sourced},
               {"rl.sync_bucket_bytes = {}", {s.rl.syncBucketBytes}});
}

/// When a part of the engine is on the device.
PhaseSet enginePhases(const Settings &s, const Entry &entry)
{
    PhaseSet when;
    if (entry.when.contains(StepPhase::Serve))
        when = {StepPhase::Generate};
    const bool lasts = entry.when.contains(StepPhase::Rest);
    const PhaseSet always = kRollout | kWholeStep;
    if (lasts && (s.rl.sleepLevel == 0 || entry.category == Category::Framework))
        return always;
    if (lasts && entry.category == Category::Parameters)
        when = when | PhaseSet{StepPhase::WeightSync};
    return when;
}

/// Device memory of a trainer that has not stepped yet, when generation begins.
Bytes heldAtStart(const Settings &s, const Ledger &trainer)
{
    const auto found =
        std::ranges::find(trainer.positions(), StepPhase::Generate, &Position::phase);
    const auto at = static_cast<std::size_t>(found - trainer.positions().begin());
    const Exact outside = Exact(s.contextBytes) + s.ncclBytes;
    return (trainer.firstStepTotals()[at] + outside).value();
}

Ledger engineLedger(const Settings &engine, const RankInventory &rank, InferenceFigures &figures)
{
    Ledger ledger(peakPositions(servingSchedule(), {}, rank.layers()), true);
    figures = addInference(engine, rank, ledger);
    return ledger;
}

} // namespace

std::vector<Position> withRollout(std::vector<Position> step)
{
    const auto load = std::ranges::find(step, StepPhase::Load, &Position::phase);
    const auto first = load == step.end() ? step.begin() : load + 1;
    step.insert(first, {{StepPhase::Generate}, {StepPhase::LogProbabilities}});
    const auto rest = std::ranges::find(step, StepPhase::Rest, &Position::phase);
    step.insert(rest, {StepPhase::WeightSync});
    return step;
}

RolloutMemory rolloutMemory(const Training &t, std::vector<Position> positions, bool texts)
{
    const Settings &s = t.s;
    RolloutMemory result{Ledger(positions, texts), {}, {}, 0, 0};
    const TrainerPhases phases(s);
    const Ledger trainer = trainingLedger(t, {}, true);
    Exact waiting;
    for (const Ledger::Line &line : trainer.lines()) {
        const Entry &entry = line.entry;
        const Category category = entry.category;
        addLine(line, "", phases.of(entry, false), phases.of(entry, true), result.ledger);
        if (!entry.when.contains(StepPhase::Rest))
            continue;
        const std::int64_t copies = s.rl.critic ? 2 : 1;
        waiting += phases.isOffloaded(category) ? entry.bytes * copies : Exact();
        if (s.rl.critic && category != Category::Framework) // one process, one set of workspaces
            addLine(line, kOfCritic, phases.resting(category), phases.resting(category),
                    result.ledger);
    }
    result.ledger.holdOf(trainer);
    waiting += addReference(t, result.ledger);
    addLogProbabilities(t, result.ledger);
    result.heldAtStart = heldAtStart(s, result.ledger);
    addSyncBucket(s, result.ledger);

    Settings engine = *s.rollout;
    engine.heldAtStart = result.heldAtStart;
    const RankInventory rank = rankOf(engine, countParameters(engine.architecture), 0);
    const Ledger served = engineLedger(engine, rank, result.engine);
    Ledger alone(positions, false);
    for (const Ledger::Line &line : served.lines()) {
        const PhaseSet when = enginePhases(s, line.entry);
        addLine(line, kOfEngine, when, when, result.ledger);
        addLine(line, kOfEngine, when, when, alone);
    }
    if (s.rl.sleepLevel == 1)
        waiting += result.engine.weights;
    result.hostBytes = waiting.value();
    result.pooled.assign(alone.totals().begin(), alone.totals().end());
    for (std::size_t at = 0; at < positions.size(); ++at)
        if (positions[at].phase == StepPhase::Generate ||
            positions[at].phase == StepPhase::WeightSync)
            result.pooled[at] = result.ledger.totals()[at];
    return result;
}

std::vector<RolloutPhase> rolloutPhases(const Estimate &estimate)
{
    std::vector<RolloutPhase> phases;
    if (!estimate.computed || !estimate.hasRollout())
        return phases;
    const Bytes outside = estimate.peakDevice - estimate.peakReserved;
    for (std::size_t at = 0; at < estimate.moments.size(); ++at) {
        const Moment &moment = estimate.moments[at];
        if (moment.phase == StepPhase::Load || moment.phase == StepPhase::Rest)
            continue;
        const std::string_view name =
            kRollout.contains(moment.phase) ? phaseName(moment.phase) : "update";
        if (phases.empty() || phases.back().name != name)
            phases.push_back({.name = std::string(name)});
        RolloutPhase &phase = phases.back();
        if (moment.reserved + outside <= phase.device)
            continue;
        phase.moment = at;
        phase.device = moment.reserved + outside;
        phase.engine = 0;
        for (const Component &component : moment.components)
            if (component.name.starts_with(kOfEngine))
                phase.engine += component.bytes;
        phase.trainer = moment.allocated - phase.engine;
    }
    return phases;
}

} // namespace vramscope
