// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/planner/formulas/training.h"

#include <algorithm>

namespace vramscope {

namespace {

/// Weights of the matrix products of one block of each kind.
std::int64_t productWeights(const std::vector<Matrix> &matrices)
{
    std::int64_t sum = 0;
    for (const Matrix &matrix : matrices)
        sum += matrix.elements();
    return sum;
}

/// Autocast casts every fp32 weight of a matrix product and keeps the copy until its context ends
/// (for frozen weights: until their block has run backward). A checkpointed block casts anew.
void addCastCache(const Training &t, Ledger &ledger)
{
    const Settings &s = t.s;
    if (!t.autocast() || s.weightBytes < 4 || s.kernels == Kernels::Compiled ||
        s.baseQuantization != BaseQuantization::None)
        return;
    const RankInventory &rank = t.rank;
    const std::int64_t dense = productWeights(rank.denseMatrices);
    const std::int64_t moe = productWeights(rank.moeMatrices);
    const Origin origin = {
        "torch.autocast keeps a 16-bit copy of each weight; pytorch/pytorch#48049",
        Evidence::Sourced};
    const bool recomputes = s.checkpointing == Checkpointing::Full ||
                            s.checkpointing == Checkpointing::EveryK ||
                            s.checkpointing == Checkpointing::Block;
    if (!recomputes || !t.lora()) {
        // The cache ends with the forward pass; what autograd saved of it stays for backward.
        const MomentSet forward = {StepPhase::Forward, StepPhase::Loss};
        const MomentSet when = recomputes ? forward : forward | MomentSet{StepPhase::Backward};
        const auto copies = [&](std::string_view name, std::int64_t weights, BlockRange range) {
            const Exact each = Exact(2) * dividedUp(Exact(weights), s.tensor);
            ledger.add(
                Entry{Category::TemporaryBuffers, name, each * range.blocks, when, when, origin, 1,
                      BlockProfile::saved(range, each)},
                {"2 L N_matmul / t = 2 × {} × ⌈{} / {}⌉", {range.blocks, weights, s.tensor}});
        };
        copies("Autocast weight copies", dense, rank.denseRange());
        copies("Autocast weight copies of expert blocks", moe, rank.moeRange());
        const Exact head = Exact(s.architecture.vocab) * s.architecture.hidden;
        if (rank.hasHead)
            ledger.add(Category::TemporaryBuffers, "Autocast copy of the head",
                       Exact(2) * dividedUp(head, s.tensor), {StepPhase::Loss}, origin,
                       {"2 V h / t = 2 × ⌈{} / {}⌉", {head.value(), s.tensor}});
    }
    if (!recomputes)
        return;
    const std::int64_t blocks =
        s.checkpointing == Checkpointing::EveryK ? std::min(s.every, rank.layers()) : 1;
    const std::int64_t one = std::max(dense, moe);
    const Exact each = Exact(2) * dividedUp(Exact(one), s.tensor);
    ledger.add(Entry{Category::TemporaryBuffers,
                     "Autocast copies of the recomputed blocks",
                     each * blocks,
                     {StepPhase::Backward},
                     {StepPhase::Backward},
                     origin,
                     1,
                     BlockProfile::recomputed(rank.allBlocks(), each, blocks)},
               {"2 · {} blocks = 2 × {} × ⌈{} / {}⌉", {blocks, blocks, one, s.tensor}});
}

/// bitsandbytes restores a quantised matrix to 16 bit for each product.
void addDequantised(const Training &t, Ledger &ledger)
{
    const BaseQuantization q = t.s.baseQuantization;
    if (q != BaseQuantization::Nf4 && q != BaseQuantization::Nf4Double &&
        q != BaseQuantization::Int8)
        return;
    const std::int64_t largest = quantisedBase(t).largest;
    ledger.add(
        Category::TemporaryBuffers, "Dequantised matrix", Exact(2) * largest,
        {StepPhase::Forward, StepPhase::Backward},
        {"The largest quantised matrix in 16 bit; derived from tensor shapes", Evidence::Derived},
        {"2 n_max = 2 × {}", {largest}});
}

/// A linear layer that computes in fp8 or fp4 quantises its weight and its input as it runs; what
/// is saved for backward stays as it is. The largest layer counts.
void addQuantisedOperands(const Training &t, Ledger &ledger)
{
    const bool fp4 = t.s.linear == LinearFormat::NvFp4;
    if (!fp4 && t.s.linear != LinearFormat::Fp8)
        return;
    Exact largest;
    const auto consider = [&](const std::vector<Matrix> &matrices) {
        for (const Matrix &matrix : matrices) {
            const Matrix held = heldBy(t.s, matrix);
            largest = std::max(largest, Exact(held.in) * held.out + t.tokens * held.in);
        }
    };
    consider(t.rank.denseMatrices);
    consider(t.rank.moeMatrices);
    const std::int64_t sixteenths = fp4 ? 9 : 16; // of a byte: 4 bits and an fp8 scale a 16
    ledger.add(Entry{Category::TemporaryBuffers,
                     "Quantised operands of a linear layer",
                     dividedUp(Exact(sixteenths) * largest, 16),
                     {StepPhase::Forward, StepPhase::Backward},
                     {StepPhase::Forward, StepPhase::Backward},
                     {"Weight and input of the largest layer in its compute format; derived from "
                      "tensor shapes",
                      Evidence::Derived, 0.5},
                     1,
                     BlockProfile::running(t.rank.allBlocks())},
               {"{} / 16 · max(in · out + T · in) = ⌈{} × {} / 16⌉",
                {sixteenths, sixteenths, largest.value()}});
}

} // namespace

void addWeightCopies(const Training &t, Ledger &ledger)
{
    addCastCache(t, ledger);
    addDequantised(t, ledger);
    addQuantisedOperands(t, ledger);
}

} // namespace vramscope
