// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/planner/formulas/training.h"

namespace vramscope {

namespace {

constexpr MomentSet kCompute = {At::Forward, At::Backward};

/// Transformer Engine keeps an fp8 copy of each linear layer's weights, and on Hopper a transposed
/// one.
void addFp8Copies(const Training &t, Ledger &ledger)
{
    Exact elements;
    for (const Matrix &matrix : t.rank.denseMatrices)
        elements += Exact(t.rank.denseBlocks) * matrix.elements();
    for (const Matrix &matrix : t.rank.moeMatrices)
        elements += Exact(t.rank.moeBlocks) * matrix.elements();
    const bool hopper = t.s.gpu && t.s.gpu->generation == GpuGeneration::Hopper;
    const std::int64_t copies = hopper ? 2 : 1;
    const Exact local = dividedUp(elements, t.s.tensor);
    ledger.add(
        Category::Parameters, "fp8 weight copies", Exact(copies) * local, kWholeStep,
        {"Transformer Engine: one fp8 copy of the linear weights, on Hopper two; derived from "
         "tensor shapes",
         Evidence::Derived, 0.5},
        {"{} N_linear / t = {} × ⌈{} / {}⌉", {copies, copies, elements.value(), t.s.tensor}});
}

} // namespace

void addParallelBuffers(const Training &t, Ledger &ledger)
{
    const Settings &s = t.s;
    const Architecture &a = s.architecture;
    const std::int64_t w = s.computeBytes;
    if (s.context > 1) {
        const std::int64_t width = a.mla() ? a.kvLoraRank + a.qkRopeHeadDim : a.kvHeads * a.headDim;
        ledger.add(Category::Communication, "Ring attention blocks",
                   Exact(4 * w) * dividedUp(Exact(width), s.tensor) * t.tokens, kCompute,
                   {"Ring attention keeps two further blocks of keys and values in flight; derived "
                    "from tensor shapes",
                    Evidence::Derived, 0.5},
                   {"2 · 2 · {} K T = 4 × {} × ⌈{} / {}⌉ × {}",
                    {w, w, width, s.tensor, t.tokens.value()}});
    }
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
