// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/formulas/block_activations.h"
#include "core/estimate/formulas/block_words.h"

#include <algorithm>
#include <utility>

namespace vramscope {

namespace {

constexpr Origin kTemporaries = {
    "Gradients of the MLP's inner tensors at the worst moment of a block's backward pass",
    Evidence::Derived, 0.5};

constexpr Origin kWorking = {
    "The MLP's inner tensors while a block runs without saving; derived from the operators' shapes",
    Evidence::Derived, 0.5};

constexpr Origin kCombined = {
    "Routing, and rows of experts while they are combined, are fp32; torchtitan/models/common/"
    "moe.py, token_dispatcher.py; measured: tests/measure",
    Evidence::Verified};

constexpr Origin kExchange = {"Keys, values and their gradients on their way, in attention, where "
                              "what the MLP saved is gone; "
                              "torch/distributed/tensor/experimental/_context_parallel/"
                              "_attention.py; measured: tests/measure",
                              Evidence::Verified};

constexpr Origin kStateMixer = {
    "What the mixer's kernels hold in its backward pass, where what the "
    "feed-forward saved is gone; mamba-ssm 2.3, "
    "flash-linear-attention 0.6; measured: tests/measure",
    Evidence::Verified};

constexpr Origin kIndex = {
    "The index's scores of all tokens for each of its heads, beside what attention was made of; "
    "transformers models/deepseek_v32; measured: tests/measure",
    Evidence::Verified};

constexpr Origin kCombinedInHybrids = {
    "Rows of experts are combined in fp32; transformers integrations/moe.py; measured: "
    "tests/measure",
    Evidence::Verified};

constexpr Origin kScores = {"Scores of attention that is not fused, their softmax and its "
                            "gradients; measured: tests/measure",
                            Evidence::Verified};

Origin passingOrigin(Highest highest, const Origin &ofFeedForward, bool titan)
{
    switch (highest) {
    case Highest::Combination:
        return titan ? kCombined : kCombinedInHybrids;
    case Highest::Exchange:
        return kExchange;
    case Highest::StateMixer:
        return kStateMixer;
    case Highest::Scores:
        return kScores;
    case Highest::Index:
        return kIndex;
    case Highest::FeedForward:
        break;
    }
    return ofFeedForward;
}

/// From the operator tables of a block's kernels, whole or recomputed.
Origin tableOrigin(const Settings &s)
{
    const Architecture &a = s.architecture;
    if (s.kernels == Kernels::Textbook)
        return {"Korthikanti et al. 2022 (arXiv 2205.05198)", Evidence::Sourced};
    if (s.kernels == Kernels::MegatronLocal && !a.mla())
        return {"What Megatron-Core's own layers save; measured: tests/measure",
                Evidence::Verified};
    if (a.readsSource())
        return {"What transformers' modules save of the blocks of encoder and decoder; measured: "
                "tests/measure, family \"source\"",
                Evidence::Verified};
    if (!a.isPlain())
        return {"What transformers' modules save over the kernels of mamba-ssm 2.3, causal-conv1d "
                "1.7 and flash-linear-attention 0.6; without them installed a step takes far more; "
                "measured: tests/measure",
                Evidence::Verified};
    if ((a.moe() || a.mla()) && s.kernels == Kernels::Eager)
        return {"What experts or latent attention save; measured: tests/measure",
                Evidence::Verified};
    if (a.moe() || a.mla())
        return {"What experts or latent attention save; derived from the operators' shapes",
                Evidence::Derived};
    if (s.kernels == Kernels::MegatronTe)
        return {"What Transformer Engine's operators save; measured: Megatron-LM functional tests "
                "(golden values)",
                Evidence::Verified};
    if (s.checkpointing == Checkpointing::None)
        return {"What autograd saves of each operator; measured: torchtune README",
                Evidence::Verified};
    return {"What autograd saves of each operator; measured: fms-acceleration A100 benchmarks",
            Evidence::Verified};
}

/// Activations that the checkpointing policy keeps.
Origin policyOrigin(const Settings &s)
{
    switch (s.checkpointing) {
    case Checkpointing::Full:
        return {"Each block keeps its input; measured: fms-acceleration A100 benchmarks",
                Evidence::Verified};
    case Checkpointing::EveryK:
        return {"Every k-th block keeps its input; measured: tests/measure", Evidence::Verified};
    case Checkpointing::SelectiveAttention:
        return {"All but the attention core; Korthikanti et al. 2022 (arXiv 2205.05198)",
                Evidence::Sourced};
    case Checkpointing::SelectiveOp:
        return {"Attention and every second matrix product; measured: torchtitan H100 benchmarks",
                Evidence::Verified};
    case Checkpointing::KeepMatmuls:
        return {"Every matrix product; measured: GPT-2 small in fp32 "
                "(daddyofadoggy/pytorch-distributed)",
                Evidence::Verified};
    case Checkpointing::Block:
        return {"Megatron's recompute_method=block; measured: tests/measure", Evidence::Verified};
    case Checkpointing::None:
        break;
    }
    return tableOrigin(s);
}

/// The first block of the rank that has adapters: those before it have no gradients and save
/// nothing.
std::int64_t firstTrained(const Training &t)
{
    if (!t.lora())
        return 0;
    std::int64_t first = t.rank.layers();
    for (const RankGroup &group : t.rank.groups)
        if (std::ranges::any_of(group.matrices, [&](const auto &it) { return adapted(t.s, it); }))
            first = std::min(first, group.range.first);
    return first;
}

/// The blocks of a range from block `first` on.
BlockRange later(const BlockRange &range, std::int64_t first)
{
    const std::int64_t earlier = range.before(first);
    BlockRange rest{std::max(range.first, first), range.blocks - earlier};
    if (!range.counts)
        return rest;
    std::vector<std::int64_t> counts = *range.counts;
    for (std::int64_t &count : counts)
        count = std::max<std::int64_t>(count - earlier, 0);
    rest.counts = std::make_shared<const std::vector<std::int64_t>>(std::move(counts));
    while (rest.blocks > 0 && !rest.contains(rest.first))
        ++rest.first;
    return rest;
}

/// The blocks of one kind on the rank and the tensors that each of them leaves.
class BlockActivations
{
public:
    BlockActivations(const Training &t, Ledger &ledger, const RankGroup &group)
        : m_t(t)
        , m_s(t.s)
        , m_ledger(ledger)
        , m_tokens(t.tokensOf(group.kind))
        , m_experts(group.kind.feedForward == FeedForward::Experts)
        , m_rows(expertRows(t))
        , m_range(group.range)
        , m_trained(later(group.range, firstTrained(t)))
        , m_memory(blockMemory(t, group.kind))
        , m_names(blockWords(group.kind))
        , m_gates(m_experts && runsTitanExperts(t.s))
    {
    }

