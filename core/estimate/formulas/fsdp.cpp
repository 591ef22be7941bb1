// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/formulas/block_activations.h"
#include "core/estimate/formulas/block_words.h"
#include "core/estimate/formulas/training.h"

#include <algorithm>
#include <optional>

namespace vramscope {

namespace {

constexpr Origin kUnits = {"FSDP gathers one block ahead and frees the one behind late; "
                           "torch/distributed/fsdp/_fully_shard/_fsdp_param_group.py",
                           Evidence::Sourced, 0.3};
constexpr Origin kReduced = {"Gradients of one block and their reduce-scatter; "
                             "torch/distributed/fsdp/_fully_shard/_fsdp_collectives.py",
                             Evidence::Sourced, 0.3};
constexpr Origin kUnitsOfFsdp1 = {"Blocks in flight: limit_all_gathers and backward_prefetch of "
                                  "torch.distributed.fsdp.FullyShardedDataParallel",
                                  Evidence::Sourced, 0.3};
constexpr Origin kRoot = {"FSDP's root unit stays whole from forward until it has run backward; "
                          "measured: fms-acceleration A100 benchmarks, Llama-3 8B",
                          Evidence::Verified};

/// Bytes of `count` parameters of the frozen or trained base as they are gathered: quantised bases
/// travel in their own format.
Exact gatheredBytes(const Training &t, Exact count)
{
    if (t.s.adapters.baseQuantization == BaseQuantization::None || !t.lora())
        return Exact(t.gathered) * count;
    const StoredWeights base = quantisedBase(t);
    const double perElement = static_cast<double>(base.bytes.value()) /
                              static_cast<double>(std::max<std::int64_t>(base.elements.value(), 1));
    return Exact::ceiling(static_cast<double>(count.value()) * perElement);
}

/// The units of FSDP that are whole at once, as PyTorch's fully_shard and FSDP1 schedule them.
class Units
{
public:
    Units(const Training &t, Ledger &ledger)
        : m_t(t)
        , m_ledger(ledger)
        , m_unit(t.rank.unit().total())
        , m_fsdp1(t.s.strategy == Strategy::Fsdp1)
        , m_apart(t.s.units == FsdpUnits::HeadKept || t.s.units == FsdpUnits::ReshardAll)
        , m_tied(t.s.architecture.tiedEmbeddings && t.rank.hasEmbedding)
        , m_rootReshards(t.s.units == FsdpUnits::RootResharded && !m_fsdp1 && t.reshards())
        , m_headFirst(t.reshards() && t.s.units == FsdpUnits::HeadKept && !m_tied &&
                      t.rank.hasHead && !m_fsdp1)
    {
    }

    void addUnsharded();
    void addResharding()
    {
        addRoot();
        addForwardUnits();
        addBackwardUnits();
        if (m_t.rank.hasHead && backwardUnits() > 1)
            addPrefetched();
        if (!m_t.lora())
            addGradients();
    }

private:
    /// FSDP2 copies what arrives on the stream of its all-gathers; FSDP1 computes with it.
    [[nodiscard]] Stream inPlace() const { return m_fsdp1 ? Stream::Gather : Stream::Compute; }
    [[nodiscard]] std::int64_t backwardUnits() const
    {
        return m_fsdp1 && m_t.s.backwardPrefetch != BackwardPrefetch::Pre ? 1 : 2;
    }
    void addRoot();
    void addLastParts(std::int64_t unit, Exact reduced);
    void addKept(std::int64_t count);
    void addRegathered(std::int64_t head);
    [[nodiscard]] Exact runningMatrix() const;
    void addRunningMatrix(BlockRange blocks, const Origin &origin);
    void addWholeGradients(BlockRange blocks, Exact reduced);
    void addEmbedding();
    void addHeadReduction(std::int64_t head);
    void add(std::string_view name, Exact bytes, PhaseSet when, const Origin &origin,
             FormulaText formula)
    {
        m_ledger.add(Category::Communication, name, bytes, when, origin, formula);
    }
    void add(std::string_view name, const Product &bytes, PhaseSet when, const Origin &origin)
    {
        m_ledger.add(Category::Communication, name, bytes, when, origin);
    }
    void addForwardUnits();
    void addBackwardUnits();
    void holdArrivals();
    void addPrefetched();
    /// A buffer of the block that runs; `base` stays when it has run.
    void addRunning(std::string_view name, Exact bytes, Origin origin, PhaseSet when,
                    FormulaText formula, Exact base = {},
                    const std::optional<BlockRange> &range = {})
    {
        const Course course = Course::running(range.value_or(m_t.rank.allBlocks()), base);
        m_ledger.add(Category::Communication, name, bytes, when, origin, formula, 1, course);
    }
    void addRunning(std::string_view name, const Product &bytes, Origin origin, PhaseSet when,
                    const std::optional<BlockRange> &range = {})
    {
        const Course course = Course::running(range.value_or(m_t.rank.allBlocks()));
        m_ledger.add(Category::Communication, name, bytes, when, origin, 1, course);
    }
    void addGradients();
    [[nodiscard]] Exact freedByBlock() const;
    void addFlatReduction();

