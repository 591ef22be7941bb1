// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/settings/field_rows.h"

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
        kDegree, setting<&Settings::data>, applies::language),
    count<kParallel, &PlanParallel::tensor>(
        {"parallel.tensor", "Tensor parallel", "GPUs that share each matrix of a layer."}, kDegree,
        setting<&Settings::tensor>, applies::language),
    count<kParallel, &PlanParallel::pipeline>(
        {"parallel.pipeline", "Pipeline parallel", "Stages that the layers are cut into."}, kDegree,
        setting<&Settings::pipeline>, applies::language),
    count<kParallel, &PlanParallel::virtualStages>(
        {"parallel.virtual_stages", "Virtual stages",
         "Chunks of layers that each pipeline stage interleaves."},
        kDegree, setting<&Settings::virtualStages>, applies::pipelinedTraining),
    choice<kParallel, &PlanParallel::schedule>(
        {"parallel.schedule", "Pipeline schedule",
         "In which order a stage runs micro-batches; with virtual stages 1f1b is interleaved."},
        setting<&Settings::schedule>, applies::pipelinedTraining),
    counts<kParallel, &PlanParallel::layersPerStage>(
        {"parallel.layers_per_stage", "Layers of each stage",
         "How many layers each pipeline stage holds, from the first; even if not set."},
        kDegree, setting<&Settings::layersPerStage, usual::layersPerStage>, applies::pipelined),
    count<kParallel, &PlanParallel::context>(
        {"parallel.context", "Context parallel", "GPUs that share each sequence."}, kDegree,
        setting<&Settings::context>, applies::language),
    choice<kParallel, &PlanParallel::contextExchange>(
        {"parallel.context_exchange", "Context exchange",
         "How GPUs that share a sequence exchange keys and values: blocks around a ring, all of "
         "them gathered, or heads instead of tokens (Ulysses)."},
        setting<&Settings::contextExchange>, applies::splitSequences),
    count<kParallel, &PlanParallel::expert>(
        {"parallel.expert", "Expert parallel", "GPUs that the experts of a layer are spread over."},
        kDegree, setting<&Settings::expert>, applies::experts),
    count<kParallel, &PlanParallel::expertTensor>(
        {"parallel.expert_tensor", "Expert tensor parallel",
         "GPUs that share each expert's matrices."},
        kDegree, setting<&Settings::expertTensor, usual::expertTensor>, applies::experts),
    toggle<kParallel, &PlanParallel::sequence>(
        {"parallel.sequence", "Sequence parallel",
         "Norms and dropout are split along the sequence beside tensor parallelism."},
        setting<&Settings::sequenceParallel>, applies::tensorParallel),
    choice<kParallel, &PlanParallel::strategy>(
        {"parallel.strategy", "Strategy",
         "How parameters, gradients and optimizer states are replicated or sharded."},
        setting<&Settings::strategy>, applies::training),
    choice<kParallel, &PlanParallel::sharding>(
        {"parallel.sharding", "Sharding", "What FSDP shards, and over which GPUs."},
        setting<&Settings::sharding>, applies::fsdp),
    count<kParallel, &PlanParallel::shardGroup>(
        {"parallel.shard_group", "Shard group",
         "GPUs that share one copy of the states under hybrid sharding."},
        {1, 1e6}, setting<&Settings::shardGroup, usual::shardGroup>, applies::hybrid),
    choice<kParallel, &PlanParallel::units>(
        {"parallel.units", "Units beside the blocks",
         "Where embedding, norm and head are sharded: with the root, which stays whole until "
         "backward is over; apart, with norm and head kept whole in between, as torchtitan and "
         "accelerate do; or apart and never kept."},
        setting<&Settings::units, usual::units>, applies::fsdp),
    toggle<kParallel, &PlanParallel::gradientAsBucketView>(
        {"parallel.gradient_as_bucket_view", "Gradients as bucket views",
         "Gradients live inside DDP's buckets, which saves a copy of all of them."},
        setting<&Settings::gradientAsBucketView>, applies::ddp),
    choice<kParallel, &PlanParallel::backwardPrefetch>(
        {"parallel.backward_prefetch", "Backward prefetch",
         "When FSDP gathers the next unit in the backward pass; earlier costs memory."},
        setting<&Settings::backwardPrefetch>, applies::fsdp1),
    toggle<kParallel, &PlanParallel::forwardPrefetch>(
        {"parallel.forward_prefetch", "Forward prefetch",
         "FSDP1 gathers the next unit before the current one runs forward."},
        setting<&Settings::forwardPrefetch>, applies::fsdp1),
    toggle<kParallel, &PlanParallel::limitAllGathers>(
        {"parallel.limit_all_gathers", "Limit all-gathers",
         "FSDP keeps at most two gathered units in flight."},
        setting<&Settings::limitAllGathers>, applies::fsdp1),
    toggle<kParallel, &PlanParallel::useOrigParams>(
        {"parallel.use_orig_params", "Original parameters",
         "FSDP1 shows the optimizer the parameters of the model, accelerate's default. Gradients "
         "then stay until the next forward pass."},
        setting<&Settings::useOrigParams>, applies::fsdp1),
    count<kParallel, &PlanParallel::stage>(
        {"parallel.stage", "Stage", "The pipeline stage to look at, from 0; the worst if not set."},
        {0, 1e5}, settingUnless<-1, &Settings::stage>, applies::pipelined),
    count<kParallel, kBucket, &PlanBucket::reduce>(
        {"parallel.bucket.reduce_bucket_size", "Reduce bucket",
         "Elements that DeepSpeed reduces at a time."},
        kElements, setting<&Settings::reduceBucket>, applies::zero),
    count<kParallel, kBucket, &PlanBucket::allgather>(
        {"parallel.bucket.allgather_bucket_size", "All-gather bucket",
         "Elements that DeepSpeed gathers at a time after the step: in place since 0.12.4, so they "
         "take no memory."},
        kElements, setting<&Settings::allgatherBucket>, applies::zero),
    count<kParallel, kBucket, &PlanBucket::prefetch>(
        {"parallel.bucket.prefetch_bucket_size", "Prefetch bucket",
         "Elements that ZeRO-3 gathers ahead of their use."},
        kElements, setting<&Settings::prefetchBucket>, applies::zero3),
    count<kParallel, kBucket, &PlanBucket::maxLiveParameters>(
        {"parallel.bucket.max_live_parameters", "Live parameters",
         "Elements that ZeRO-3 has gathered at most when it gathers ahead of their use."},
        kElements, setting<&Settings::maxLiveParameters>, applies::zero3),
    count<kParallel, kBucket, &PlanBucket::maxReuseDistance>(
        {"parallel.bucket.max_reuse_distance", "Reuse distance",
         "ZeRO-3 keeps a tensor gathered that is read again within this many elements."},
        kElements, setting<&Settings::maxReuseDistance>, applies::zero3),
    count<kParallel, kBucket, &PlanBucket::persistence>(
        {"parallel.bucket.param_persistence_threshold", "Persistence threshold",
         "Tensors with fewer elements than this stay whole on every GPU under ZeRO-3."},
        kElements, setting<&Settings::persistenceThreshold>, applies::zero3),
    count<kParallel, kBucket, &PlanBucket::subGroup>(
        {"parallel.bucket.sub_group_size", "Sub-group",
         "Elements of its partition that ZeRO-3 updates at a time; their gradients are cast to "
         "fp32 for it."},
        {1, 1e12}, setting<&Settings::subGroup>, applies::zero3),
    toggle<kParallel, kBucket, &PlanBucket::overlapComm>(
        {"parallel.bucket.overlap_comm", "Overlap communication",
         "DeepSpeed reduces one bucket while the next one fills, which takes a second bucket."},
        setting<&Settings::overlapComm, usual::overlapComm>, applies::zero),
    toggle<kParallel, &PlanParallel::cpuOffload>(
        {"parallel.cpu_offload", "Offload shards",
         "FSDP keeps its shards of parameters, gradients and states on the host; ZeRO-3 those of "
         "parameters (offload_param), beside the states of optimizer.offload."},
        setting<&Settings::cpuOffload>, applies::shardedParameters),
    choice<kParallel, &PlanParallel::headStage>({"parallel.head_stage", "Stage of the head",
                                                 "The pipeline stage that holds the output head."},
                                                setting<&Settings::headStage>,
                                                applies::pipelinedTraining),
};

static_assert(areRowsOf(kParallelFields, "parallel.data", "parallel.head_stage"));

} // namespace

std::span<const Field> parallelFields()
{
    return kParallelFields;
}

} // namespace vramscope