    void add()
    {
        const bool inputs =
            m_s.checkpointing == Checkpointing::Full || m_s.checkpointing == Checkpointing::EveryK;
        if (m_s.activationOffload && inputs)
            addOffloaded();
        else
            addKept();
        addRecomputed();
        addAttention();
        if (m_gates)
            addGates();
        const Course course = Course::running(m_range);
        addRunning(m_memory.backward == Highest::Exchange ? m_names.exchange : m_names.temporaries,
                   m_memory.temporaries, course,
                   passingOrigin(m_memory.backward, kTemporaries, m_gates), {StepPhase::Backward});
        addGradients();
        addRunning(m_memory.forward == Highest::Exchange ? m_names.exchange : m_names.working,
                   m_memory.working, course, passingOrigin(m_memory.forward, kWorking, m_gates),
                   {StepPhase::Forward});
    }

private:
    [[nodiscard]] Exact bytes(const TermSum &sum) const { return sum.bytes(m_tokens, m_rows); }
    [[nodiscard]] std::string formula(const TermSum &sum, std::int64_t count) const
    {
        return m_ledger.texts() ? sum.formula("L", count, m_tokens, m_rows) : std::string();
    }
    /// The part of the range that Megatron's recompute_method=block recomputes: the first blocks of
    /// the rank.
    [[nodiscard]] BlockRange recomputedBlocks() const
    {
        return {m_range.first, std::clamp<std::int64_t>(m_s.checkpointedBlocks - m_range.first, 0,
                                                        m_range.blocks)};
    }
    void addSaved(std::string_view name, const TermSum &sum, BlockRange range,
                  std::int64_t stride = 1);
    void addRunning(std::string_view name, const TermSum &sum, const Course &course, Origin origin,
                    PhaseSet when);
    void addKept();
    void addOffloaded();
    void addRecomputed();
    void addGates();
    void addGradients();
    void addAttention();

