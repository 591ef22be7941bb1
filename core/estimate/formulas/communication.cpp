// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/formulas/training.h"

#include <cmath>

namespace vramscope {

namespace {

/// Bytes that a ring collective moves per GPU: bytes · (n - 1) / n.
Exact ring(Exact bytes, std::int64_t ranks)
{
    return dividedUp(bytes * (ranks - 1), ranks);
}

/// Reductions and gathers of the data-parallel group: of units of FSDP, layers of ZeRO-3, buckets
/// of DDP, buffers of the others.
void addDataParallel(const Training &t, Communication &sent)
{
    const Settings &s = t.s;
    const std::int64_t replicas = s.data * s.context;
    if (replicas == 1 || s.strategy == Strategy::None)
        return;
    constexpr double kBucket = 25.0 * (1 << 20); // bytes, of DDP by default
    constexpr double kBuffer = 5e8;              // elements, as DeepSpeed's reduce_bucket_size
    const Exact trained = t.trained.total();
    const Exact weights = Exact(t.gathered) * t.rank.parameters();
    const Exact gradients = Exact(t.fsdp() ? s.reduceBytes : t.trainedGradient) * trained;
    const std::int64_t steps = s.accumulationSteps;
    const std::int64_t reductions = s.noSync ? 1 : steps;
    const auto units = static_cast<double>(t.rank.layers() + 1);
    const double buffers = std::ceil(static_cast<double>(trained.value()) / kBuffer);
    const bool wholeFsdp = t.fsdp() && s.sharding == Sharding::NoShard;
    switch (s.strategy) {
    case Strategy::None:
        return;
    case Strategy::Ddp:
        sent.shards.add(ring(Exact(2 * reductions) * gradients, replicas),
                        2 * static_cast<double>(reductions) *
                            std::ceil(static_cast<double>(gradients.value()) / kBucket));
        return;
    case Strategy::Megatron:
        sent.shards.add(ring(Exact(2) * gradients, replicas), 2 * buffers);
        return;
    case Strategy::Zero1:
    case Strategy::MegatronDistributedOptimizer:
    case Strategy::Zero2:
        sent.shards.add(ring(gradients + Exact(t.trainedWeight) * trained, replicas), 2 * buffers);
        return;
    case Strategy::Zero3:
    case Strategy::Fsdp1:
    case Strategy::Fsdp2:
        break;
    }
    if (wholeFsdp) {
        sent.shards.add(ring(Exact(2 * reductions) * gradients, replicas),
                        2 * static_cast<double>(reductions) * units);
        return;
    }
    const bool keepsWeights = t.fsdp() && s.sharding == Sharding::ShardGradOp;
    const std::int64_t gathers = keepsWeights ? steps : 2 * steps;
    const std::int64_t d = t.fsdp() ? t.dense.weights : replicas;
    sent.shards.add(ring(Exact(gathers) * weights + Exact(reductions) * gradients, d),
                    (static_cast<double>(gathers) + static_cast<double>(reductions)) * units);
    if (d < replicas) // hybrid: the shards are reduced between the groups
        sent.replicas.add(ring(Exact(2 * reductions) * dividedUp(gradients, d), replicas / d),
                          2 * static_cast<double>(reductions) * units);
}

/// Traffic of one block for a sequence that GPUs share: keys and values to each of the others, or
/// by Ulysses heads for tokens of queries, keys, values and outputs, and of their gradients.
Exact contextBytes(const Training &t)
{
    const Settings &s = t.s;
    const std::int64_t w = s.computeBytes;
    const std::int64_t keys = keyValueWidth(s);
    if (s.contextExchange == ContextExchange::Ulysses)
        return ring(Exact(2 * w) * (2 * queryWidth(s) + 2 * keys) * t.tokens, s.context);
    return Exact(2 * w * (s.context - 1)) * keys * t.tokens;
}

/// Traffic of tensor, pipeline, context and expert parallelism for the activations of a step.
void addActivations(const Training &t, Communication &sent)
{
    const Settings &s = t.s;
    const Architecture &a = s.architecture;
    const std::int64_t steps = s.accumulationSteps;
    const Exact hidden = Exact(s.computeBytes) * a.hidden * t.tokens;
    const std::int64_t blocks = t.rank.layers();
    const auto passes = [&](Exact each) {
        return static_cast<double>(each.value()) * static_cast<double>(steps);
    };
    const bool again = s.checkpointing == Checkpointing::Full ||
                       s.checkpointing == Checkpointing::EveryK ||
                       s.checkpointing == Checkpointing::Block; // blocks are computed twice
    if (s.tensor > 1) // all-reduces after attention and MLP, forward and backward
        sent.blocks.add(ring(Exact(again ? 12 : 8) * hidden * blocks, s.tensor) * steps,
                        passes(Exact(again ? 12 : 8) * blocks));
    if (s.context > 1)
        sent.blocks.add(
            contextBytes(t) * blocks * steps,
            passes(Exact(s.contextExchange == ContextExchange::Ulysses ? 8 : 2 * (s.context - 1)) *
                   blocks));
    if (s.expert > 1)
        sent.experts.add(Exact(4 * a.expertsPerToken) * hidden * t.rank.expertBlocks() * steps,
                         passes(Exact(4) * t.rank.expertBlocks()));
    if (s.pipeline > 1) { // an activation forward and its gradient back over each boundary
        const bool end = t.rank.stage == 0 || t.rank.stage == s.pipeline - 1;
        sent.blocks.add(Exact(end ? 1 : 2) * s.virtualStages * hidden * steps,
                        passes(Exact(2) * s.virtualStages));
    }
}

} // namespace

Communication communicationOf(const Training &t)
{
    Communication sent;
    addDataParallel(t, sent);
    addActivations(t, sent);
    return sent;
}

} // namespace vramscope
