// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/planner/formulas/training.h"

#include <algorithm>

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
constexpr Origin kRoot = {"FSDP's root unit stays whole from forward to the end of backward; "
                          "measured: fms-acceleration A100 benchmarks, Llama-3 8B",
                          Evidence::Verified};

/// Bytes of `count` parameters of the frozen or trained base as they are gathered: quantised bases
/// travel in their own format.
Exact gatheredBytes(const Training &t, Exact count)
{
    if (t.s.baseQuantization == BaseQuantization::None || !t.lora())
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
    {
    }

    void addUnsharded();
    void addResharding()
    {
        addRoot();
        addGathered("Gathered block weights in forward", forwardUnits(), {StepPhase::Forward});
        addGathered("Gathered block weights", backwardUnits(), {StepPhase::Backward});
        if (!m_t.lora())
            addGradients();
    }

private:
    [[nodiscard]] std::int64_t forwardUnits() const
    {
        if (m_fsdp1)
            return m_t.s.forwardPrefetch || !m_t.s.limitAllGathers ? 3 : 2;
        return 3;
    }
    [[nodiscard]] std::int64_t backwardUnits() const
    {
        return m_fsdp1 && m_t.s.backwardPrefetch != BackwardPrefetch::Pre ? 1 : 2;
    }
    void addRoot();
    void addGathered(std::string_view name, std::int64_t units, MomentSet when);
    /// A buffer of the block that runs; `base` stays when it has run.
    void addRunning(std::string_view name, Exact bytes, Origin origin, MomentSet when,
                    FormulaText formula, Exact base = {})
    {
        m_ledger.add(Entry{Category::Communication, name, bytes, when, when, origin, 1,
                           BlockProfile::running(m_t.rank.allBlocks(), base)},
                     formula);
    }
    void addGradients();

    const Training &m_t;
    Ledger &m_ledger;
    std::int64_t m_unit;
    bool m_fsdp1;
};

void Units::addRoot()
{
    const std::int64_t g = m_t.gathered;
    const std::int64_t root = m_t.rank.root();
    m_ledger.add(Category::Communication, "Root unit weights", Exact(g) * root, kForwardToBackward,
                 kRoot, {"{} N_root = {} × {}", {g, g, root}});
    if (m_t.lora())
        return;
    const std::int64_t head = m_t.rank.headGradient;
    m_ledger.add(Category::Communication, "Root unit gradients of the head", Exact(g) * head,
                 {StepPhase::Backward},
                 {"The root unit's gradients are reduced last, when the embedding's are there",
                  Evidence::Derived},
                 {"{} (V h + h) = {} × {}", {g, g, head}});
    const std::int64_t r = m_t.s.reduceBytes;
    m_ledger.add(
        Category::Communication, "Root unit gradients", Exact(g + r) * root,
        {StepPhase::EndOfBackward},
        {"The root unit's gradients and the copy that is reduced; derived from tensor shapes",
         Evidence::Derived},
        {"({} + {}) N_root = ({} + {}) × {}", {g, r, g, r, root}});
}

void Units::addGathered(std::string_view name, std::int64_t units, MomentSet when)
{
    const Exact one = gatheredBytes(m_t, m_unit);
    addRunning(name, Exact(units) * one, m_fsdp1 ? kUnitsOfFsdp1 : kUnits, when,
               {"{} units of {} parameters = {} × {}", {units, m_unit, units, one.value()}},
               Exact(units - 1) * one);
}

void Units::addGradients()
{
    if (m_t.s.sharding == Sharding::HybridShard)
        addRunning(
            "All-reduce buffer",
            Exact(m_t.s.reduceBytes) * dividedUp(Exact(m_unit), m_t.dense.gradients),
            {"Groups that hold the same shard add up its gradients; derived from the shard size",
             Evidence::Derived},
            {StepPhase::Backward},
            {"{} u / D = {} × ⌈{} / {}⌉",
             {m_t.s.reduceBytes, m_t.s.reduceBytes, m_unit, m_t.dense.gradients}});
    const std::int64_t g = m_t.gathered;
    const std::int64_t r = m_t.s.reduceBytes;
    const std::int64_t d = m_t.dense.gradients;
    if (m_fsdp1) {
        // 3.7 gathered units in all, fitted on runs of one to eight GPUs; two of them are weights.
        addRunning("Block gradients and their reduction", dividedUp(Exact(17) * g * m_unit, 10),
                   {"About 3.7 gathered units in the first block's backward pass; fitted on "
                    "fms-acceleration's FSDP1 runs",
                    Evidence::Empirical, 0.3},
                   {StepPhase::Backward}, {"1.7 · {} u = ⌈17 × {} × {} / 10⌉", {g, g, m_unit}});
        return;
    }
    addRunning("Block gradients", Exact(g) * m_unit, kReduced, {StepPhase::Backward},
               {"{} u = {} × {}", {g, g, m_unit}});
    addRunning("Reduce-scatter buffers", Exact(r) * (Exact(m_unit) + dividedUp(Exact(m_unit), d)),
               kReduced, {StepPhase::Backward},
               {"{} (u + u / D) = {} × ({} + ⌈{} / {}⌉)", {r, r, m_unit, m_unit, d}});
}

