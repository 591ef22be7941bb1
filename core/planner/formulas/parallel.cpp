// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/planner/formulas/training.h"

namespace vramscope {

namespace {

constexpr MomentSet kCompute = {StepPhase::Forward, StepPhase::Backward};

/// Transformer Engine keeps an fp8 copy of each linear layer's weights, and on Hopper a transposed
/// one.
void addFp8Copies(const Training &t, Ledger &ledger)
{
    Exact elements; // that this GPU holds
    const auto add = [&](std::int64_t blocks, const std::vector<Matrix> &matrices) {
        for (const Matrix &matrix : matrices) {
            if (matrix.module != "router") // no layer of Transformer Engine's
                elements += Exact(blocks) * heldBy(t.s, matrix).elements();
        }
    };
    add(t.rank.denseBlocks, t.rank.denseMatrices);
    add(t.rank.moeBlocks, t.rank.moeMatrices);
    const bool hopper = t.s.gpu && t.s.gpu->generation == GpuGeneration::Hopper;
    const std::int64_t copies = hopper ? 2 : 1;
    ledger.add(
        Category::Parameters, "fp8 weight copies", Exact(copies) * elements, kWholeStep,
        {"Transformer Engine: one fp8 copy of the linear weights that a GPU holds, on Hopper two; "
         "derived from tensor shapes",
         Evidence::Derived, 0.5},
        {"{} N_linear = {} × {}", {copies, copies, elements.value()}});
}

/// Keys and values of other GPUs that one attention of the block holds.
void addContextBuffers(const Training &t, Ledger &ledger)
{
    const Settings &s = t.s;
    const std::int64_t w = s.computeBytes;
    const std::int64_t width = keyValueWidth(s);
    const BlockProfile course = BlockProfile::running(t.rank.allBlocks());
    const auto add = [&](std::string_view name, Exact bytes, std::string_view source,
                         FormulaText formula) {
        ledger.add(Entry{Category::Communication,
                         name,
                         bytes,
                         kCompute,
                         kCompute,
                         {source, Evidence::Derived, 0.5},
                         1,
                         course},
                   formula);
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
        // Heads leave, tokens come: the four all-to-alls hold one copy of what they send.
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

} // namespace

void addParallelBuffers(const Training &t, Ledger &ledger)
{
    const Settings &s = t.s;
    const Architecture &a = s.architecture;
    const std::int64_t w = s.computeBytes;
    if (s.context > 1)
        addContextBuffers(t, ledger);
    if (s.pipeline > 1) {
        const std::int64_t sp = s.sequenceParallel ? s.tensor : 1;
        ledger.add(
            Category::Communication, "Pipeline send and receive buffers",
            Exact(2 * w) * dividedUp(Exact(a.hidden), sp) * t.tokens, kCompute,
            {"One activation in and one out of the stage; derived from tensor shapes",
             Evidence::Derived},
            {"2 · {} h T = 2 × {} × ⌈{} / {}⌉ × {}", {w, w, a.hidden, sp, t.tokens.value()}});
    }
    if (s.expert > 1 && t.rank.moeBlocks > 0) {
        const Exact rows = Exact(a.expertsPerToken) * t.tokens;
        ledger.add(
            Category::Communication, "Expert all-to-all buffers", Exact(2 * w) * a.hidden * rows,
            kCompute,
            {"Tokens leave for and come from their experts' ranks; derived from tensor shapes",
             Evidence::Derived, 0.5},
            {"2 · {} h k T = 2 × {} × {} × {}", {w, w, a.hidden, rows.value()}});
    }
    if (s.regime == Regime::Fp8)
        addFp8Copies(t, ledger);
}

} // namespace vramscope
