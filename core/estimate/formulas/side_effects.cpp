// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/formulas/side_effects.h"

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
    double products = 0;  ///< of weights in the blocks
    double attention = 0; ///< scores, and their products with the values
    double head = 0;
    [[nodiscard]] double blocks() const { return products + attention; }
};

/// Keys that a query sees on average under a causal mask, in a layer with or without a window.
double averageKeys(double sequence, double window)
{
    return window > 0 && window < sequence ? window * (1 - window / (2 * sequence)) : sequence / 2;
}

Forward forwardOf(const Settings &s, const ParameterCounts &counts)
{
    const Architecture &a = s.architecture;
    const double chosen = a.moe() ? real(a.expertsPerToken) / real(a.experts) : 0;
    Forward forward;
    for (const BlockGroup &group : counts.groups) {
        const BlockParameters &each = group.each;
        const std::int64_t always =
            each.attention + each.stateMixer + each.denseFfn + each.router + each.sharedExperts;
        forward.products += 2 * real(group.count) * (real(always) + real(each.experts) * chosen);
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

/// FLOPs per token that the checkpointing policy spends twice.
double recomputed(const Settings &s, const Forward &forward)
{
    switch (s.checkpointing) {
    case Checkpointing::None:
        return 0;
    case Checkpointing::Full:
    case Checkpointing::EveryK: // keeps fewer inputs, but every block still runs again
        return forward.blocks();
    case Checkpointing::Block: {
        const double perStage = real(s.architecture.layers) / real(s.pipeline);
        return forward.blocks() * std::min(real(s.checkpointedBlocks) / perStage, 1.0);
    }
    case Checkpointing::SelectiveAttention:
        return forward.attention;
    case Checkpointing::SelectiveOp: // every second product is kept
        return forward.products / 2;
    case Checkpointing::KeepMatmuls: // the policy does not know fused attention as a product
        return isFused(s.attention) ? forward.attention : 0;
    }
    return 0;
}

} // namespace

TokenArithmetic tokenArithmetic(const Settings &s, const ParameterCounts &counts)
{
    const Forward forward = forwardOf(s, counts);
    const double once = forward.blocks() + forward.head;
    const double backward = s.adapters.kind == AdapterKind::Lora ? 1 : 2;
    return {once, (1 + backward) * once, recomputed(s, forward)};
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