/// SHARD_GRAD_OP, reshard_after_forward=False: a block stays whole from its forward to its
/// backward.
void Units::addUnsharded()
{
    constexpr Origin kWhole = {"Weights stay whole from forward to backward; "
                               "torch.distributed.fsdp: SHARD_GRAD_OP, reshard_after_forward=False",
                               Evidence::Sourced};
    addRoot();
    const auto blocks = [&](std::string_view name, BlockRange range, Share block) {
        const Exact each = gatheredBytes(m_t, block.total());
        const MomentSet when = {StepPhase::Forward, StepPhase::Loss, StepPhase::Backward};
        m_ledger.add(
            Entry{Category::Communication, name, each * range.blocks, when, when, kWhole, 1,
                  BlockProfile::saved(range, each)},
            {"L blocks of {} parameters = {} × {}", {block.total(), range.blocks, each.value()}});
    };
    blocks("Gathered weights", m_t.rank.denseRange(), m_t.rank.denseBlock);
    blocks("Gathered weights of expert blocks", m_t.rank.moeRange(), m_t.rank.moeBlock);
    if (m_t.lora())
        return;
    const std::int64_t g = m_t.gathered;
    const std::int64_t r = m_t.s.reduceBytes;
    addRunning("Block gradients and their reduction", Exact(g + r) * m_unit, kReduced,
               {StepPhase::Backward}, {"({} + {}) u = ({} + {}) × {}", {g, r, g, r, m_unit}});
}

void addDdp(const Training &t, Ledger &ledger)
{
    const std::int64_t g = t.trainedGradient;
    const std::int64_t n = t.trained.total();
    if (t.s.gradientAsBucketView) {
        ledger.add(Category::Gradients, "Gradients in DDP buckets", Exact(g) * n, kWholeStep,
                   {"gradient_as_bucket_view: gradients live in the buckets; pytorch/pytorch#41954",
                    Evidence::Sourced},
                   {"{} N = {} × {}", {g, g, n}});
        // Dropped gradients come back outside the buckets where nothing is reduced.
        if (t.s.noSync && t.s.accumulationSteps > 1 && t.s.zeroGrad != ZeroGrad::Never)
            ledger.add(Category::Gradients, "Gradients outside the buckets under no_sync",
                       Exact(g) * n, {StepPhase::Forward, StepPhase::Loss, StepPhase::Backward},
                       {"no_sync: buckets take the gradients in the last micro-batch; measured: "
                        "tests/measure",
                        Evidence::Verified},
                       {"{} N = {} × {}", {g, g, n}});
    } else
        ledger.add(Category::Communication, "DDP bucket copies", Exact(g) * n, kWholeStep,
                   {"DDP copies gradients into its buckets; measured: RoBERTa-base "
                    "(pytorch/pytorch#41954)",
                    Evidence::Verified},
                   {"{} N = {} × {}", {g, g, n}});
}

/// no_sync: the gradients of earlier micro-batches, unsharded.
void addUnsynced(const Training &t, Ledger &ledger)
{
    const std::int64_t g = std::max(t.s.reduceBytes, t.gathered);
    const std::int64_t n = t.trained.total();
    const std::int64_t bytes = t.fsdp() ? g : t.trainedGradient;
    ledger.add(Category::Gradients, "Unsharded gradients under no_sync", Exact(bytes) * n,
               kForwardToBackward,
               {"no_sync keeps whole gradients from the second micro-batch on; accelerate docs, "
                "gradient synchronization",
                Evidence::Sourced},
               {"{} N = {} × {}", {bytes, bytes, n}});
}

/// FSDP1 keeps inputs or gradients of frozen blocks in its hooks: 2 h (L - 2) per token, fitted on
/// LoRA runs of two and four GPUs.
void addFrozenRetention(const Training &t, Ledger &ledger)
{
    const std::int64_t h = t.s.architecture.hidden;
    const std::int64_t blocks = std::max<std::int64_t>(t.rank.layers() - 2, 0);
    ledger.add(Category::Activations, "Retained by FSDP for frozen blocks",
               Exact(2) * h * blocks * t.tokens, {StepPhase::Backward},
               {"Fitted on fms-acceleration's LoRA runs under FSDP1", Evidence::Empirical, 0.3},
               {"2 h (L - 2) T = 2 × {} × {} × {}", {h, blocks, t.tokens.value()}});
}

} // namespace

void addBuffers(const Training &t, Ledger &ledger)
{
    const Settings &s = t.s;
    if (t.reshards())
        Units(t, ledger).addResharding();
    else if (t.gathersOnce())
        Units(t, ledger).addUnsharded();
    if (s.strategy == Strategy::Ddp)
        addDdp(t, ledger);
    if (t.zero())
        addZeroBuffers(t, ledger);
    if (t.keepsUnsharded())
        addUnsynced(t, ledger);
    if (t.lora() && s.strategy == Strategy::Fsdp1 && t.reshards() &&
        s.checkpointing == Checkpointing::Full)
        addFrozenRetention(t, ledger);
}

} // namespace vramscope
