// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/formulas/serving.h"

namespace vramscope {

namespace {

/// Elements of one adapter of rank 1 for the matrices of a block. vLLM divides the second factor of
/// matrices that are cut by columns and the first of those cut by rows, and keeps the other one
/// whole on every rank (vllm/lora/layers, without --fully-sharded-loras).
std::int64_t elementsOfRankOne(const Settings &s, const BlockKind &kind)
{
    const Architecture &a = s.architecture;
    const auto part = [&s](std::int64_t width) {
        return dividedUp(Exact(width), s.tensor).value();
    };
    std::int64_t sum = 0;
    if (kind.attends() && !a.mla()) {
        const AttentionShape shape = a.attentionOf(kind);
        const std::int64_t heads = heldHeads(s, shape);
        const std::int64_t queries = a.heads * shape.headDim;
        sum += 3 * a.hidden + part(queries) + part(heads * (shape.headDim + shape.valueDim()));
        sum += part(a.heads * shape.valueDim()) + a.hidden;
    }
    if (kind.feedForward == FeedForward::Dense) {
        const std::int64_t into = a.gatedMlp ? 2 : 1;
        sum += into * (a.hidden + part(a.ffn)) + part(a.ffn) + a.hidden;
    }
    return sum;
}

} // namespace

Exact addAdapterSlots(const Serving &serving, Ledger &ledger)
{
    const Settings &s = serving.s;
    if (s.engine != Engine::Vllm || s.maxLoras == 0)
        return 0;
    Exact elements;
    for (std::int64_t i = 0; i < serving.rank.layers(); ++i)
        elements += elementsOfRankOne(s, s.architecture.kindOf(serving.rank.firstLayer + i));
    const Exact bytes = Exact(2) * s.maxLoras * s.maxLoraRank * elements;
    ledger.add(
        Category::Parameters, "Adapter slots",
        {"2 slots · rank · Σ (in + out)", {2, s.maxLoras, s.maxLoraRank, elements}}, throughout(s),
        {"Every slot has room for an adapter of the largest rank at each matrix of attention "
         "and dense feed-forward, from loading on; vllm/lora/layers",
         Evidence::Sourced});
    return bytes;
}

} // namespace vramscope