    const Training &m_t;
    Ledger &m_ledger;
    std::int64_t m_unit;
    bool m_fsdp1;
    bool m_apart;        ///< embedding and head are units apart from the root
    bool m_tied;         ///< and then one of them
    bool m_rootReshards; ///< after forward, as torch's default does not
    bool m_headFirst;    ///< the head's unit is done with before the blocks run backward
};

/// Parameters outside the blocks: with the root, or in units of their own.
void Units::addRoot()
{
    const std::int64_t root = m_t.rank.root();
    // The unit of norm and head, to which a tied embedding belongs.
    const std::int64_t head =
        m_t.rank.hasHead ? m_t.rank.finalNorm + m_t.rank.head + (m_tied ? m_t.rank.embedding : 0)
                         : 0;
    addKept(m_apart ? head : root);
    if (m_t.lora())
        return;
    const std::int64_t r = m_t.s.reduceBytes;
    const bool early = m_apart && !m_tied; // the head's gradients travel when backward begins
    if (early && m_t.s.loss == LossKind::ChunkedBackward)
        addRegathered(head);
    if (early)
        addHeadReduction(head);
    else
        add("Root unit gradients of the head",
            {"{} (V h + h)", {m_t.gathered, m_t.rank.headGradient}}, {StepPhase::Backward},
            {"The root unit's gradients are reduced last, when the embedding's are there; "
             "measured: tests/measure",
             Evidence::Verified});
    const std::int64_t last = early ? m_t.rank.embedding : root;
    const Exact reduced = Exact(m_t.gathered + r) * last;
    add("Root unit gradients", reduced, {StepPhase::EndOfBackward},
        {"The last unit's gradients and the copy that is reduced; measured: tests/measure",
         Evidence::Verified},
        {"({} + {}) N_root = ({} + {}) × {}", {m_t.gathered, r, m_t.gathered, r, last}});
    if (m_tied || m_fsdp1)
        addLastParts(m_apart ? head : root, reduced);
}

/// While the embedding runs backward its unit is whole, and the gradients of its parts exist beside
/// what is made of them: the sum of a tied embedding's, or FSDP1's flat gradient. FSDP2 still
/// reduces the first block. A second peak, counted by its excess over the reduction of the unit.
void Units::addLastParts(std::int64_t unit, Exact reduced)
{
    const std::int64_t g = m_t.gathered;
    const std::int64_t embedding = m_t.rank.embedding;
    const Exact parts = m_tied ? Exact(tiedGradients(m_t)) * embedding
                               : Exact(unit) + m_t.rank.headGradient + embedding;
    const Exact block = m_fsdp1 ? Exact(0) : Exact(m_t.s.reduceBytes) * m_unit;
    const Exact whole = Exact(g) * (Exact(unit) + parts) + block;
    // The moment of the reduction has FSDP1's shard of the unit as well.
    const Exact shard =
        m_fsdp1 ? Exact(m_t.trainedGradient) * dividedUp(Exact(unit), m_t.dense.gradients)
                : Exact(0);
    const Exact later = reduced + shard;
    add("Gradients of the root's parts, beyond its reduction", excess(whole, later),
        {StepPhase::EndOfBackward},
        {"Head and embedding give a gradient each, which become one; measured: tests/measure",
         Evidence::Verified},
        {"{} (N_root + {}) + {} - {} = {} - {}",
         {g, parts.value(), block.value(), later.value(), whole.value(), later.value()}});
}

/// Weights outside the blocks that stay whole from forward to backward.
void Units::addKept(std::int64_t count)
{
    const std::int64_t g = m_t.gathered;
    PhaseSet when = kWhileSaved;
    // A root that reshards is gone while a loss outside the model runs backward.
    if (m_rootReshards && !lossWithinModel(m_t.s))
        when = when.without({StepPhase::Loss});
    if (m_headFirst || m_t.s.units == FsdpUnits::ReshardAll)
        when = when.without({StepPhase::Backward});
    if (m_t.s.units == FsdpUnits::ReshardAll || (m_apart && !m_tied))
        when = when.without({StepPhase::Forward}); // gathered when the head runs
    const OnStream gathered(m_ledger, inPlace());
    add(m_apart ? "Weights of norm and head" : "Root unit weights", {"{} N_root", {g, count}}, when,
        kRoot);
    // With reshard_after_forward the root is freed after forward as well, and gathered again.
    const OnStream arriving(m_ledger, Stream::Gather);
    if (m_rootReshards)
        add("All-gather of the root", {"{} N_root", {g, count}}, {StepPhase::StartOfBackward},
            {"What has arrived of the root's weights, beside their copy in place; measured: "
             "tests/measure",
             Evidence::Verified});
}

/// A loss that runs backward inside itself has reduced the head's gradients when the final norm
/// runs backward, which gathers its unit once more.
void Units::addRegathered(std::int64_t head)
{
    constexpr Origin kAgain = {"The final norm's backward pass gathers its unit again beside the "
                               "reduction of the head; measured: tests/measure",
                               Evidence::Verified};
    const std::int64_t g = m_t.gathered;
    const std::int64_t r = m_t.s.reduceBytes;
    add("Reduction of the head", {"{} (V h + h)", {r, head}}, {StepPhase::StartOfBackward}, kAgain);
    const OnStream arriving(m_ledger, Stream::Gather);
    add("All-gather of norm and head", {"{} (V h + h)", {g, head}}, {StepPhase::StartOfBackward},
        kAgain);
}

/// The head's gradients travel when backward begins, and the input of their reduce-scatter stays
/// until the next one begins.
void Units::addHeadReduction(std::int64_t head)
{
    constexpr Origin kHead = {"The input of a reduce-scatter stays until the next one begins; "
                              "measured: tests/measure",
                              Evidence::Verified};
    const std::int64_t r = m_t.s.reduceBytes;
    const std::int64_t counted = m_headFirst ? head : std::max<std::int64_t>(head - m_unit, 0);
    const BlockRange first = {m_t.rank.layers() - 1, 1};
    if (m_t.s.loss != LossKind::ChunkedBackward) // the norm has waited for its reduction
        addRunning(m_headFirst ? "Reduction of the head" : "Rest of the head's reduction",
                   {"{} (V h + h)", {r, counted}}, kHead, {StepPhase::Backward}, first);
    if (!m_headFirst)
        return;
    const std::int64_t g = m_t.trainedGradient;
    const std::int64_t d = m_t.dense.gradients;
    addRunningMatrix(first, kHead);
    const OnStream reduced(m_ledger, Stream::Reduce);
    m_ledger.add(Category::Gradients, "Gradient shard of the head",
                 {"{} (V h + h) / D", {g, over(head, d)}}, {StepPhase::Backward}, kHead, d);
}

/// Bytes of the first gradient of a block that runs backward.
Exact Units::runningMatrix() const
{
    const RankGroup *last = m_t.rank.lastGroup();
    if (last == nullptr || last->matrices.empty())
        return {};
    const Matrix held = heldBy(m_t.s, last->matrices.back());
    return Exact(m_t.gathered) * held.in * held.out;
}

void Units::addRunningMatrix(BlockRange blocks, const Origin &origin)
{
    const Exact bytes = runningMatrix();
    addRunning("Gradient of the running matrix", bytes, origin, {StepPhase::Backward},
               {"{} n = {}", {m_t.gathered, bytes.value()}}, {}, blocks);
}

/// The embedding's unit is gathered while the block above it runs backward, which is at its highest
/// before its own gradients are there.
void Units::addEmbedding()
{
    constexpr Origin kAhead = {"FSDP2 gathers the unit that comes next, though an embedding's "
                               "backward pass does not read it; measured: tests/measure",
                               Evidence::Verified};
    const std::int64_t g = m_t.gathered;
    const std::int64_t count = m_t.rank.embedding;
    const BlockRange last = {0, 1};
    addRunningMatrix(last, kAhead);
    addRunning("Reduce-scatter input of the block before", {"{} u", {m_t.s.reduceBytes, m_unit}},
               kAhead, {StepPhase::Backward}, last);
    const OnStream arriving(m_ledger, Stream::Gather);
    addRunning("Prefetched embedding", {"{} V h", {g, count}}, kAhead, {StepPhase::Backward}, last);
}

/// FSDP2 keeps the all-gather of the block that runs until the next one is copied out.
void Units::addForwardUnits()
{
    constexpr PhaseSet kForward = {StepPhase::Forward};
    const Exact one = gatheredBytes(m_t, m_unit);
    const auto addUnits = [&](std::string_view name, std::int64_t units, std::int64_t kept) {
        addRunning(name, Exact(units) * one, m_fsdp1 ? kUnitsOfFsdp1 : kUnits, kForward,
                   {"{} units of {} parameters = {} × {}", {units, m_unit, units, one.value()}},
                   Exact(kept) * one);
    };
    constexpr std::string_view kGathered = "Gathered block weights in forward";
    const OnStream gathered(m_ledger, inPlace());
    if (m_fsdp1) {
        const std::int64_t units = m_t.s.forwardPrefetch || !m_t.s.limitAllGathers ? 3 : 2;
        addUnits(kGathered, units, units - 1);
        return;
    }
    addUnits(kGathered, 1, 0);
    const OnStream arriving(m_ledger, Stream::Gather);
    addUnits("All-gathers in flight in forward", 2, 2);
    holdArrivals();
}

/// When forward begins, the all-gather of what precedes the blocks overlaps that of the first one
/// and, where it is cast before it is sent, the copy of its shard. Later, two blocks overlap.
void Units::holdArrivals()
{
    const RankInventory &rank = m_t.rank;
    const Exact first = m_apart && !m_tied ? rank.embedding : rank.root();
    const bool cast = m_t.gathered != (m_t.lora() ? m_t.s.weightBytes : m_t.trainedWeight);
    const Exact sent = cast ? dividedUp(Exact(m_unit), m_t.dense.weights) : Exact();
    m_ledger.hold(Stream::Gather,
                  gatheredBytes(m_t, std::max(first, Exact(m_unit)) + m_unit + sent));
}

/// The block that runs backward and, ahead of the first block, the one that comes next.
void Units::addBackwardUnits()
{
    const Exact one = gatheredBytes(m_t, m_unit);
    const Origin &origin = m_fsdp1 ? kUnitsOfFsdp1 : kUnits;
    const std::int64_t blocks = m_t.rank.layers();
    const OnStream gathered(m_ledger, inPlace());
    addRunning("Gathered block weights", one, origin, {StepPhase::Backward},
               {"a unit of {} parameters = {}", {m_unit, one.value()}});
    const OnStream arriving(m_ledger, Stream::Gather);
    if (backwardUnits() > 1)
        m_ledger.add(Category::Communication, "Prefetched block weights", one,
                     {StepPhase::Backward}, origin,
                     {"a unit of {} parameters = {}", {m_unit, one.value()}}, 1,
                     Course::ahead({1, blocks - 1}));
}

/// The root's hook runs before the loss does backward, and gathers the block that comes next. FSDP2
/// still has the output of the last all-gather of forward.
void Units::addPrefetched()
{
    const RankInventory &rank = m_t.rank;
    const RankGroup *group = rank.lastGroup();
    const std::int64_t last = group == nullptr ? 0 : group->each.total();
    const std::int64_t head = rank.finalNorm + rank.head + (m_tied ? rank.embedding : 0);
    const Origin origin = {"FSDP gathers the last block before the loss runs backward; measured: "
                           "tests/measure",
                           Evidence::Verified};
    const OnStream arriving(m_ledger, Stream::Gather);
    const auto addUnit = [&](std::string_view name, std::int64_t count, PhaseSet when) {
        const Exact bytes = gatheredBytes(m_t, count);
        add(name, bytes, when, origin, {"a unit of {} parameters = {}", {count, bytes.value()}});
    };
    if (m_apart) {
        addUnit("All-gather of norm and head", head, {StepPhase::Logits});
        // Where the model gives its logits in chunks the head runs backward before the loss has
        // done so for all of them. torchtune README, Llama 3.1 70B with offload: within 0.1 %.
        if (m_t.s.loss == LossKind::Chunked) {
            addUnit("Prefetched weights of the last block", last, {StepPhase::Loss});
            if (m_t.s.cpuOffload)
                addUnit("Shard of the last block from the host",
                        dividedUp(Exact(last), m_t.dense.weights).value(), {StepPhase::Loss});
        }
        return;
    }
    PhaseSet when = m_fsdp1 ? PhaseSet{} : PhaseSet{StepPhase::Logits};
    if (m_fsdp1 || lossWithinModel(m_t.s))
        when = when | PhaseSet{StepPhase::Loss};
    addUnit("Prefetched weights of the last block", last, when);
}

void Units::addGradients()
{
    if (m_t.s.sharding == Sharding::HybridShard)
        addRunning("All-reduce buffer",
                   {"{} u / D", {m_t.s.reduceBytes, over(m_unit, m_t.dense.gradients)}},
                   {"Groups that hold the same shard add up its gradients; measured: tests/measure",
                    Evidence::Verified},
                   {StepPhase::Backward});
    const std::int64_t g = m_t.gathered;
    const std::int64_t r = m_t.s.reduceBytes;
    if (m_fsdp1) {
        // 3.7 gathered units in all, fitted on runs of one to eight GPUs; two of them are weights.
        addRunning("Block gradients and their reduction", dividedUp(Exact(17) * g * m_unit, 10),
                   {"About 3.7 gathered units in the first block's backward pass; fitted on "
                    "fms-acceleration's FSDP1 runs",
                    Evidence::Empirical, 0.3},
                   {StepPhase::Backward}, {"1.7 · {} u = ⌈17 × {} × {} / 10⌉", {g, g, m_unit}});
        return;
    }
    // At the first block the head's reduction is there, where the head is a unit; at the last one
    // the embedding.
    const bool embedding = m_headFirst && m_t.rank.hasEmbedding && m_t.rank.layers() > 1;
    if (embedding)
        addEmbedding();
    const std::int64_t begin = embedding ? 1 : 0;
    const BlockRange blocks = {begin, m_t.rank.layers() - begin - (m_headFirst ? 1 : 0)};
    addRunningMatrix(blocks, kReduced);
    // A head of the root is reduced with the root: nothing preceded the first block's backward.
    const bool bare = !m_apart || m_tied;
    const BlockRange later = {blocks.first, blocks.blocks - (bare ? 1 : 0)};
    addRunning("Reduce-scatter input of the block before", {"{} u", {r, m_unit}}, kReduced,
               {StepPhase::Backward}, later);
    addWholeGradients(later, {});
    if (bare)
        addWholeGradients({m_t.rank.layers() - 1, 1}, Exact(r) * m_unit);
}

/// Activations that exist while a block runs backward and are gone afterwards.
Exact Units::freedByBlock() const
{
    const RankGroup *last = m_t.rank.lastGroup();
    if (last == nullptr)
        return {};
    BlockMemory block = blockMemory(m_t, last->kind);
    block.temporaries += block.survivor;
    block.temporaries += block.recomputed;
    const bool experts = last->kind.feedForward == FeedForward::Experts;
    return block.temporaries.bytes(m_t.tokens, experts ? expertRows(m_t) : Exact(0));
}

/// After a block's backward its gradients, their reduction and its shard are there, and its
/// activations are gone: a second peak, counted by its excess over the first. `reduced`: the
/// reduced part of them, where no block before has left as much.
void Units::addWholeGradients(BlockRange blocks, Exact reduced)
{
    const std::int64_t g = m_t.gathered;
    const std::int64_t r = m_t.s.reduceBytes;
    const Exact whole =
        Exact(g) * m_unit + Exact(r) * dividedUp(Exact(m_unit), m_t.dense.gradients) + reduced;
    const Exact before = freedByBlock() + runningMatrix();
    addRunning("Gradients of the whole block", excess(whole, before), kReduced,
               {StepPhase::Backward},
               {"{} u + {} u / D, less what the block has freed = {} - {}",
                {g, r, whole.value(), before.value()}},
               {}, blocks);
}

/// FSDP1 frees a block's weights before it reduces its gradients, which it casts whole. That is a
/// second peak, counted by its excess over the first, within the block.
void Units::addFlatReduction()
{
    const std::int64_t g = m_t.gathered;
    const std::int64_t r = m_t.s.reduceBytes;
    const std::int64_t cast = r == g ? 0 : r;
    const Exact whole =
        Exact(g + cast) * m_unit + Exact(r) * dividedUp(Exact(m_unit), m_t.dense.gradients);
    const Exact freed = gatheredBytes(m_t, m_unit) + freedByBlock();
    const Exact matrix = runningMatrix();
    const Exact reduced = excess(whole, freed);
    constexpr Origin kFlat = {
        "_post_backward_hook of torch/distributed/fsdp/_runtime_utils.py reshards, then casts and "
        "reduces; measured: tests/measure",
        Evidence::Verified};
    constexpr std::string_view kName = "Block gradients and their reduction";
    if (reduced > matrix)
        addRunning(kName, reduced, kFlat, {StepPhase::Backward},
                   {"({} + {}) u + {} u / D, less what the block has freed = {} - {}",
                    {g, cast, r, whole.value(), freed.value()}});
    else
        addRunning(kName, matrix, kFlat, {StepPhase::Backward}, {"{} n = {}", {g, matrix.value()}});
}

/// SHARD_GRAD_OP, reshard_after_forward=False: a block stays whole from its forward to its
/// backward.
void Units::addUnsharded()
{
    constexpr Origin kWhole = {"Weights stay whole from forward to backward; "
                               "torch.distributed.fsdp: SHARD_GRAD_OP, reshard_after_forward=False",
                               Evidence::Sourced};
    addRoot();
    if (!m_fsdp1)
        holdArrivals();
    for (const RankGroup &group : m_t.rank.groups) {
        const std::int64_t count = group.each.total();
        const Exact each = gatheredBytes(m_t, count);
        const PhaseSet when = kWhileSaved;
        const OnStream gathered(m_ledger, inPlace());
        m_ledger.add(Category::Communication, blockWords(group.kind).gathered, each * group.count,
                     when, kWhole,
                     {"L blocks of {} parameters = {} × {}", {count, group.count, each.value()}}, 1,
                     Course::saved(group.range, each));
    }
    if (m_t.lora())
        return;
    if (m_fsdp1) {
        addFlatReduction();
        return;
    }
    const std::int64_t g = m_t.gathered;
    const std::int64_t r = m_t.s.reduceBytes;
    addRunning("Block gradients and their reduction", Exact(g + r) * m_unit, kReduced,
               {StepPhase::Backward}, {"({} + {}) u = ({} + {}) × {}", {g, r, g, r, m_unit}});
}

/// FSDP1 keeps inputs or gradients of frozen blocks in its hooks: 2 h (L - 2) per token, fitted on
/// LoRA runs of two and four GPUs.
void addFrozenRetention(const Training &t, Ledger &ledger)
{
    const std::int64_t h = t.s.architecture.hidden;
    const std::int64_t blocks = std::max<std::int64_t>(t.rank.layers() - 2, 0);
    ledger.add(Category::Activations, "Retained by FSDP for frozen blocks",
               {"2 h (L - 2) T", {2, h, blocks, t.tokens}}, {StepPhase::Backward},
               {"Fitted on fms-acceleration's LoRA runs under FSDP1", Evidence::Empirical, 0.3});
}

} // namespace

void addFsdpUnits(const Training &t, Ledger &ledger)
{
    Units units(t, ledger);
    if (t.reshards())
        units.addResharding();
    else if (t.gathersOnce())
        units.addUnsharded();
    if (t.lora() && t.s.strategy == Strategy::Fsdp1 && t.reshards() &&
        t.s.checkpointing == Checkpointing::Full)
        addFrozenRetention(t, ledger);
}

} // namespace vramscope
