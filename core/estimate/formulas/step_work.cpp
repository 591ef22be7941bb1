// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/formulas/step_work.h"

#include "core/catalog/empirical.h"
#include "core/estimate/formulas/kv_cache.h"
#include "core/estimate/formulas/offload.h"
#include "core/estimate/formulas/side_effects.h"

#include <cmath>

namespace vramscope {

namespace {

/// Inputs and outputs of the linear layers with adapters that a token passes: an adapter has its
/// rank of weights for each.
double adapterWidth(const Training &t)
{
    const Architecture &a = t.s.architecture;
    if (!t.lora() || t.s.adapters.rank <= 0)
        return 0;
    // A rank has one of `s.expert` parts of the experts, for the tokens of all.
    const double chosen = a.moe() ? static_cast<double>(a.expertsPerToken * t.s.expert) /
                                        static_cast<double>(a.experts)
                                  : 0;
    return (static_cast<double>(t.trained.dense) + chosen * static_cast<double>(t.trained.expert)) /
           static_cast<double>(t.s.adapters.rank);
}

/// Bytes of a pass over the weights in which a base in 4 bits is read and written in 16.
double widenedBytes(const Training &t)
{
    const BaseQuantization base = t.s.adapters.baseQuantization;
    const bool widens = base == BaseQuantization::Nf4 || base == BaseQuantization::Nf4Double ||
                        base == BaseQuantization::GptqInt4;
    constexpr double kReadAndWritten = 2.5; // half a byte and two
    return t.lora() && widens ? kReadAndWritten * static_cast<double>(t.rank.parameters()) : 0;
}

/// Bytes of this rank's share that an optimizer step reads and writes: gradients once, weights,
/// their fp32 copies and the moments twice.
Exact updatedBytes(const Training &t)
{
    if (t.s.optimizer.name == OptimizerName::None)
        return 0;
    const Exact count = sharded(t.trained, 1, t.dense.optimizer, t.expert.optimizer);
    const std::int64_t each = t.trainedGradient + 2 * (t.trainedWeight + t.s.masterWeightBytes);
    return Exact(each) * count +
           Exact::ceiling(2 * t.s.optimizer.stateBytes * static_cast<double>(momentsOf(t).value()));
}

} // namespace

std::optional<StepWork> trainingWork(const Settings &s, const ParameterCounts &counts)
{
    const RankInventory rank = rankOf(s, counts, 0);
    return rank.root() < 0 ? std::nullopt : std::optional(trainingWork(Training(s, rank), counts));
}

StepWork trainingWork(const Training &t, const ParameterCounts &counts)
{
    const Settings &s = t.s;
    const StepArithmetic token = stepArithmetic(s, counts);
    const Communication sent = communicationOf(t);
    const Offload offload = offloadOf(t);
    const auto sequences = static_cast<double>((Exact(s.microBatch) * s.accumulationSteps).value());
    const double tokens = sequences * static_cast<double>(s.sequenceLength); // of one replica
    const auto sharing = static_cast<double>((Exact(s.tensor) * s.pipeline * s.context).value());
    const double each = tokens / sharing;
    StepWork work;
    work.flops = (token.products + token.experts + token.attention + token.head) * each;
    work.attentionFlops = token.attention * each;
    work.expertFlops = token.experts * each;
    work.headFlops = token.head * each;
    work.elementBytes = token.elementBytes * each;
    work.adapterBytes = empirical(Measured::KernelsAdapters).value * adapterWidth(t) * tokens /
                        static_cast<double>(s.context);
    work.widenedBytes =
        token.weightPasses * widenedBytes(t) * static_cast<double>(s.accumulationSteps);
    const auto counted = [](const Communication::Part &part) {
        return Traffic{part.bytes.value(), part.passes};
    };
    work.shards = counted(sent.shards);
    work.replicas = counted(sent.replicas);
    work.blocks = counted(sent.blocks);
    work.experts = counted(sent.experts);
    work.hostLinkBytes = (offload.toHost + offload.toDevice).value();
    (t.statesOnHost() ? work.hostStateBytes : work.memoryBytes) = updatedBytes(t).value();
    work.tokens = tokens * static_cast<double>(s.data);
    work.bubbleShare = sideEffects(s, counts).bubbleShare;
    return work;
}

StepWork servingWork(const Settings &s, const ParameterCounts &counts, const RankInventory &rank,
                     const InferenceFigures &figures)
{
    if (s.architecture.encoder)
        return {}; // it decodes nothing
    const auto sequences = static_cast<double>(s.concurrentSequences);
    const Share share = rank.share();
    double read = static_cast<double>(figures.weights);
    if (share.expert > 0 && s.architecture.experts > 0) {
        const double experts = static_cast<double>(share.expert) /
                               static_cast<double>(std::max<std::int64_t>(share.total(), 1));
        const double missed = std::pow(1 - static_cast<double>(s.architecture.expertsPerToken) /
                                               static_cast<double>(s.architecture.experts),
                                       sequences);
        read *= 1 - experts * missed;
    }
    StepWork work;
    work.flops = tokenArithmetic(s, counts).forward * sequences /
                 static_cast<double>((Exact(s.tensor) * s.pipeline).value());
    work.memoryBytes = (Exact::ceiling(read) +
                        kvCacheOf(s, rank).bytes(s.concurrentSequences, s.meanSequenceLength))
                           .value();
    // Two sums of the hidden states over the tensor-parallel group in each block.
    if (s.tensor > 1)
        work.blocks = {
            (Exact(4) * 2 * s.architecture.hidden * s.concurrentSequences * rank.layers()).value(),
            4 * static_cast<double>(rank.layers())};
    work.tokens = sequences * static_cast<double>(s.data);
    // A token goes through the stages one after the other.
    work.bubbleShare = 1 - 1 / static_cast<double>(s.pipeline);
    return work;
}

} // namespace vramscope
