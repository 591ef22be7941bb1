// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/formulas/side_effects.h"

#include "core/catalog/empirical.h"
#include "core/plan/choices.h"
#include "core/settings/settings.h"

#include <algorithm>

namespace vramscope {

namespace {

double real(std::int64_t count)
{
    return static_cast<double>(count);
}

/// FLOPs of a forward pass per token.
struct Forward
{
    double products = 0;  ///< of weights in the blocks, without routed experts
    double experts = 0;   ///< of those
    double attention = 0; ///< scores, and their products with the values
    double head = 0;
    [[nodiscard]] double blocks() const { return products + experts + attention; }
};

/// Keys that a query sees on average under a causal mask, in a layer with or without a window.
double averageKeys(double sequence, double window)
{
    return window > 0 && window < sequence ? window * (1 - window / (2 * sequence)) : sequence / 2;
}

/// Tokens that a block works on for each token of the sequence: those of the source in an
/// encoder's.
double tokensOf(const Settings &s, const BlockKind &kind)
{
    return kind.encodes() ? real(s.sourceLength) / real(s.sequenceLength) : 1;
}

/// The same of a model that reads a source, for each token that it writes. An encoder's token sees
/// all others; keys and values of cross-attention, a quarter of a decoder's attention, are made of
/// the source's tokens.
Forward forwardOfSource(const Settings &s, const ParameterCounts &counts)
{
    const Architecture &a = s.architecture;
    const double source = real(s.sourceLength);
    Forward forward;
    for (const BlockGroup &group : counts.groups) {
        const double tokens = tokensOf(s, group.kind);
        const bool crosses = group.kind.crosses();
        const double made = crosses ? real(group.each.attention) / 4 : 0;
        const double products = tokens * real(group.each.attention + group.each.denseFfn) +
                                made * (source / real(s.sequenceLength) - 1);
        const double keys =
            crosses ? averageKeys(real(s.sequenceLength), 0) + source : tokens * source;
        forward.products += 2 * real(group.count) * products;
        forward.attention += 4 * real(group.count) * real(a.heads * a.headDim) * keys;
    }
    forward.head = 2 * real(a.vocab) * real(a.hidden);
    return forward;
}

Forward forwardOf(const Settings &s, const ParameterCounts &counts)
{
    const Architecture &a = s.architecture;
    if (a.readsSource())
        return forwardOfSource(s, counts);
    const double chosen = a.moe() ? real(a.expertsPerToken) / real(a.experts) : 0;
    Forward forward;
    for (const BlockGroup &group : counts.groups) {
        const BlockParameters &each = group.each;
        const std::int64_t always =
            each.attention + each.stateMixer + each.denseFfn + each.router + each.sharedExperts;
        forward.products += 2 * real(group.count) * real(always);
        forward.experts += 2 * real(group.count) * real(each.experts) * chosen;
    }
    forward.head = 2 * real(a.vocab) * real(a.hidden);

    const double sliding = a.slidingWindow == 0 ? 0
                           : a.slidingLayers.empty()
                               ? real(a.layers)
                               : real(std::ranges::count(a.slidingLayers, true));
    std::int64_t attending = 0; // the recurrence of a state takes little compared with its products
    for (const BlockGroup &group : counts.groups)
        attending += group.kind.attends() ? group.count : 0;
    const double sequence = real(s.sequenceLength);
    const double keys = (real(attending) - sliding) * averageKeys(sequence, 0) +
                        sliding * averageKeys(sequence, real(a.slidingWindow));
    const double width =
        a.mla() ? real(a.qkNopeHeadDim + a.qkRopeHeadDim + a.vHeadDim) : 2 * real(a.headDim);
    forward.attention = 2 * real(a.heads) * width * keys;
    return forward;
}

/// How often the checkpointing policy repeats the forward pass of each kind.
struct Repeated
{
    double products = 0; ///< of weights, those of experts too
    double attention = 0;
    [[nodiscard]] double of(const Forward &forward) const
    {
        return products * (forward.products + forward.experts) + attention * forward.attention;
    }
};

Repeated repeatedBy(const Settings &s)
{
    switch (s.checkpointing) {
    case Checkpointing::None:
        return {};
    case Checkpointing::Full:
    case Checkpointing::EveryK: // keeps fewer inputs, but every block still runs again
        return {1, 1};
    case Checkpointing::Block: {
        const double perStage = real(s.architecture.layers) / real(s.pipeline);
        const double share = std::min(real(s.checkpointedBlocks) / perStage, 1.0);
        return {share, share};
    }
    case Checkpointing::SelectiveAttention:
        return {0, 1};
    case Checkpointing::SelectiveOp: // every second product is kept
        return {0.5, 0};
    case Checkpointing::KeepMatmuls: // the policy does not know fused attention as a product
        return {0, isFused(s.attention) ? 1.0 : 0.0};
    }
    return {};
}

/// Bytes that the kernels between the products of a token read and write in a step, forward and
/// backward, in a block for each element of its input and half of its inner layer, and for each
/// entry of the vocabulary.
double elementBytes(const Settings &s, double repeated)
{
    const Architecture &a = s.architecture;
    const bool eager = s.kernels == Kernels::Eager || s.kernels == Kernels::Textbook;
    const double each = empirical(eager ? Measured::KernelsEager : Measured::KernelsFused).value;
    const std::int64_t inner = a.moe() ? a.expertsPerToken * a.expertFfn + a.sharedFfn : a.ffn;
    constexpr double kForward = 0.2; // of both passes, if checkpointing repeats the forward pass
    double blocks = a.isPlain() ? real(a.layers) : 0;
    for (const BlockKind &kind : a.blocks)
        blocks += tokensOf(s, kind);
    return blocks * each * (real(a.hidden) + real(inner) / 2) * (1 - kForward * (1 - repeated)) +
           empirical(Measured::KernelsLogits).value * real(a.vocab);
}

} // namespace

TokenArithmetic tokenArithmetic(const Settings &s, const ParameterCounts &counts)
{
    const Forward forward = forwardOf(s, counts);
    const double once = forward.blocks() + forward.head;
    const double backward = s.adapters.kind == AdapterKind::Lora ? 1 : 2;
    return {once, (1 + backward) * once, repeatedBy(s).of(forward)};
}

StepArithmetic stepArithmetic(const Settings &s, const ParameterCounts &counts)
{
    const Forward forward = forwardOf(s, counts);
    const Repeated repeated = repeatedBy(s);
    // Frozen weights have no gradient of their own, but queries, keys and values have one in any
    // case, for which fused kernels compute the scores again (Dao 2023, arXiv 2307.08691).
    const double passes = s.adapters.kind == AdapterKind::Lora ? 2 : 3;
    const double attention = isFused(s.attention) ? 3.5 : 3;
    StepArithmetic step;
    step.products = (passes + repeated.products) * forward.products;
    step.experts = (passes + repeated.products) * forward.experts;
    step.attention = (attention + repeated.attention) * forward.attention;
    step.head = passes * forward.head;
    step.elementBytes = elementBytes(s, repeated.products);
    step.weightPasses = 2 + repeated.products;
    return step;
}

SideEffects sideEffects(const Settings &s, const ParameterCounts &counts)
{
    if (s.workload != Workload::Training)
        return {};
    const auto [forward, once, again] = tokenArithmetic(s, counts);
    // Zero bubble fills two of three idle slots with weight gradients (ZB-H1).
    const double waiting = real(s.pipeline - 1) / (s.schedule == Schedule::ZeroBubble ? 3 : 1);
    const double working = real(s.pipeline > 1 ? s.virtualStages : 1) * real(s.accumulationSteps);
    return {once > 0 ? again / (once + again) : 0, waiting / (working + waiting)};
}

} // namespace vramscope
