// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/planner/formulas/training.h"

#include <cmath>

namespace vramscope {

namespace {

/// What a ring collective moves per GPU: bytes · (n - 1) / n.
Exact ring(Exact bytes, std::int64_t ranks)
{
    return dividedUp(bytes * (ranks - 1), ranks);
}

/// Reductions and gathers of the data-parallel group.
Exact dataParallelBytes(const Training &t)
{
    const Settings &s = t.s;
    const std::int64_t replicas = s.data * s.context;
    if (replicas == 1)
        return 0;
    const Exact trained = t.trained.total();
    const Exact weights = Exact(t.gathered) * t.rank.parameters();
    const Exact gradients = Exact(t.fsdp() ? s.reduceBytes : t.trainedGradient) * trained;
    const std::int64_t steps = s.accumulationSteps;
    const std::int64_t reductions = s.noSync ? 1 : steps;
    const std::int64_t d = t.dense.weights;
    switch (s.strategy) {
    case Strategy::None:
        return 0;
    case Strategy::Ddp:
        return ring(Exact(2 * reductions) * gradients, replicas);
    case Strategy::Megatron:
        return ring(Exact(2) * gradients, replicas);
    case Strategy::Zero1:
    case Strategy::MegatronDistributedOptimizer:
    case Strategy::Zero2:
        return ring(gradients + Exact(t.trainedWeight) * trained, replicas);
    case Strategy::Zero3:
        return ring(Exact(2 * steps) * weights + Exact(reductions) * gradients, replicas);
    case Strategy::Fsdp1:
    case Strategy::Fsdp2:
        break;
    }
    if (s.sharding == Sharding::NoShard)
        return ring(Exact(2 * reductions) * gradients, replicas);
    const std::int64_t gathers = s.sharding == Sharding::ShardGradOp ? 1 : 2;
    Exact bytes = ring(Exact(gathers * steps) * weights + Exact(reductions) * gradients, d);
    if (d < replicas) // hybrid: the shards are reduced between the groups
        bytes += ring(Exact(2 * reductions) * dividedUp(gradients, d), replicas / d);
    return bytes;
}

/// The collectives that these take: one for each unit of FSDP or layer of ZeRO-3, for each bucket
/// of DDP, for each buffer of the others.
double dataParallelCalls(const Training &t)
{
    const Settings &s = t.s;
    if (s.data * s.context == 1 || s.strategy == Strategy::None)
        return 0;
    constexpr double kBucket = 25.0 * (1 << 20); // of DDP by default
    constexpr double kBuffer = 5e8;              // elements, as DeepSpeed's reduce_bucket_size
    const auto steps = static_cast<double>(s.accumulationSteps);
    const double reductions = s.noSync ? 1 : steps;
    const auto trained = static_cast<double>(t.trained.total());
    const auto units = static_cast<double>(t.rank.layers() + 1);
    switch (s.strategy) {
    case Strategy::None:
        return 0;
    case Strategy::Ddp:
        return reductions *
               std::ceil(trained * static_cast<double>(t.trainedGradient) / kBucket);
    case Strategy::Megatron:
    case Strategy::MegatronDistributedOptimizer:
    case Strategy::Zero1:
    case Strategy::Zero2:
        return 2 * std::ceil(trained / kBuffer);
    case Strategy::Zero3:
    case Strategy::Fsdp1:
    case Strategy::Fsdp2:
        break;
    }
    if (s.strategy != Strategy::Zero3 && s.sharding == Sharding::NoShard)
        return reductions * units;
    const double gathers =
        s.strategy != Strategy::Zero3 && s.sharding == Sharding::ShardGradOp ? 1 : 2;
    return (gathers * steps + reductions) * units;
}

/// Whether blocks are computed a second time, with their communication.
bool recomputesBlocks(const Settings &s)
{
    return s.checkpointing == Checkpointing::Full || s.checkpointing == Checkpointing::EveryK ||
           s.checkpointing == Checkpointing::Block;
}

/// The collectives of tensor, context and expert parallelism, and messages between stages.
double activationCalls(const Training &t)
{
    const Settings &s = t.s;
    const auto blocks = static_cast<double>(t.rank.layers());
    double calls = 0;
    if (s.tensor > 1)
        calls += (recomputesBlocks(s) ? 6 : 4) * blocks;
    if (s.context > 1)
        calls += (s.contextExchange == ContextExchange::Ulysses
                      ? 8
                      : 2 * static_cast<double>(s.context - 1)) *
                 blocks;
    if (s.expert > 1)
        calls += 4 * static_cast<double>(t.rank.expertBlocks());
    if (s.pipeline > 1)
        calls += 2 * static_cast<double>(s.virtualStages);
    return calls * static_cast<double>(s.accumulationSteps);
}

/// What one block sends of a sequence that GPUs share: keys and values to each of the others, or by
/// Ulysses heads for tokens of queries, keys, values and outputs, and of their gradients.
Exact contextBytes(const Training &t)
{
    const Settings &s = t.s;
    const std::int64_t w = s.computeBytes;
    const std::int64_t keys = keyValueWidth(s);
    if (s.contextExchange == ContextExchange::Ulysses)
        return ring(Exact(2 * w) * (2 * queryWidth(s) + 2 * keys) * t.tokens, s.context);
    return Exact(2 * w * (s.context - 1)) * keys * t.tokens;
}

/// What tensor, pipeline, context and expert parallelism move for the activations of a step.
Exact activationBytes(const Training &t)
{
    const Settings &s = t.s;
    const Architecture &a = s.architecture;
    const Exact hidden = Exact(s.computeBytes) * a.hidden * t.tokens;
    const Exact blocks = t.rank.layers();
    Exact bytes;
    if (s.tensor > 1) // all-reduces after attention and MLP, forward and backward
        bytes += ring(Exact(recomputesBlocks(s) ? 12 : 8) * hidden * blocks, s.tensor);
    if (s.context > 1)
        bytes += contextBytes(t) * blocks;
    if (s.expert > 1)
        bytes += Exact(4 * a.expertsPerToken) * hidden * t.rank.expertBlocks();
    if (s.pipeline > 1) { // an activation forward and its gradient back over each boundary
        const bool end = t.rank.stage == 0 || t.rank.stage == s.pipeline - 1;
        bytes += Exact(end ? 1 : 2) * s.virtualStages * hidden;
    }
    return bytes * s.accumulationSteps;
}

} // namespace

Communication communicationOf(const Training &t)
{
    return {dataParallelBytes(t), activationBytes(t), dataParallelCalls(t), activationCalls(t)};
}

} // namespace vramscope