    const Training &m_t;
    const Settings &m_s;
    Ledger &m_ledger;
    Exact m_tokens;
    bool m_experts;
    Exact m_rows;
    BlockRange m_range;
    BlockRange m_trained; ///< those of the range that run backward
    BlockMemory m_memory;
    const BlockWords &m_names;
    bool m_gates; ///< torchtitan's routers multiply in fp32
};

/// Tensors that a range leaves until it has run backward, one for each stride of blocks, with those
/// of the other micro-batches in flight on this pipeline stage.
void BlockActivations::addSaved(std::string_view name, const TermSum &sum, BlockRange range,
                                std::int64_t stride)
{
    const std::int64_t strides = (range.blocks + stride - 1) / stride;
    const Exact each = bytes(sum);
    const auto add = [&](std::int64_t flights, PhaseSet when) {
        const Exact held = dividedUp(Exact(strides) * flights, m_t.chunks);
        m_ledger.add(Entry{Category::Activations, name, held * each, when, when, policyOrigin(m_s),
                           1, Course::saved(range, each, stride)},
                     formula(sum, held.value()));
    };
    if (!m_t.forwardFirst()) {
        add(m_t.flights, kWhileSaved);
        return;
    }
    // Gradients are there from the second backward pass on, when one micro-batch is gone.
    add(m_t.flights, {StepPhase::Forward, StepPhase::Logits, StepPhase::Loss});
    add(m_t.flights - 1, {StepPhase::Backward});
}

/// Memory while a block of the range runs.
void BlockActivations::addRunning(std::string_view name, const TermSum &sum, const Course &course,
                                  Origin origin, PhaseSet when)
{
    m_ledger.add(Entry{Category::Activations, name, bytes(sum), when, when, origin, 1, course},
                 formula(sum, 1));
}

void BlockActivations::addKept()
{
    switch (m_s.checkpointing) {
    case Checkpointing::Full:
        addSaved(m_names.inputs, m_memory.survivor, m_range);
        return;
    case Checkpointing::EveryK:
        addSaved(m_names.inputs, m_memory.survivor, m_range, m_s.every);
        return;
    case Checkpointing::Block: {
        const BlockRange first = recomputedBlocks();
        addSaved(m_names.inputs, m_memory.survivor, first);
        addSaved(m_names.saved, m_memory.kept,
                 {first.first + first.blocks, m_range.blocks - first.blocks});
        return;
    }
    case Checkpointing::None:
        addSaved(m_names.saved, m_memory.survivor, m_trained);
        return;
    default:
        addSaved(m_names.kept, m_memory.survivor, m_range);
    }
}

/// Offloaded block inputs wait in pinned host memory; about three are on the GPU at a time.
void BlockActivations::addOffloaded()
{
    constexpr std::int64_t kInFlight = 3;
    const std::int64_t count = std::min(kInFlight, m_range.blocks);
    const Exact each = bytes(m_memory.survivor);
    m_ledger.add(Entry{Category::Activations,
                       m_names.moving,
                       each * count,
                       kWhileSaved,
                       kWhileSaved,
                       {"Activation offload keeps two or three block inputs on the GPU; derived "
                        "from the copies in flight",
                        Evidence::Derived, 0.5}},
                 formula(m_memory.survivor, count));
}

void BlockActivations::addRecomputed()
{
    if (m_s.checkpointing == Checkpointing::Block) {
        addRunning(m_names.recomputed, m_memory.recomputed, Course::running(recomputedBlocks()),
                   tableOrigin(m_s), {StepPhase::Backward});
        return;
    }
    if (m_s.checkpointing != Checkpointing::EveryK) {
        addRunning(m_names.recomputed, m_memory.recomputed, Course::running(m_range),
                   tableOrigin(m_s), {StepPhase::Backward});
        return;
    }
    // A whole segment is computed again, with the inputs of its inner blocks.
    const std::int64_t blocks = std::min(m_s.every, m_range.blocks);
    TermSum segment = m_memory.recomputed.times(blocks);
    segment += m_memory.input.times(blocks - 1);
    const Exact each = bytes(m_memory.recomputed) + bytes(m_memory.input);
    addRunning(m_names.recomputed, segment, Course::recomputed(m_range, each, blocks),
               tableOrigin(m_s), {StepPhase::Backward});
}

/// FSDP2 reduces a block's gradients together: when attention runs backward all before its are
/// there. So they are where nothing divides them, which counts for models that read a source.
void BlockActivations::addGradients()
{
    const bool reduced = m_t.reshards() && m_s.strategy == Strategy::Fsdp2;
    const bool stay = m_s.architecture.readsSource() && m_t.dense.gradients == 1 && !m_t.zero();
    if ((!reduced && !stay) || m_t.lora())
        return;
    const std::int64_t g = reduced ? m_t.gathered : m_t.trainedGradient;
    if (m_memory.gradients == Exact(0))
        m_ledger.add(
            Category::Gradients, "Gradients of the running experts", m_memory.experts,
            {StepPhase::Backward}, kTemporaries,
            {"of the experts that have run backward, less what the block has freed and one "
             "matrix = {}",
             {m_memory.experts.value()}},
            1, Course::running(m_range));
    m_ledger.add(
        Category::Gradients,
        m_s.architecture.isPlain() ? "Gradients of the running block" : m_names.runningGradients,
        {"{} n", {g, m_memory.gradients}}, {StepPhase::Backward},
        passingOrigin(m_memory.backward, kTemporaries, m_gates), 1, Course::running(m_range));
}

/// torchtitan's router multiplies by an fp32 copy of its weight, which its backward pass reads.
void BlockActivations::addGates()
{
    const Architecture &a = m_s.architecture;
    const Exact each = Exact(4) * a.experts * a.hidden;
    const bool saved = m_s.checkpointing == Checkpointing::None;
    const std::int64_t count = saved ? m_range.blocks : 1;
    const PhaseSet when = saved ? kWhileSaved : PhaseSet{StepPhase::Backward};
    m_ledger.add(Category::TemporaryBuffers, "Routers' weights in fp32",
                 {"4 E h L", {4, a.experts, a.hidden, count}}, when, kCombined, 1,
                 saved ? Course::saved(m_range, each) : Course::running(m_range));
}

/// Where the backward pass of a block's attention needs more than the whole block kept, with the
/// buffers that its experts exchange.
void BlockActivations::addAttention()
{
    const Exact exchanged = m_experts ? exchangedRows(m_t) : Exact(0);
    const Exact block = bytes(m_memory.kept) + exchanged;
    const Exact beyond = excess(bytes(m_memory.attention), block);
    std::string text;
    if (m_ledger.texts() && beyond != 0) {
        text = m_memory.attention.formula("", 1, m_tokens, m_rows) + " - ";
        appendCount(text, block.value());
    }
    m_ledger.add(Entry{Category::Activations,
                       m_names.attention,
                       beyond,
                       {StepPhase::Backward},
                       {StepPhase::Backward},
                       {"Scores, their gradient and two copies of it while that of the mask runs, "
                        "in place of the block; measured: tests/measure",
                        Evidence::Verified},
                       1,
                       Course::running(m_range)},
                 std::move(text));
}

void addEmbeddingMask(const Training &t, Ledger &ledger)
{
    if (t.s.dropout <= 0 || !t.rank.hasEmbedding)
        return;
    const std::int64_t h = t.s.architecture.hidden;
    const std::int64_t sp = t.s.sequenceParallel ? t.s.tensor : 1;
    ledger.add(Category::Activations, "Embedding dropout mask",
               {"h T / t_sp", {over(h, sp), t.tokens}}, kWhileSaved, policyOrigin(t.s));
}

/// The cosines and sines that rotate queries and keys, as transformers computes them at each
/// forward pass, in the type of the hidden states.
void addRotaryTables(const Training &t, Ledger &ledger)
{
    const Settings &s = t.s;
    const Architecture &a = s.architecture;
    if (s.kernels != Kernels::Eager || a.learnedPositions > 0 || a.readsSource())
        return;
    const std::int64_t dim = a.mla() ? a.qkRopeHeadDim : a.headDim;
    const std::int64_t length = s.sequenceLength / s.context;
    ledger.add(
        Category::Activations, "Rotary tables", {"{} · {} d s / c", {2, t.residual, dim, length}},
        kWhileSaved,
        {"Cosine and sine of every position; transformers modeling_llama.py", Evidence::Verified});
}

/// The causal mask, from which each layer's index makes its own: the whole model has one, and as an
/// argument of checkpointed blocks it stays until they are recomputed.
void addCausalMask(const Training &t, Ledger &ledger)
{
    const Settings &s = t.s;
    if (s.architecture.indexHeads == 0)
        return;
    const bool recomputes = s.checkpointing != Checkpointing::None;
    ledger.add(Category::Activations, "Causal mask", {"s²", {s.sequenceLength, s.sequenceLength}},
               recomputes ? kWhileSaved : PhaseSet{StepPhase::Forward},
               {"One byte for each pair of tokens; transformers masking_utils.py, sdpa_mask; "
                "measured: tests/measure",
                Evidence::Verified});
}

/// Cosines and sines of each of Megatron-Core's own layers, once for queries and once for keys.
void addLayersRotaryTables(const Training &t, Ledger &ledger)
{
    const Settings &s = t.s;
    const Architecture &a = s.architecture;
    if (s.kernels != Kernels::MegatronLocal || a.learnedPositions > 0 || a.mla())
        return;
    const std::int64_t length = s.sequenceLength / s.context;
    const Exact each = Exact(4 * s.computeBytes) * a.headDim * length;
    const auto add = [&](Category category, std::string_view name, Exact layers, PhaseSet when,
                         const Course &course) {
        ledger.add(category, name,
                   {"{} · {} L d s / c", {4, s.computeBytes, layers, a.headDim, length}}, when,
                   {"Megatron-Core models/common/embeddings/rope_utils.py, "
                    "_apply_rotary_pos_emb_bshd; measured: tests/measure",
                    Evidence::Verified},
                   1, course);
    };
    const BlockRange all = t.rank.allBlocks();
    const std::int64_t segment = s.checkpointing == Checkpointing::EveryK ? s.every
                                 : s.checkpointing == Checkpointing::None ||
                                         s.checkpointing == Checkpointing::SelectiveAttention
                                     ? 0
                                     : 1;
    const std::int64_t again = segment == 0 ? 0
                               : s.checkpointing == Checkpointing::Block
                                   ? std::clamp<std::int64_t>(s.checkpointedBlocks, 0, all.blocks)
                                   : all.blocks;
    const BlockRange kept = {all.first + again, all.blocks - again};
    add(Category::Activations, "Rotary tables", dividedUp(Exact(kept.blocks) * t.flights, t.chunks),
        kWhileSaved, Course::saved(kept, each));
    add(Category::TemporaryBuffers, "Rotary tables of the recomputed block",
        std::min(segment, again), {StepPhase::Backward}, Course::running({all.first, again}));
}

} // namespace

void addActivations(const Training &t, Ledger &ledger)
{
    for (const RankGroup &group : t.rank.groups)
        BlockActivations(t, ledger, group).add();
    addEmbeddingMask(t, ledger);
    addRotaryTables(t, ledger);
    addCausalMask(t, ledger);
    addLayersRotaryTables(t, ledger);
}

} // namespace vramscope
