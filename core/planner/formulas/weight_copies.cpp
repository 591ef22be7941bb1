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
    const Rank &rank = t.rank;
    const std::int64_t dense = productWeights(rank.denseMatrices);
    const std::int64_t moe = productWeights(rank.moeMatrices);
    const Exact head = rank.hasHead ? Exact(s.architecture.vocab) * s.architecture.hidden : 0;
    const Exact all = Exact(rank.denseBlocks) * dense + Exact(rank.moeBlocks) * moe + head;
    const Exact count = dividedUp(all, s.tensor);
    const Origin origin = {
        "torch.autocast keeps a 16-bit copy of each weight; pytorch/pytorch#48049",
        Evidence::Sourced};
    const bool recomputes = s.checkpointing == Checkpointing::Full ||
                            s.checkpointing == Checkpointing::EveryK ||
                            s.checkpointing == Checkpointing::Block;
    const MomentSet forward = {At::Forward, At::Loss};
    if (!recomputes || !t.lora())
        ledger.add(Category::TemporaryBuffers, "Autocast weight copies", Exact(2) * count,
                   recomputes ? forward : forward | MomentSet{At::FirstBackward}, origin,
                   {"2 N_matmul / t = 2 × ⌈{} / {}⌉", {all.value(), s.tensor}});
    if (!recomputes)
        return;
    const std::int64_t blocks =
        s.checkpointing == Checkpointing::EveryK ? std::min(s.every, rank.layers()) : 1;
    const std::int64_t one = std::max(dense, moe);
    ledger.add(Category::TemporaryBuffers, "Autocast copies of the recomputed blocks",
               Exact(2) * blocks * dividedUp(Exact(one), s.tensor),
               MomentSet{At::FirstBackward, At::LastBackward}, origin,
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
        {At::Forward, At::FirstBackward, At::LastBackward},
        {"The largest quantised matrix in 16 bit; derived from tensor shapes", Evidence::Derived},
        {"2 n_max = 2 × {}", {largest}});
}

} // namespace

void addWeightCopies(const Training &t, Ledger &ledger)
{
    addCastCache(t, ledger);
    addDequantised(t, ledger);
}

} // namespace vramscope
