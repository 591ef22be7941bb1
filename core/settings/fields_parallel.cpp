// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/settings/field_rows.h"

#include <array>

namespace vramscope {

namespace {

using namespace rows;

constexpr Range kDegree = {1, 1e5};
constexpr Range kElements = {0, 1e12};
constexpr Rows<BatchFields, &Plan::batch> kBatch;
constexpr Rows<ParallelFields, &Plan::parallel> kParallel;

constexpr std::array kBatchRows = {
    kBatch.count([](auto &f) { return &f.microBatch; }, "Micro-batch",
                 "Sequences, or images, that a GPU takes through forward and backward at once.",
                 {1, 1e6}, applies::anyTraining, powersOfTwo(1, 512)),
    kBatch.count([](auto &f) { return &f.sequenceLength; }, "Sequence length",
                 "Tokens of one sequence: the context length.", {1, 1e8}, applies::readsTokens,
                 powersOfTwo(128, kLongest), Unit{"tok"}),
    kBatch.count([](auto &f) { return &f.sourceLength; }, "Source length",
                 "Tokens of a sequence that the encoder reads, where the model writes another one; "
                 "Whisper makes 1,500 of 30 seconds.",
                 {1, 1e8}, usually<usual::sourceLength>, applies::readsSource,
                 powersOfTwo(128, kLongest), Unit{"tok"}),
    kBatch.count(
        [](auto &f) { return &f.accumulationSteps; }, "Accumulation",
        "Micro-batches whose gradients are added up before a step; activations do not add up.",
        {1, 1e6}, applies::training, powersOfTwo(1, 256)),
    kBatch.toggle(
        [](auto &f) { return &f.noSync; }, "No sync while accumulating",
        "Skips communication between micro-batches, at the price of whole gradients on every GPU.",
        usually<usual::noSync>, applies::synchronises),
    kBatch.toggle([](auto &f) { return &f.attentionMask; }, "Mask from the data loader",
                  "A byte a pair of tokens comes with every sequence: Megatron's data loader gives "
                  "it unless told otherwise, transformers makes it of a batch with padding.",
                  usually<usual::attentionMask>, applies::training, folded),
    kBatch.count([](auto &f) { return &f.images; }, "Images",
                 "Images in each sequence; their tokens are part of its length. With 0 the text "
                 "part is trained alone, and no vision tower is loaded.",
                 {0, 1e4}, applies::seesImages, linear(0, 16)),
    kBatch.count([](auto &f) { return &f.imageWidth; }, "Image width",
                 "Pixels of an image before the model's processor scales or cuts it.", {1, 1e6},
                 applies::trainsOnImages, linear(28, 4096)),
    kBatch.count([](auto &f) { return &f.imageHeight; }, "Image height",
                 "Pixels of an image before the model's processor scales or cuts it.", {1, 1e6},
                 applies::trainsOnImages, linear(28, 4096)),
    kBatch.choice([](auto &f) { return &f.visionTower; }, "Vision tower",
                  "Whether the encoder of the images and what joins it to the text are trained; "
                  "frozen, they keep nothing for a backward pass. Beside adapters they are frozen.",
                  usually<usual::visionTower>, applies::trainsOnImages),
};
static_assert(areRowsOf<BatchFields>(kBatchRows));

constexpr std::array kParallelismRows = {
    kParallel.choice([](auto &f) { return &f.strategy; }, "Strategy",
                     "How parameters, gradients and optimizer states are replicated or sharded.",
                     applies::training),
    kParallel.choice([](auto &f) { return &f.sharding; }, "Sharding",
                     "What FSDP shards, and over which GPUs.", applies::fsdp),
    kParallel.count([](auto &f) { return &f.shardGroup; }, "Shard group",
                    "GPUs that share one copy of the states under hybrid sharding.", {1, 1e6},
                    usually<usual::shardGroup>, applies::hybrid, powersOfTwo(1, 1024)),
    kParallel.count([](auto &f) { return &f.optimizerInstances; }, "Optimizer instances",
                    "Copies of the distributed optimizer's states, each split over its own part of "
                    "the data-parallel GPUs (--num-distributed-optimizer-instances).",
                    {1, 1e6}, applies::distributedOptimizer, folded, powersOfTwo(1, 64)),
    kParallel.count([](auto &f) { return &f.data; }, "Data parallel",
                    "Groups of GPUs that each take their own part of the batch.", kDegree,
                    applies::language, powersOfTwo(1, 4096)),
    kParallel.count([](auto &f) { return &f.tensor; }, "Tensor parallel",
                    "GPUs that share each matrix of a layer.", kDegree, applies::language,
                    powersOfTwo(1, 64)),
    kParallel.count([](auto &f) { return &f.pipeline; }, "Pipeline parallel",
                    "Stages that the layers are cut into.", kDegree, applies::language,
                    powersOfTwo(1, 64)),
    kParallel.count([](auto &f) { return &f.context; }, "Context parallel",
                    "GPUs that share each sequence.", kDegree, applies::language, folded,
                    powersOfTwo(1, 64)),
    kParallel.choice([](auto &f) { return &f.contextExchange; }, "Context exchange",
                     "How GPUs that share a sequence exchange keys and values: blocks around a "
                     "ring, all of them gathered, or heads instead of tokens (Ulysses).",
                     applies::splitSequences, folded),
    kParallel.count([](auto &f) { return &f.expert; }, "Expert parallel",
                    "GPUs that the experts of a layer are spread over.", kDegree, applies::experts,
                    powersOfTwo(1, 256)),
    kParallel.count([](auto &f) { return &f.expertTensor; }, "Expert tensor parallel",
                    "GPUs that share each expert's matrices.", kDegree,
                    usually<usual::expertTensor>, applies::experts, folded, powersOfTwo(1, 64)),
    kParallel.choice([](auto &f) { return &f.dispatcher; }, "Token dispatcher",
                     "How tokens come to the experts of other GPUs: each to its own, or all of "
                     "them to every GPU, into a buffer that stays "
                     "(--moe-token-dispatcher-type, whose default is allgather).",
                     applies::megatronExperts, folded),
    kParallel.toggle([](auto &f) { return &f.sequenceParallel; }, "Sequence parallel",
                     "Norms and dropout are split along the sequence beside tensor parallelism.",
                     applies::tensorParallel),
    kParallel.count([](auto &f) { return &f.virtualStages; }, "Virtual stages",
                    "Chunks of layers that each pipeline stage interleaves.", kDegree,
                    applies::pipelinedTraining, powersOfTwo(1, 32)),
    kParallel.choice(
        [](auto &f) { return &f.schedule; }, "Pipeline schedule",
        "In which order a stage runs micro-batches; with virtual stages 1f1b is interleaved.",
        applies::pipelinedTraining, folded),
    kParallel.count([](auto &f) { return &f.layersPerStage; }, "Layers of each stage",
                    "How many layers each pipeline stage holds, from the first; even if not set.",
                    kDegree, usually<usual::layersPerStage>, applies::pipelined, folded),
    kParallel.count([](auto &f) { return &f.stage; }, "Stage",
                    "The pipeline stage to look at, from 0; the worst if not set.", {0, 1e5},
                    unless<-1>, applies::pipelined, folded, linear(0, 63)),
    kParallel.choice([](auto &f) { return &f.headStage; }, "Stage of the head",
                     "The pipeline stage that holds the output head.", applies::pipelinedTraining,
                     folded),
    kParallel.choice([](auto &f) { return &f.units; }, "Units beside the blocks",
                     "Where embedding, norm and head are sharded: with the root, which stays whole "
                     "until backward is over, as fully_shard does by itself, or reshards after "
                     "forward; apart, with norm and head kept whole in between, as torchtitan and "
                     "accelerate do; or apart and never kept.",
                     usually<usual::units>, applies::fsdp, folded),
    kParallel.toggle(
        [](auto &f) { return &f.cpuOffload; }, "Offload shards",
        "FSDP keeps its shards of parameters, gradients and states on the host; ZeRO-3 those of "
        "parameters (offload_param), beside the states of optimizer.offload.",
        applies::shardedParameters, folded),
    kParallel.toggle([](auto &f) { return &f.gradientAsBucketView; }, "Gradients as bucket views",
                     "Gradients live inside DDP's buckets, which saves a copy of all of them.",
                     applies::ddp),
    kParallel.choice([](auto &f) { return &f.backwardPrefetch; }, "Backward prefetch",
                     "When FSDP gathers the next unit in the backward pass; earlier costs memory.",
                     applies::fsdp1, folded),
    kParallel.toggle([](auto &f) { return &f.forwardPrefetch; }, "Forward prefetch",
                     "FSDP1 gathers the next unit before the current one runs forward.",
                     applies::fsdp1, folded),
    kParallel.toggle([](auto &f) { return &f.limitAllGathers; }, "Limit all-gathers",
                     "FSDP keeps at most two gathered units in flight.", applies::fsdp1, folded),
    kParallel.toggle([](auto &f) { return &f.useOrigParams; }, "Original parameters",
                     "FSDP1 shows the optimizer the parameters of the model, accelerate's default. "
                     "Gradients then stay until the next forward pass.",
                     applies::fsdp1, folded),
    kParallel.count([](auto &f) { return &f.bucket.reduce; }, "Reduce bucket",
                    "Elements that DeepSpeed reduces at a time.", kElements, applies::zero, folded),
    kParallel.count([](auto &f) { return &f.bucket.allgather; }, "All-gather bucket",
                    "Elements that DeepSpeed gathers at a time after the step: in place since "
                    "0.12.4, so they take no memory.",
                    kElements, applies::zero, folded),
    kParallel.count([](auto &f) { return &f.bucket.prefetch; }, "Prefetch bucket",
                    "Elements that ZeRO-3 gathers ahead of their use.", kElements, applies::zero3,
                    folded),
    kParallel.count([](auto &f) { return &f.bucket.maxLiveParameters; }, "Live parameters",
                    "Elements that ZeRO-3 has gathered at most when it gathers ahead of their use.",
                    kElements, applies::zero3, folded),
    kParallel.count([](auto &f) { return &f.bucket.maxReuseDistance; }, "Reuse distance",
                    "ZeRO-3 keeps a tensor gathered that is read again within this many elements.",
                    kElements, applies::zero3, folded),
    kParallel.count([](auto &f) { return &f.bucket.persistence; }, "Persistence threshold",
                    "Tensors with fewer elements than this stay whole on every GPU under ZeRO-3.",
                    kElements, applies::zero3, folded),
    kParallel.count([](auto &f) { return &f.bucket.subGroup; }, "Sub-group",
                    "Elements of its partition that ZeRO-3 updates at a time; their gradients are "
                    "cast to fp32 for it.",
                    {1, 1e12}, applies::zero3, folded),
    kParallel.toggle(
        [](auto &f) { return &f.bucket.overlapComm; }, "Overlap communication",
        "DeepSpeed reduces one bucket while the next one fills, which takes a second bucket.",
        usually<usual::overlapComm>, applies::zero, folded),
    kParallel.count([](auto &f) { return &f.bucket.stateBuffers; }, "State buffers",
                    "Buffers in pinned host memory, each of a sub-group in fp32, through which "
                    "states come from NVMe drives (offload_optimizer.buffer_count).",
                    {1, 1e4}, applies::statesOnDrives, folded),
    kParallel.count([](auto &f) { return &f.bucket.weightBuffers; }, "Parameter buffers",
                    "Buffers in pinned host memory through which parameters come from NVMe drives "
                    "(offload_param.buffer_count).",
                    {0, 1e4}, applies::weightsOnDrives, folded),
    kParallel.count([](auto &f) { return &f.bucket.weightBuffer; }, "Parameter buffer",
                    "Elements of one of these buffers (offload_param.buffer_size).", kElements,
                    applies::weightsOnDrives, folded),
    kParallel.count([](auto &f) { return &f.bucket.maxInCpu; }, "Parameters on the host",
                    "Elements of the parameters that stay in the host's memory when the others "
                    "are on NVMe drives (offload_param.max_in_cpu).",
                    kElements, applies::weightsOnDrives, folded),
};
static_assert(areRowsOf<ParallelFields>(kParallelismRows));

constexpr FieldTable kParallelTables[] = {
    {"Batch", kBatchRows},
    {"Parallelism", kParallelismRows},
};

} // namespace

std::span<const FieldTable> parallelTables()
{
    return kParallelTables;
}

} // namespace vramscope
