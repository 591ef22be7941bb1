// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/formulas/block_activations.h"
#include "core/estimate/formulas/block_words.h"
#include "core/estimate/formulas/training.h"

#include <algorithm>
#include <array>

namespace vramscope {

namespace {

/// Weights that autocast casts in one block: those of matrix products except grouped ones over
/// experts (torch._grouped_mm is on no list of autocast's).
std::int64_t productWeights(const Settings &s, const std::vector<Matrix> &matrices)
{
    std::int64_t sum = 0;
    for (const Matrix &matrix : matrices)
        if (s.expertKernels == ExpertKernels::Loop || matrix.module != "expert")
            sum += matrix.elements();
    return sum;
}

/// Weights of the matrices of an index.
std::int64_t indexWeights(const Architecture &a)
{
    return a.indexParameters() - (a.indexHeads > 0 ? 2 * a.indexHeadDim : 0);
}

/// Weights that are cast by the worst moment of a recomputed block: all, or where its index is the
/// worst, the weights before attention's output.
std::int64_t castByThen(const Training &t, const RankGroup &group)
{
    const Settings &s = t.s;
    if (s.architecture.indexHeads == 0 || blockMemory(t, group.kind).backward != Highest::Index)
        return productWeights(s, group.matrices);
    std::int64_t sum = indexWeights(s.architecture);
    for (const Matrix &matrix : group.matrices)
        if (matrix.module == "attention" && matrix.target != "o")
            sum += matrix.elements();
    return sum;
}

constexpr Origin kCastCache = {
    "torch.autocast keeps a 16-bit copy of each weight; pytorch/pytorch#48049", Evidence::Sourced};

void addHeadCopy(const Training &t, Ledger &ledger)
{
    const Exact head = Exact(t.s.architecture.vocab) * t.s.architecture.hidden;
    if (t.rank.hasHead)
        ledger.add(Category::TemporaryBuffers, "Autocast copy of the head",
                   {"2 V h / t", {2, over(head, t.s.tensor)}}, {StepPhase::Logits, StepPhase::Loss},
                   kCastCache);
}

/// fp32 adapters of a quantised base are cast as weights are; a checkpointed block casts its own
/// again. Measured: tests/measure, "qlora"; adapters of a base in fp32 agree without it.
void addAdapterCopies(const Training &t, Ledger &ledger)
{
    const Settings &s = t.s;
    if (!t.lora() || !t.autocast() || s.adapters.weightBytes != 4 ||
        s.adapters.baseQuantization == BaseQuantization::None ||
        s.checkpointing != Checkpointing::None)
        return;
    const std::int64_t count = t.trained.total();
    ledger.add(Category::TemporaryBuffers, "Autocast copies of the adapters", {"2 N", {2, count}},
               kWhileSaved, kCastCache);
}

/// Copies for the index, which autograd does not save, go when the forward pass ends.
void addIndexCopies(const Training &t, Ledger &ledger)
{
    const std::int64_t weights = indexWeights(t.s.architecture);
    const BlockRange range = t.rank.allBlocks();
    const PhaseSet when = {StepPhase::Forward, StepPhase::Logits};
    ledger.add(Category::TemporaryBuffers, "Autocast copies of the index",
               {"2 L N_index", {2, range.blocks, weights}}, when, kCastCache, 1,
               Course::saved(range, Exact(2) * weights));
}

/// Autocast casts every fp32 weight of a matrix product and keeps the copy until its context ends
/// (for frozen weights: until their block has run backward). A checkpointed block casts again.
/// FSDP1 gives it views, which it does not keep (cached_cast of ATen/autocast_mode.cpp).
void addCastCache(const Training &t, Ledger &ledger)
{
    const Settings &s = t.s;
    const RankInventory &rank = t.rank;
    addAdapterCopies(t, ledger);
    if (!castsWeights(s)) {
        if (s.adapters.upcastUnquantized && isAutocast(s.regime)) // the head is in fp32
            addHeadCopy(t, ledger);
        return;
    }
    const Origin &origin = kCastCache;
    const bool recomputes = s.checkpointing == Checkpointing::Full ||
                            s.checkpointing == Checkpointing::EveryK ||
                            s.checkpointing == Checkpointing::Block;
    if (!recomputes || !t.lora()) {
        // The cache ends with the forward pass; copies that autograd saved stay for backward.
        const PhaseSet when =
            recomputes ? PhaseSet{StepPhase::Forward, StepPhase::Logits} : kWhileSaved;
        const bool views = recomputes && s.strategy == Strategy::Fsdp1;
        for (const RankGroup &group : rank.groups) {
            const std::int64_t weights = views ? 0 : productWeights(s, group.matrices);
            const Exact each = Exact(2) * dividedUp(Exact(weights), s.tensor);
            ledger.add(Category::TemporaryBuffers, blockWords(group.kind).copies,
                       {"2 L N_matmul / t", {2, group.count, over(weights, s.tensor)}}, when,
                       origin, 1, Course::saved(group.range, each));
        }
        addIndexCopies(t, ledger);
        addHeadCopy(t, ledger);
    }
    if (!recomputes)
        return;
    const std::int64_t blocks =
        s.checkpointing == Checkpointing::EveryK ? std::min(s.every, rank.layers()) : 1;
    std::int64_t one = 0;
    for (const RankGroup &group : rank.groups)
        one = std::max(one, castByThen(t, group));
    const Exact each = Exact(2) * dividedUp(Exact(one), s.tensor);
    ledger.add(Category::TemporaryBuffers, "Autocast copies of the recomputed blocks",
               {"{} · {} blocks", {2, blocks, over(one, s.tensor)}}, {StepPhase::Backward}, origin,
               1, Course::recomputed(rank.allBlocks(), each, blocks));
}

/// bitsandbytes restores a quantised matrix to 16 bit for each product.
void addDequantised(const Training &t, Ledger &ledger)
{
    const BaseQuantization q = t.s.adapters.baseQuantization;
    if (q != BaseQuantization::Nf4 && q != BaseQuantization::Nf4Double &&
        q != BaseQuantization::Int8)
        return;
    const std::int64_t largest = quantisedBase(t).largest;
    ledger.add(
        Category::TemporaryBuffers, "Dequantised matrix", {"2 n_max", {2, largest}},
        {StepPhase::Forward, StepPhase::Backward},
        {"The largest quantised matrix in 16 bit; derived from tensor shapes", Evidence::Derived});
}

/// Matrices that read one tensor.
constexpr std::array<std::array<std::string_view, 3>, 4> kReaders = {
    {{"q", "k", "v"}, {"o"}, {"gate", "up"}, {"down"}}};

/// Elements a token in inputs of a block's int8 products that are not kept otherwise.
Exact int8InputWidth(const Training &t, const RankGroup &group)
{
    const Settings &s = t.s;
    const bool saves = s.checkpointing == Checkpointing::None;
    const bool sixteen = t.autocast() || s.adapters.weightBytes == s.computeBytes;
    const bool adaptersShare = saves && sixteen && t.residual == s.computeBytes;
    Exact width;
    for (const auto &readers : kReaders) {
        const auto reads = [&readers](const Matrix &matrix) {
            return matrix.module != "expert" &&
                   std::ranges::find(readers, matrix.target) != readers.end();
        };
        const auto shares = [&](const Matrix &matrix) {
            return reads(matrix) && adaptersShare && adapted(s, matrix);
        };
        const auto first = std::ranges::find_if(group.matrices, reads);
        if (first == group.matrices.end() || (saves && first->target == "o") ||
            std::ranges::any_of(group.matrices, shares))
            continue;
        width += first->in;
    }
    return width;
}

/// LLM.int8 keeps the inputs of its products where checkpointing does not drop them: in ctx.tensors
/// instead of saved tensors.
void addInt8Inputs(const Training &t, Ledger &ledger)
{
    if (t.s.adapters.baseQuantization != BaseQuantization::Int8 || !t.lora())
        return;
    const auto dense = std::ranges::find_if(t.rank.groups, [](const RankGroup &group) {
        return group.kind.feedForward == FeedForward::Dense;
    });
    if (dense == t.rank.groups.end())
        return;
    const BlockRange &range = dense->range;
    const Exact width = int8InputWidth(t, *dense);
    const std::int64_t w = t.s.computeBytes;
    const Exact each = Exact(w) * width * t.tokens;
    ledger.add(Category::Activations, "Inputs of int8 products",
               {"{} L width T", {w, range.blocks, width, t.tokens}}, kWhileSaved,
               {"bitsandbytes autograd/_functions.py, MatMul8bitLt: ctx.tensors; measured: "
                "tests/measure",
                Evidence::Verified},
               1, Course::saved(range, each));
}

/// Bytes of NVFP4's 16 codes: half a byte each, and a scale in fp8 for all (torchao 0.18).
constexpr std::int64_t kSixteenCodes = 9;

/// The products of a block that compute in NVFP4: all but routers and experts.
bool isCoded(const Matrix &matrix)
{
    return matrix.module != "expert" && matrix.module != "router";
}

/// An NVFP4 layer saves codes of its input's columns and of its weight, for each product of its
/// own, where a product in 16 bit saves the tensors. torchao 0.18
/// prototype/moe_training/nvfp4_training/nvfp4_linear.py, save_for_backward.
void addSavedCodes(const Training &t, Ledger &ledger)
{
    if (!savesCodes(t))
        return;
    const bool whole = t.s.checkpointing == Checkpointing::None;
    for (const RankGroup &group : t.rank.groups) {
        Exact inputs;
        Exact weights;
        for (const Matrix &matrix : group.matrices) {
            if (!isCoded(matrix))
                continue;
            const Matrix held = heldBy(t.s, matrix);
            inputs += held.in;
            weights += Exact(held.in) * held.out;
        }
        const auto add = [&](Category category, std::string_view name, Exact each,
                             const FormulaText &formula) {
            ledger.add(category, name, each * (whole ? group.range.blocks : 1),
                       whole ? kWhileSaved : PhaseSet{StepPhase::Backward},
                       {"Codes and scales that torchao's nvfp4_mm_triton saves for backward; "
                        "torchao 0.18, prototype/moe_training/nvfp4_training/nvfp4_linear.py",
                        Evidence::Sourced},
                       formula, 1,
                       whole ? Course::saved(group.range, each) : Course::running(group.range));
        };
        const std::int64_t blocks = whole ? group.range.blocks : 1;
        add(Category::Activations, blockWords(group.kind).inputCodes,
            dividedUp(Exact(kSixteenCodes) * inputs, 16) * t.tokens,
            {"9 / 16 L Σ in T = {} × ⌈{} × {} / 16⌉ × {}",
             {blocks, kSixteenCodes, inputs.value(), t.tokens.value()}});
        add(Category::TemporaryBuffers, blockWords(group.kind).weightCodes,
            dividedUp(Exact(kSixteenCodes) * weights, 16),
            {"9 / 16 L Σ in · out = {} × ⌈{} × {} / 16⌉",
             {blocks, kSixteenCodes, weights.value()}});
    }
}

/// A linear layer that computes in fp8 or fp4 quantises its weight and its input as it runs, in fp8
/// without a change of what is saved (torchao float8/float8_linear.py,
/// moe_training/mxfp8_linear.py: save_for_backward of both in 16 bit). The largest layer counts.
void addQuantisedOperands(const Training &t, Ledger &ledger)
{
    const bool fp4 = t.s.linear == LinearFormat::NvFp4;
    if (!fp4 && t.s.linear != LinearFormat::Fp8 && t.s.linear != LinearFormat::MxFp8)
        return;
    Exact largest;
    const auto consider = [&](const std::vector<Matrix> &matrices) {
        for (const Matrix &matrix : matrices) {
            const Matrix held = heldBy(t.s, matrix);
            largest = std::max(largest, Exact(held.in) * held.out + t.tokens * held.in);
        }
    };
    for (const RankGroup &group : t.rank.groups)
        consider(group.matrices);
    // 32 elements of mxfp8 have a scale of one byte.
    const std::int64_t bytes = fp4                                 ? 2 * kSixteenCodes
                               : t.s.linear == LinearFormat::MxFp8 ? 33
                                                                   : 32;
    ledger.add(
        Category::TemporaryBuffers, "Quantised operands of a linear layer",
        dividedUp(Exact(bytes) * largest, 32), {StepPhase::Forward, StepPhase::Backward},
        {"Weight and input of the largest layer in its compute format; derived from "
         "tensor shapes",
         Evidence::Derived, 0.5},
        {"{} / 32 · max(in · out + T · in) = ⌈{} × {} / 32⌉", {bytes, bytes, largest.value()}}, 1,
        Course::running(t.rank.allBlocks()));
}

} // namespace

bool savesCodes(const Training &t)
{
    return t.s.linear == LinearFormat::NvFp4 && !hasMegatronLayers(t.s) && !t.lora() &&
           t.s.kernels != Kernels::Textbook && t.s.computeBytes == 2;
}

void addWeightCopies(const Training &t, Ledger &ledger)
{
    addWeightNorms(t, ledger);
    addCastCache(t, ledger);
    addDequantised(t, ledger);
    addInt8Inputs(t, ledger);
    addSavedCodes(t, ledger);
    addQuantisedOperands(t, ledger);
}

} // namespace vramscope
