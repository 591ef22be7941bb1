// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/formulas/block_activations.h"
#include "core/estimate/formulas/training.h"

#include <algorithm>

namespace vramscope {

namespace {

constexpr PhaseSet kCompute = {StepPhase::Forward, StepPhase::Backward};

/// Transformer Engine keeps an fp8 copy of each linear layer's weights, and on Hopper a transposed
/// one.
void addFp8Copies(const Training &t, Ledger &ledger)
{
    Exact elements; // that this GPU holds
    for (const RankGroup &group : t.rank.groups) {
        for (const Matrix &matrix : group.matrices) {
            if (matrix.module != "router") // Transformer Engine has no such layer
                elements += Exact(group.count) * heldBy(t.s, matrix).elements();
        }
    }
    const bool hopper = t.s.gpu && t.s.gpu->generation == GpuGeneration::Hopper;
    const std::int64_t copies = hopper ? 2 : 1;
    ledger.add(
        Category::Parameters, "fp8 weight copies", {"{} N_linear", {copies, elements}}, kWholeStep,
        {"Transformer Engine: one fp8 copy of the linear weights that a GPU holds, on Hopper two; "
         "derived from tensor shapes",
         Evidence::Derived, 0.5});
}

/// Keys and values of other GPUs that one attention of the block keeps; those of torch's own
/// context parallelism are counted in the block (context_attention.cpp).
void addContextBuffers(const Training &t, Ledger &ledger)
{
    const Settings &s = t.s;
    const std::int64_t w = s.computeBytes;
    const std::int64_t width = keyValueWidth(s);
    const Course course = Course::running(t.rank.allBlocks());
    const auto add = [&](std::string_view name, Exact bytes, std::string_view source,
                         FormulaText formula) {
        ledger.add(Category::Communication, name, bytes, kCompute, {source, Evidence::Derived, 0.5},
                   formula, 1, course);
    };
    switch (s.contextExchange) {
    case ContextExchange::Ring:
        add("Ring attention blocks", Exact(4 * w) * width * t.tokens,
            "Ring attention keeps two further blocks of keys and values in flight; derived from "
            "tensor shapes",
            {"2 · 2 · {} K_t T = 4 × {} × {} × {}", {w, w, width, t.tokens.value()}});
        return;
    case ContextExchange::AllGather:
        add("Gathered keys and values", Exact(2 * w) * width * t.tokens * s.context,
            "Keys and values of the whole sequence, as Megatron's and Llama 3's all-gather; "
            "derived from tensor shapes",
            {"2 · {} K_t b s = 2 × {} × {} × {} × {}", {w, w, width, t.tokens.value(), s.context}});
        return;
    case ContextExchange::Ulysses: {
        // Heads leave, tokens come: the four all-to-alls have one copy of what they send.
        const std::int64_t query = queryWidth(s);
        const Exact largest = Exact(w) * (Exact(query) + Exact(2) * width) * t.tokens;
        add("Ulysses all-to-all buffers", largest,
            "DeepSpeed-Ulysses sends queries, keys and values by head; derived from tensor shapes",
            {"{} (A_t + 2 K_t) T = {} × ({} + 2 × {}) × {}",
             {w, w, query, width, t.tokens.value()}});
        return;
    }
    }
}

/// Tensors that cross the boundaries of a pipeline stage. Megatron frees an output that has left;
/// torch's stages keep inputs and outputs of every micro-batch in flight
/// (torch/distributed/pipelining/stage.py, fwd_cache), and the losses of the last one refer to the
/// inputs of all.
void addStageBoundaries(const Training &t, Ledger &ledger)
{
    const Settings &s = t.s;
    const std::int64_t sp = s.sequenceParallel ? s.tensor : 1;
    const std::int64_t hidden = s.architecture.hidden;
    const auto add = [&](std::string_view name, std::int64_t count, PhaseSet when,
                         const Origin &origin) {
        ledger.add(Category::Communication, name,
                   {"{} · {} h T", {count, t.residual, over(hidden, sp), t.tokens}}, when, origin);
    };
    if (t.megatron()) {
        add("Pipeline send and receive buffers", 2, t.rank.stage == 0 ? kCompute : kWholeStep,
            {"One activation in and one out of the stage, where it is not the first its last input "
             "and that one's gradient: Megatron-Core's TransformerBlock.input_tensor; measured: "
             "tests/measure",
             Evidence::Verified});
        return;
    }
    constexpr Origin kTorch = {"torch.distributed.pipelining keeps them until the micro-batch has "
                               "run backward; measured: tests/measure",
                               Evidence::Verified};
    const bool first = t.rank.stage == 0;
    const bool last = t.rank.stage == s.pipeline - 1;
    const std::int64_t outputs = last && s.virtualStages == 1 ? 0 : t.flights;
    std::int64_t inputs = first && s.virtualStages == 1 ? 0 : t.flights;
    if (last && t.rank.hasHead)
        inputs = std::max(inputs, s.accumulationSteps);
    add("Inputs and outputs of the stage", inputs + outputs, kWhileSaved, kTorch);
    add("Gradients from and to other stages", (first ? 0 : 1) + (last ? 0 : 1),
        {StepPhase::Backward}, kTorch);
}

} // namespace

Exact gatheredRows(const Training &t)
{
    const std::int64_t sp = t.s.sequenceParallel ? t.s.tensor : 1;
    return dividedUp(t.tokens, sp) * t.s.expert * t.s.expertTensor;
}

Exact exchangedRows(const Training &t)
{
    const bool exchanges = t.s.expert > 1 && t.rank.expertBlocks() > 0;
    return exchanges ? Exact(2 * t.s.computeBytes) * t.s.architecture.hidden * expertRows(t)
                     : Exact(0);
}

void addParallelBuffers(const Training &t, Ledger &ledger)
{
    const Settings &s = t.s;
    const Architecture &a = s.architecture;
    const std::int64_t w = s.computeBytes;
    if (s.context > 1 && !exchangesKeys(t))
        addContextBuffers(t, ledger);
    if (s.pipeline > 1)
        addStageBoundaries(t, ledger);
    if (s.expert > 1 && t.rank.expertBlocks() > 0 &&
        !runsTitanExperts(s)) { // its rows are counted in the block
        const Exact rows = expertRows(t);
        if (s.dispatcher == TokenDispatcher::AllGather)
            ledger.add(Category::Communication, "Experts' outputs of all tokens",
                       {"{} h T_g", {w, a.hidden, gatheredRows(t)}}, kCompute,
                       {"The outputs of a rank's experts in the order of the gathered tokens; "
                        "MoEAllGatherTokenDispatcher of Megatron-Core "
                        "transformer/moe/token_dispatcher.py",
                        Evidence::Sourced, 0.5});
        else
            ledger.add(
                Category::Communication, "Expert all-to-all buffers", exchangedRows(t), kCompute,
                {"Tokens leave for and come from their experts' ranks; derived from tensor shapes",
                 Evidence::Derived, 0.5},
                {"2 · {} h R = 2 × {} × {} × {}", {w, w, a.hidden, rows.value()}});
    }
    if (s.regime == Regime::Fp8)
        addFp8Copies(t, ledger);
}

} // namespace vramscope
