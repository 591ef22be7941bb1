// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/planner/field_rows.h"

#include <array>

namespace vramscope {

namespace {

using namespace rows;

constexpr Range kDegree = {1, 1e5};
constexpr Range kElements = {0, 1e12};
constexpr auto kParallel = &Plan::parallel;
constexpr auto kBucket = &PlanParallel::bucket;

constexpr std::array kParallelFields = {
    count<kParallel, &PlanParallel::data>(
        {"parallel.data", "Data parallel",
         "Groups of GPUs that each take their own part of the batch."},
        kDegree, resolved<&Settings::data>),
    count<kParallel, &PlanParallel::tensor>(
        {"parallel.tensor", "Tensor parallel", "GPUs that share each matrix of a layer."}, kDegree,
        resolved<&Settings::tensor>),
    count<kParallel, &PlanParallel::pipeline>(
        {"parallel.pipeline", "Pipeline parallel", "Stages that the layers are cut into."}, kDegree,
        resolved<&Settings::pipeline>),
    count<kParallel, &PlanParallel::virtualStages>(
        {"parallel.virtual_stages", "Virtual stages",
         "Chunks of layers that each pipeline stage interleaves."},
        kDegree, resolved<&Settings::virtualStages>),
    choice<kParallel, &PlanParallel::schedule>(
        {"parallel.schedule", "Pipeline schedule",
         "In which order a stage runs micro-batches; with virtual stages 1f1b is interleaved."},
        resolved<&Settings::schedule>),
    counts<kParallel, &PlanParallel::layersPerStage>(
        {"parallel.layers_per_stage", "Layers of each stage",
         "How many layers each pipeline stage holds, from the first; even if not set."},
        kDegree, resolved<&Settings::layersPerStage>),
    count<kParallel, &PlanParallel::context>(
        {"parallel.context", "Context parallel", "GPUs that share each sequence."}, kDegree,
        resolved<&Settings::context>),
    choice<kParallel, &PlanParallel::contextExchange>(
        {"parallel.context_exchange", "Context exchange",
         "How GPUs that share a sequence exchange keys and values: blocks around a ring, all of "
         "them gathered, or heads instead of tokens (Ulysses)."},
        resolved<&Settings::contextExchange>),
    count<kParallel, &PlanParallel::expert>(
        {"parallel.expert", "Expert parallel", "GPUs that the experts of a layer are spread over."},
        kDegree, resolved<&Settings::expert>),
    count<kParallel, &PlanParallel::expertTensor>({"parallel.expert_tensor",
                                                   "Expert tensor parallel",
                                                   "GPUs that share each expert's matrices."},
                                                  kDegree, resolved<&Settings::expertTensor>),
    toggle<kParallel, &PlanParallel::sequence>(
        {"parallel.sequence", "Sequence parallel",
         "Norms and dropout are split along the sequence beside tensor parallelism."},
        resolved<&Settings::sequenceParallel>),
    choice<kParallel, &PlanParallel::strategy>(
        {"parallel.strategy", "Strategy",
         "How parameters, gradients and optimizer states are replicated or sharded."},
        resolved<&Settings::strategy>),
    choice<kParallel, &PlanParallel::sharding>(
        {"parallel.sharding", "Sharding", "What FSDP shards, and over which GPUs."},
        resolved<&Settings::sharding>),
    count<kParallel, &PlanParallel::shardGroup>(
        {"parallel.shard_group", "Shard group",
         "GPUs that share one copy of the states under hybrid sharding."},
        {1, 1e6}, resolved<&Settings::shardGroup>),
    toggle<kParallel, &PlanParallel::gradientAsBucketView>(
        {"parallel.gradient_as_bucket_view", "Gradients as bucket views",
         "Gradients live inside DDP's buckets, which saves a copy of all of them."},
        resolved<&Settings::gradientAsBucketView>),
    choice<kParallel, &PlanParallel::backwardPrefetch>(
        {"parallel.backward_prefetch", "Backward prefetch",
         "When FSDP gathers the next unit in the backward pass; earlier costs memory."},
        resolved<&Settings::backwardPrefetch>),
    toggle<kParallel, &PlanParallel::forwardPrefetch>(
        {"parallel.forward_prefetch", "Forward prefetch",
         "FSDP1 gathers the next unit before the current one runs forward."},
        resolved<&Settings::forwardPrefetch>),
    toggle<kParallel, &PlanParallel::limitAllGathers>(
        {"parallel.limit_all_gathers", "Limit all-gathers",
         "FSDP keeps at most two gathered units in flight."},
        resolved<&Settings::limitAllGathers>),
    count<kParallel, &PlanParallel::stage>(
        {"parallel.stage", "Stage", "The pipeline stage to look at, from 0; the worst if not set."},
        {0, 1e5}, resolvedUnless<&Settings::stage, -1>),
    count<kParallel, kBucket, &PlanBucket::reduce>({"parallel.bucket.reduce_bucket_size",
                                                    "Reduce bucket",
                                                    "Elements that DeepSpeed reduces at a time."},
                                                   kElements, resolved<&Settings::reduceBucket>),
    count<kParallel, kBucket, &PlanBucket::allgather>(
        {"parallel.bucket.allgather_bucket_size", "All-gather bucket",
         "Elements that DeepSpeed gathers at a time after the step: in place since 0.12.4, so they "
         "take no memory."},
        kElements, resolved<&Settings::allgatherBucket>),
    count<kParallel, kBucket, &PlanBucket::prefetch>(
        {"parallel.bucket.prefetch_bucket_size", "Prefetch bucket",
         "Elements that ZeRO-3 gathers ahead of their use."},
        kElements, resolved<&Settings::prefetchBucket>),
    count<kParallel, kBucket, &PlanBucket::maxLiveParameters>(
        {"parallel.bucket.max_live_parameters", "Live parameters",
         "Elements that ZeRO-3 keeps gathered at most."},
        kElements, resolved<&Settings::maxLiveParameters>),
    count<kParallel, kBucket, &PlanBucket::persistence>(
        {"parallel.bucket.param_persistence_threshold", "Persistence threshold",
         "Tensors with fewer elements than this stay whole on every GPU under ZeRO-3."},
        kElements, resolved<&Settings::persistenceThreshold>),
    count<kParallel, kBucket, &PlanBucket::subGroup>(
        {"parallel.bucket.sub_group_size", "Sub-group",
         "Elements of its partition that ZeRO-3 updates at a time; their gradients are cast to "
         "fp32 for it."},
        {1, 1e12}, resolved<&Settings::subGroup>),
    toggle<kParallel, kBucket, &PlanBucket::overlapComm>(
        {"parallel.bucket.overlap_comm", "Overlap communication",
         "DeepSpeed reduces one bucket while the next one fills, which takes a second bucket."},
        resolved<&Settings::overlapComm>),
    toggle<kParallel, &PlanParallel::cpuOffload>(
        {"parallel.cpu_offload", "Offload shards",
         "FSDP keeps its shards of parameters, gradients and states on the host."},
        resolved<&Settings::cpuOffload>),
    choice<kParallel, &PlanParallel::headStage>({"parallel.head_stage", "Stage of the head",
                                                 "The pipeline stage that holds the output head."},
                                                resolved<&Settings::headStage>),
};

} // namespace

std::span<const Field> parallelFields()
{
    return kParallelFields;
}

} // namespace vramscope
