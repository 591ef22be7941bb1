// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/planner/formulas/block_activations.h"

#include <algorithm>

namespace vramscope {

namespace {

constexpr MomentSet kWhileKept = {At::Forward, At::Loss, At::FirstBackward};
constexpr MomentSet kBackward = {At::FirstBackward, At::LastBackward};

constexpr Origin kTemporaries = {
    "Gradients of the MLP's inner tensors at the worst moment of a block's backward pass",
    Evidence::Derived, 0.5};

/// Of the operator tables of a block's kernels, whole or recomputed.
Origin tableOrigin(const Settings &s)
{
    const Architecture &a = s.architecture;
    if (s.kernels == Kernels::Textbook)
        return {"Korthikanti et al. 2022 (arXiv 2205.05198)", Evidence::Sourced};
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

/// Of what the checkpointing policy keeps.
Origin policyOrigin(const Settings &s)
{
    switch (s.checkpointing) {
    case Checkpointing::Full:
        return {"Each block keeps its input; measured: fms-acceleration A100 benchmarks",
                Evidence::Verified};
    case Checkpointing::EveryK:
        return {"Every k-th block keeps its input; derived from tensor shapes", Evidence::Derived};
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
        return {"Megatron's recompute_method=block; derived from the operators' shapes",
                Evidence::Derived};
    case Checkpointing::None:
        break;
    }
    return tableOrigin(s);
}

/// Blocks of one kind on the rank and what each of them leaves.
struct Kind
{
    std::int64_t blocks;
    BlockMemory memory;
};

class Activations
{
public:
    Activations(const Training &t, Ledger &ledger)
        : m_t(t)
        , m_s(t.s)
        , m_ledger(ledger)
        , m_rows(expertRows(t))
    {
        if (t.rank.denseBlocks > 0)
            m_dense = {t.rank.denseBlocks, blockMemory(t, false)};
        if (t.rank.moeBlocks > 0)
            m_moe = {t.rank.moeBlocks, blockMemory(t, true)};
    }

    void add();

private:
    [[nodiscard]] Exact bytes(const TermSum &sum) const { return sum.bytes(m_t.tokens, m_rows); }
    /// The kind of the block that runs backward first (last in the model), and last.
    [[nodiscard]] const Kind &top() const { return m_moe.blocks > 0 ? m_moe : m_dense; }
    [[nodiscard]] const Kind &bottom() const { return m_dense.blocks > 0 ? m_dense : m_moe; }

    void addBlocks(std::string_view name, const TermSum &sum, std::int64_t blocks, MomentSet when,
                   Origin origin);
    /// Blocks times the micro-batches in flight on this pipeline stage.
    void addInFlight(std::string_view name, const TermSum &sum, std::int64_t blocks, MomentSet when,
                     Origin origin);
    void addKept(const Kind &kind, bool experts);
    void addLastKept();
    void addOffloaded();
    void addSegment();

    const Training &m_t;
    const Settings &m_s;
    Ledger &m_ledger;
    Exact m_rows;
    Kind m_dense{};
    Kind m_moe{};
};

void Activations::addBlocks(std::string_view name, const TermSum &sum, std::int64_t blocks,
                            MomentSet when, Origin origin)
{
    if (blocks <= 0)
        return;
    m_ledger.add(Entry{Category::Activations, name, Exact(blocks) * bytes(sum), when, when, origin},
                 m_ledger.texts() ? sum.formula("L", blocks, m_t.tokens, m_rows) : std::string());
}

void Activations::addInFlight(std::string_view name, const TermSum &sum, std::int64_t blocks,
                              MomentSet when, Origin origin)
{
    const Exact held = dividedUp(Exact(blocks) * m_t.flights, m_t.chunks);
    addBlocks(name, sum, held.value(), when, origin);
}

void Activations::addKept(const Kind &kind, bool experts)
{
    const bool keptWhole = m_s.checkpointing == Checkpointing::None;
    const std::string_view inputs = experts ? "Expert block inputs kept by checkpointing"
                                            : "Block inputs kept by checkpointing";
    const std::string_view saved =
        experts ? "Saved activations, expert blocks" : "Saved activations";
    switch (m_s.checkpointing) {
    case Checkpointing::Full:
        addInFlight(inputs, kind.memory.survivor, kind.blocks, kWhileKept, policyOrigin(m_s));
        return;
    case Checkpointing::EveryK:
        addInFlight(inputs, kind.memory.survivor, (kind.blocks + m_s.every - 1) / m_s.every,
                    kWhileKept, policyOrigin(m_s));
        return;
    case Checkpointing::Block: {
        // The first n layers of the rank, as Megatron's recompute_method=block.
        const std::int64_t before = experts ? m_dense.blocks : 0;
        const std::int64_t n =
            std::clamp<std::int64_t>(m_s.checkpointedBlocks - before, 0, kind.blocks);
        addInFlight(inputs, kind.memory.survivor, n, kWhileKept, policyOrigin(m_s));
        addInFlight(saved, kind.memory.kept, kind.blocks - n, kWhileKept, policyOrigin(m_s));
        return;
    }
    default:
        addInFlight(keptWhole ? saved
                    : experts ? "Activations kept by the policy, expert blocks"
                              : "Activations kept by the policy",
                    kind.memory.survivor, kind.blocks, kWhileKept, policyOrigin(m_s));
    }
}

void Activations::addLastKept()
{
    const bool whole = m_s.checkpointing == Checkpointing::Block && m_s.checkpointedBlocks == 0;
    const BlockMemory &memory = bottom().memory;
    addBlocks("Activations of the first block", whole ? memory.kept : memory.survivor, 1,
              {At::LastBackward}, policyOrigin(m_s));
}

/// Offloaded block inputs wait in pinned host memory; about three are on the GPU at a time.
void Activations::addOffloaded()
{
    constexpr std::int64_t kInFlight = 3;
    addBlocks("Block inputs on their way to or from the host", top().memory.survivor,
              std::min(kInFlight, m_t.rank.layers()), kWhileKept | kBackward,
              {"Activation offload keeps two or three block inputs on the GPU; derived from the "
               "copies in flight",
               Evidence::Derived, 0.5});
}

void Activations::addSegment()
{
    const auto recomputed = [&](const Kind &kind, At at) {
        TermSum segment = kind.memory.recomputed;
        std::int64_t blocks = 1;
        if (m_s.checkpointing == Checkpointing::EveryK) {
            blocks = std::min(m_s.every, m_t.rank.layers());
            TermSum inner = kind.memory.input; // inputs inside the segment are kept again
            segment = segment.times(blocks);
            segment += inner.times(blocks - 1);
        } else if (m_s.checkpointing == Checkpointing::Block) {
            const bool firstIsKept = m_s.checkpointedBlocks < m_t.rank.layers();
            if (m_s.checkpointedBlocks == 0 || (at == At::FirstBackward && firstIsKept))
                return;
        }
        addBlocks(at == At::FirstBackward ? "Recomputed block" : "Recomputed first block", segment,
                  1, {at}, tableOrigin(m_s));
    };
    recomputed(top(), At::FirstBackward);
    recomputed(bottom(), At::LastBackward);
    addBlocks("Backward temporaries", top().memory.temporaries, 1, {At::FirstBackward},
              kTemporaries);
    addBlocks("Backward temporaries of the first block", bottom().memory.temporaries, 1,
              {At::LastBackward}, kTemporaries);
}

void Activations::add()
{
    if (m_s.activationOffload &&
        (m_s.checkpointing == Checkpointing::Full || m_s.checkpointing == Checkpointing::EveryK)) {
        addOffloaded();
    } else {
        if (m_dense.blocks > 0)
            addKept(m_dense, false);
        if (m_moe.blocks > 0)
            addKept(m_moe, true);
        addLastKept();
    }
    addSegment();
    const Architecture &a = m_s.architecture;
    if (m_s.dropout > 0 && m_t.rank.hasEmbedding) {
        const std::int64_t sp = m_s.sequenceParallel ? m_s.tensor : 1;
        TermSum mask;
        mask.add(1, "h", a.hidden, sp);
        addBlocks("Embedding dropout mask", mask, 1, kWhileKept | kBackward, policyOrigin(m_s));
    }
}

} // namespace

void addActivations(const Training &training, Ledger &ledger)
{
    Activations(training, ledger).add();
}

} // namespace vramscope
