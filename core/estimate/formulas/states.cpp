// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/formulas/block_activations.h"
#include "core/estimate/formulas/block_words.h"
#include "core/estimate/formulas/training.h"

#include <algorithm>
#include <array>

namespace vramscope {

namespace {

constexpr Origin kAdapters = {"LoRA adds rank · (in + out) per adapted matrix; measured: "
                              "fms-acceleration A100 benchmarks",
                              Evidence::Verified};

/// Bytes per parameter, for each precision regime.
constexpr std::array<Origin, choiceTexts<Regime>.size()> kRegimeOrigins = {{
    {"Four bytes an element; measured: GPT-2 small in fp32 (daddyofadoggy/pytorch-distributed)",
     Evidence::Verified},
    {"fp32 weights under autocast; transformers docs, performance", Evidence::Sourced},
    {"fp32 weights under autocast; transformers docs, performance", Evidence::Sourced},
    {"All in bf16; measured: fms-acceleration A100 benchmarks", Evidence::Verified},
    {"fp32 shards; measured: fms-acceleration A100 benchmarks, torchtitan", Evidence::Verified},
    {"Megatron's bytes per parameter; measured: Megatron-LM functional tests (golden values)",
     Evidence::Verified},
    {"DeepSpeed's bytes per parameter; DeepSpeed docs, memory requirements", Evidence::Sourced},
    {"DeepSpeed's bytes per parameter; DeepSpeed docs, memory requirements", Evidence::Sourced},
    {"Transformer Engine with bf16 weights; derived from tensor shapes", Evidence::Derived},
}};

Origin statesOrigin(const Settings &s)
{
    return kRegimeOrigins[static_cast<std::size_t>(s.regime)];
}

/// Formats that the benchmarks do not cover follow their own definition.
Origin quantisedOrigin(const Settings &s)
{
    switch (s.adapters.baseQuantization) {
    case BaseQuantization::Nf4:
    case BaseQuantization::Nf4Double:
    case BaseQuantization::GptqInt4:
        return {"Storage of the quantised base; measured: fms-acceleration A100 benchmarks",
                Evidence::Verified};
    default:
        return {findWeightStorage(choiceText(s.adapters.baseQuantization))->source,
                Evidence::Sourced};
    }
}

void addFrozenBase(const Training &t, Ledger &ledger)
{
    const Settings &s = t.s;
    const std::int64_t d = t.dense.weights;
    const std::int64_t e = t.expert.weights;
    const PhaseSet when = s.cpuOffload ? PhaseSet{} : kWholeStep;
    const std::string_view name = named("Frozen weights", "Frozen weight shards", d);
    if (s.adapters.baseQuantization == BaseQuantization::None) {
        addSharded(t, t.rank.share(), {Category::Parameters, name, when, statesOrigin(s)},
                   s.weightBytes, &Degrees::weights, ledger);
        return;
    }
    const StoredWeights base = quantisedBase(t);
    const Exact dense = excess(base.bytes, base.expertBytes);
    const std::int64_t rest = s.adapters.upcastUnquantized ? 4 : s.weightBytes;
    ledger.add(Category::Parameters, named("Quantised weights", "Quantised weight shards", d),
               dividedUp(dense, d) + dividedUp(base.expertBytes, e), when, quantisedOrigin(s),
               {"N_quantised in their format / D: {} elements = ⌈{} / {}⌉ + ⌈{} / {}⌉",
                {base.elements.value(), dense.value(), d, base.expertBytes.value(), e}},
               d);
    const Exact denseRest = excess(base.rest, base.expertRest);
    ledger.add(Category::Parameters, name,
               Exact(rest) * (dividedUp(denseRest, d) + dividedUp(base.expertRest, e)), when,
               quantisedOrigin(s),
               {"{} N_unquantised / D = {} × (⌈{} / {}⌉ + ⌈{} / {}⌉)",
                {rest, rest, denseRest.value(), d, base.expertRest.value(), e}},
               d);
    if (s.adapters.quantizeAtLoad)
        ledger.add(
            Category::Parameters, "Weights before quantisation",
            {"{} N", {s.weightBytes, t.rank.parameters()}}, {StepPhase::Load},
            {"Weights arrive in 16 bit and are quantised on the GPU; derived from tensor shapes",
             Evidence::Derived});
}

void addWeights(const Training &t, Ledger &ledger)
{
    const Settings &s = t.s;
    const PhaseSet when = s.cpuOffload ? PhaseSet{} : kWholeStep;
    if (t.lora()) {
        addFrozenBase(t, ledger);
        addSharded(t, t.trained,
                   {Category::Parameters,
                    named("Adapter weights", "Adapter weight shards", t.dense.weights), when,
                    kAdapters},
                   t.trainedWeight, &Degrees::weights, ledger);
        return;
    }
    addSharded(t, t.trained,
               {Category::Parameters, named("Weights", "Weight shards", t.dense.weights), when,
                statesOrigin(s)},
               t.trainedWeight, &Degrees::weights, ledger);
    const std::int64_t untrained = t.rank.untrained();
    addSharded(
        t, {untrained, 0},
        {Category::Parameters, "Weights of the index, which is not trained", when, statesOrigin(s)},
        s.weightBytes, &Degrees::weights, ledger);
    addSharded(t, {t.rank.share().dense - t.trained.dense - untrained, 0},
               {Category::Parameters,
                t.s.architecture.readsSource()
                    ? "Positions of the encoder, which are not trained"
                    : named("Frozen vision tower", "Frozen vision tower shards", t.dense.weights),
                when, statesOrigin(s)},
               s.weightBytes, &Degrees::weights, ledger);
    if (s.masterWeightBytes == 0)
        return;
    const PhaseSet onGpu = t.statesOnHost() ? PhaseSet{} : kWholeStep;
    if (t.ownsTensors()) {
        const OwnTensors own = ownTensors(t);
        ledger.add(Category::OptimizerStates, "Master weights of the rank's tensors",
                   {"{} N", {s.masterWeightBytes, own.matrices + own.rest}}, onGpu,
                   {"Whole tensors of one rank; Megatron-Core optimizer/layer_wise_optimizer.py; "
                    "measured: its functional tests",
                    Evidence::Verified},
                   t.dense.optimizer);
        return;
    }
    addSharded(t, t.trained,
               {Category::OptimizerStates,
                named("Master weights", "Master weight shards", t.dense.optimizer), onGpu,
                statesOrigin(s)},
               s.masterWeightBytes, &Degrees::optimizer, ledger);
}

/// When full gradients exist: from the end of backward to the step; earlier where a former
/// micro-batch left them, later where the loop does not drop them.
PhaseSet gradientMoments(const Training &t, bool firstStep)
{
    const Settings &s = t.s;
    // A partition that the step casts to fp32 is gone by then; otherwise ZeRO's casts stay.
    const bool dropped = t.castsGradients() && (t.dense.gradients > 1 || t.zero());
    PhaseSet when = {StepPhase::EndOfBackward};
    if (!dropped)
        when = when | PhaseSet{StepPhase::GradientNorm, StepPhase::Step};
    const bool never = s.optimizer.zeroGrad == ZeroGrad::Never;
    const bool before = s.accumulationSteps > 1 || (never && !firstStep);
    if (t.megatron() || (before && !t.keepsUnsharded()))
        when = when | (t.forwardFirst() ? PhaseSet{StepPhase::Backward} : kWhileSaved);
    // With its original parameters FSDP1 drops views; the flat shard goes when the root runs
    // forward.
    const bool flatStays = s.strategy == Strategy::Fsdp1 && s.useOrigParams;
    if (t.megatron() || never || s.optimizer.zeroGrad == ZeroGrad::BeforeForward || flatStays)
        when = when | PhaseSet{StepPhase::Rest};
    return when;
}

/// Gradients of the blocks of one kind, which come as the blocks run backward.
void addGrown(const Training &t, Ledger &ledger, const RankGroup &group)
{
    const BlockRange &range = group.range;
    const Share block = {group.each.dense - group.untrained, group.each.expert};
    const std::int64_t g = t.trainedGradient;
    const std::int64_t d = t.dense.gradients;
    const Exact each = sharded(block, g, d, t.expert.gradients);
    const Entry entry{Category::Gradients,
                      blockWords(group.kind).gradients,
                      each * range.blocks,
                      {StepPhase::Backward},
                      {StepPhase::Backward},
                      {"Every block that has run backward leaves its gradients; measured: "
                       "tests/measure",
                       Evidence::Verified},
                      d,
                      Course::grown(range, each),
                      ledger.stream()};
    if (d == t.expert.gradients)
        ledger.add(entry, {"{} L N_block / D = {} × {} × ⌈{} / {}⌉",
                           {g, g, range.blocks, block.total(), d}});
    else
        ledger.add(entry, {"{} L N_block / D = {} × {} × (⌈{} / {}⌉ + ⌈{} / {}⌉)",
                           {g, g, range.blocks, block.dense, d, block.expert, t.expert.gradients}});
}

/// At the worst moment of a block's backward pass the gradient of its last matrix exists already,
/// for a grouped product those of all experts, and where the mixer is highest those of all that
/// follows it. Measured: tests/measure, families "checkpointing" and "hybrid".
void addRunningGradient(const Training &t, Ledger &ledger)
{
    constexpr Origin kDown = {"The gradient of the feed-forward's last matrix is there when those "
                              "of its inner tensors are; measured: tests/measure",
                              Evidence::Verified};
    constexpr Origin kExperts = {
        "The stacked gradients of all experts of the block; measured: tests/measure",
        Evidence::Verified};
    constexpr Origin kFeedForward = {"The gradients of the feed-forward are there when the mixer "
                                     "runs backward; measured: tests/measure",
                                     Evidence::Verified};
    const std::int64_t g = t.trainedGradient;
    for (const RankGroup &group : t.rank.groups) {
        const auto add = [&](std::string_view name, std::int64_t elements, const Origin &origin,
                             FormulaText formula) {
            ledger.add(Category::Gradients, name, Exact(g) * elements, {StepPhase::Backward},
                       origin, formula, 1, Course::running(group.range));
        };
        const Architecture &a = t.s.architecture;
        const bool plain = a.isPlain() && !a.moe() && a.indexHeads == 0;
        const BlockMemory memory = plain ? BlockMemory() : blockMemory(t, group.kind);
        const Highest highest = memory.backward;
        const std::string_view running = blockWords(group.kind).runningGradient;
        // All experts have run backward when the scores of attention do.
        const bool ranAll = highest == Highest::Scores && t.s.kernels == Kernels::Eager &&
                            t.s.expertKernels != ExpertKernels::Loop &&
                            group.kind.feedForward == FeedForward::Experts;
        const std::int64_t first =
            ranAll ? expertElements(t.s, group.matrices) : firstElements(t.s, group.matrices);
        const auto down = std::ranges::find(group.matrices, "down", &Matrix::target);
        if (highest == Highest::StateMixer) {
            const std::int64_t all = feedForwardElements(t.s, group.matrices);
            add(running, all, kFeedForward, {"{} N = {} × {}", {g, g, all}});
        } else if (memory.experts > 0 && highest != Highest::Index) {
            ledger.add(Category::Gradients, "Gradients of the running experts", memory.experts,
                       {StepPhase::Backward}, kExperts,
                       {"of the experts that have run backward, less what the block has freed = {}",
                        {memory.experts.value()}},
                       1, Course::running(group.range));
        } else if (down == group.matrices.end() || highest == Highest::Combination ||
                   highest == Highest::Index) {
            continue; // while rows are combined, no expert has run; while an index runs, nothing
        } else {
            add(running, first, kDown, {"{} n = {} × {}", {g, g, first}});
        }
    }
}

/// The gradients of all parameters. FSDP2 makes the root's shard when the root's whole gradients,
/// which exist at the end of backward, are gone.
void addWholeGradients(const Training &t, Ledger &ledger, PhaseSet when, PhaseSet firstStep)
{
    const auto add = [&](std::string_view name, Share count, PhaseSet steady, PhaseSet first) {
        addSharded(t, count, {Category::Gradients, name, steady, trainedOrigin(t), first},
                   t.trainedGradient, &Degrees::gradients, ledger);
    };
    const bool rootLast = t.s.strategy == Strategy::Fsdp2 && t.reshards() && !t.lora() &&
                          !when.contains(StepPhase::Backward);
    if (!rootLast) {
        add(named("Gradients", "Gradient shards", t.dense.gradients), t.trained, when, firstStep);
        return;
    }
    constexpr PhaseSet kEnd = {StepPhase::EndOfBackward};
    const bool tied = t.s.architecture.tiedEmbeddings;
    const std::int64_t last =
        t.s.units == FsdpUnits::Root || t.s.units == FsdpUnits::RootResharded || tied
            ? t.rank.root()
            : t.rank.embedding;
    add("Gradient shards of earlier units", {t.trained.dense - last, t.trained.expert}, when,
        firstStep);
    add("Gradient shards of the last unit", {last, 0}, when.without(kEnd), firstStep.without(kEnd));
}

/// While a reduced gradient is added to an earlier one or cast, it is there twice.
void holdReduced(const Training &t, Ledger &ledger)
{
    const Settings &s = t.s;
    if ((s.accumulationSteps == 1 && s.reduceBytes == t.trainedGradient) || t.lora())
        return;
    const std::int64_t d = t.dense.gradients;
    const std::int64_t unit = std::max(t.rank.root(), t.rank.unit().total());
    ledger.hold(Stream::Reduce, sharded(t.trained, t.trainedGradient, d, t.expert.gradients) +
                                    Exact(s.reduceBytes) * dividedUp(Exact(unit), d));
}

/// DTensor gives the gradient of an embedding that is split along the vocabulary whole to every
/// rank; FSDP cuts it up again.
void addEmbeddingGradient(const Training &t, Ledger &ledger, PhaseSet when)
{
    if (!t.dtensor() || !t.rank.hasEmbedding || t.lora())
        return;
    const Architecture &a = t.s.architecture;
    const Exact whole = Exact(a.vocab) * a.hidden;
    const bool sharded = t.dense.gradients > 1;
    const PhaseSet phases = sharded ? PhaseSet{StepPhase::EndOfBackward} : when;
    const std::int64_t g = sharded && t.fsdp() ? t.gathered : t.trainedGradient;
    ledger.add(
        Category::Gradients, "Rest of the embedding's gradient",
        Exact(g) * excess(whole, dividedUp(whole, t.s.tensor)), phases,
        {"torch/distributed/tensor/_ops/_embedding_ops.py has no split of the gradient along "
         "the vocabulary; measured: tests/measure",
         Evidence::Verified},
        {"{} V h (1 - 1 / t) = {} × ({} - ⌈{} / {}⌉)",
         {g, g, whole.value(), whole.value(), t.s.tensor}});
}

/// The gradients of a tied embedding that exist with their sum, which is the parameter's
/// gradient unless one of a former micro-batch is there.
std::int64_t tiedBeforeSum(const Training &t, bool accumulated)
{
    const std::int64_t tensors = tiedGradients(t);
    if (tensors == 0 || t.megatron() || t.lora() || (t.dense.gradients > 1 && !t.zero()))
        return 0;
    // ZeRO-3 counts one and its copy anyway (zero.cpp).
    return t.zero3() ? tensors - 2 : tensors - (accumulated ? 0 : 1);
}

/// ZeRO has not averaged or sent them yet.
void addTiedGradients(const Training &t, Ledger &ledger, std::int64_t others)
{
    if (others == 0 || t.averages())
        return; // zero.cpp counts them with what is averaged
    const Exact one = Exact(t.trainedGradient) * t.rank.embedding;
    const Exact sent = t.s.strategy == Strategy::Zero2
                           ? Exact(t.trainedGradient) *
                                 std::min(Exact(t.s.bucket.reduce), Exact(t.trained.total()))
                           : Exact(0);
    Exact later = t.zero() && !t.zero3() ? one + sent : Exact(0);
    // The decoder's embedding runs backward before the encoder's blocks do, so what the first of
    // these adds is not there yet.
    const Architecture &a = t.s.architecture;
    const auto decoder = std::ranges::count_if(a.blocks, &BlockKind::crosses);
    const bool inside = a.readsSource();
    if (inside)
        later += backwardOfBlock(t, a.blocks.front());
    ledger.add(Category::Gradients, "Gradients of the tied embedding, before their sum",
               excess(Exact(others) * one, later),
               {inside ? StepPhase::Backward : StepPhase::EndOfBackward},
               {"Head and embedding each give a gradient, and they are added up; measured: "
                "tests/measure",
                Evidence::Verified},
               {"{} · {} V h - {} = {} × {} - {}",
                {others, t.trainedGradient, later.value(), others, one.value(), later.value()}},
               1, inside ? Course::running({a.layers - decoder - 1, 1}) : Course());
}

void addGradients(const Training &t, Ledger &ledger)
{
    const Settings &s = t.s;
    if (t.inBackward()) {
        ledger.add(
            Category::Gradients, "Gradient of the largest tensor",
            {"{} n_max", {t.trainedGradient, t.rank.largestTensor}},
            {StepPhase::Backward, StepPhase::EndOfBackward},
            {"The optimizer runs inside the backward pass, so gradients never coexist; measured: "
             "tests/measure",
             Evidence::Verified});
        return;
    }
    if ((s.cpuOffload && t.fsdp()) || (s.strategy == Strategy::Ddp && s.gradientAsBucketView))
        return; // on the host; or the buckets themselves (buffers.cpp)
    const PhaseSet when = gradientMoments(t, false);
    const std::int64_t tied = tiedBeforeSum(t, when.contains(StepPhase::Backward));
    addTiedGradients(t, ledger, tied);
    if (addZeroGradients(t, ledger, tied))
        return;
    // FSDP2 takes the results of its reduce-scatters on their stream, and these are the gradients.
    const bool reduced = s.strategy == Strategy::Fsdp2 && !t.keepsUnsharded();
    const Stream stream = reduced ? Stream::Reduce : Stream::Compute;
    {
        const OnStream taken(ledger, stream);
        addWholeGradients(t, ledger, when, gradientMoments(t, true));
    }
    if (reduced)
        holdReduced(t, ledger);
    addEmbeddingGradient(t, ledger, when);
    if (when.contains(StepPhase::Backward) || t.lora())
        return;
    // Without accumulation gradients grow while activations fall.
    const std::int64_t g = t.trainedGradient;
    const std::int64_t d = t.dense.gradients;
    if (!t.reshards() && !t.gathersOnce())
        ledger.add(Category::Gradients, "Gradients of the head",
                   {"{} (V h + h) / D", {g, over(t.rank.headGradient, d)}}, {StepPhase::Backward},
                   {"The loss leaves the gradients of head and final norm; measured: "
                    "tests/measure",
                    Evidence::Verified},
                   d);
    {
        const OnStream taken(ledger, stream);
        for (const RankGroup &group : t.rank.groups)
            addGrown(t, ledger, group);
    }
    if (d == 1)
        addRunningGradient(t, ledger);
}

} // namespace

std::int64_t tiedGradients(const Training &t)
{
    const Settings &s = t.s;
    if (!s.architecture.tiedEmbeddings || !t.rank.hasEmbedding || !t.rank.hasHead ||
        s.loss == LossKind::None)
        return 0;
    // The first one is a view of a product's result, which is never added to in place, unless a
    // cast gave it, or the sum over the chunks of a loss, or a fused loss.
    const bool chunks =
        (s.loss == LossKind::Chunked || s.loss == LossKind::ChunkedBackward) && s.lossChunks > 1;
    const bool fresh = t.autocast() || chunks || s.loss == LossKind::LinearFused ||
                       s.loss == LossKind::LinearChunked || s.kernels == Kernels::Compiled;
    return fresh ? 2 : 3;
}

Origin trainedOrigin(const Training &t)
{
    return t.lora() ? kAdapters : statesOrigin(t.s);
}

StoredWeights quantisedBase(const Training &t)
{
    return storedWeights(t.s, t.rank,
                         {findWeightStorage(choiceText(t.s.adapters.baseQuantization)),
                          t.s.adapters.groupSize, t.s.adapters.notConverted});
}

Exact sharded(Share count, std::int64_t bytes, std::int64_t denseDegree, std::int64_t expertDegree)
{
    if (denseDegree == expertDegree)
        return Exact(bytes) * dividedUp(Exact(count.total()), denseDegree);
    return Exact(bytes) * (dividedUp(Exact(count.dense), denseDegree) +
                           dividedUp(Exact(count.expert), expertDegree));
}

void addSharded(const Training &t, Share count, const LedgerPart &part, std::int64_t bytes,
                std::int64_t Degrees::*spread, Ledger &ledger)
{
    const std::int64_t denseDegree = t.dense.*spread;
    const std::int64_t expertDegree = t.expert.*spread;
    const Entry entry = {part.category,
                         part.name,
                         sharded(count, bytes, denseDegree, expertDegree),
                         part.when,
                         part.firstStep,
                         part.origin,
                         denseDegree,
                         {},
                         ledger.stream()};
    if (count.expert > 0 && expertDegree != denseDegree)
        ledger.add(entry, {"{} (N_dense / D + N_expert / D_e) = {} × (⌈{} / {}⌉ + ⌈{} / {}⌉)",
                           {bytes, bytes, count.dense, denseDegree, count.expert, expertDegree}});
    else if (denseDegree > 1)
        ledger.add(entry,
                   {"{} N / D = {} × ⌈{} / {}⌉", {bytes, bytes, count.total(), denseDegree}});
    else
        ledger.add(entry, {"{} N = {} × {}", {bytes, bytes, count.total()}});
}

void addStates(const Training &t, Ledger &ledger)
{
    addWeights(t, ledger);
    addOptimizerStates(t, ledger);
    addGradients(t, ledger);
}

} // namespace vramscope
