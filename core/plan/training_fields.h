// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/bytes.h"
#include "core/catalog/constants.h"
#include "core/plan/choices.h"
#include "core/plan/declared_field.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace vramscope {

// The fields of a plan from "name" to "adapters", in the order of the document.

/// What the plan is for, and the tool that runs it.
template<template<class> class Holder>
struct JobFields
{
    static constexpr std::string_view kPrefix = "";
    StatedAlone<Holder, std::string> name = field<Holder>("name");
    Holder<Workload> workload = field<Holder>("workload", Workload::Training);
    Holder<Objective> objective = field<Holder>("objective", Objective::Language);
    StatedAlone<Holder, std::string> trainer =
        field<Holder>("trainer"); ///< a tool that trains, catalog/tools.h
    Holder<std::string> trainerVersion =
        field<Holder, std::string>("trainer_version"); ///< of accelerate: "1.10"; empty: the newest
    bool operator==(const JobFields &) const = default;
};

template<template<class> class Holder>
struct ModelFields
{
    static constexpr std::string_view kPrefix = "model.";
    StatedAlone<Holder, std::string> preset = field<Holder>("preset");
    StatedAlone<Holder, std::string> knownAs =
        field<Holder>("known_as"); ///< the name of a model of the same shape: "deepseek-r1"
    StatedAlone<Holder, std::string> config = field<Holder>(
        "config"); ///< Hugging Face config.json: the object as JSON text, unknown keys kept
    StatedAlone<Holder, std::string> pipeline =
        field<Holder>("pipeline"); ///< of diffusers, by its name in resources/diffusion
    StatedAlone<Holder, std::string> components =
        field<Holder>("components"); ///< the same described: model_index.json with configs
    StatedAlone<Holder, std::string> norm = field<Holder>("norm"); ///< "rmsnorm" or "layernorm"
    StatedAlone<Holder, bool> gatedMlp = field<Holder>("gated_mlp");
    StatedAlone<Holder, Activation> activation = field<Holder>("activation");
    StatedAlone<Holder, TextList> bias =
        field<Holder>("bias"); ///< out of qkv, o, mlp, head, expert, router
    StatedAlone<Holder, std::int64_t> learnedPositions = field<Holder>("learned_positions");
    StatedAlone<Holder, bool> qkNorm = field<Holder>("qk_norm");
    StatedAlone<Holder, std::int64_t> normsPerLayer = field<Holder>("norms_per_layer");
    StatedAlone<Holder, bool> attentionSinks = field<Holder>("attention_sinks");
    StatedAlone<Holder, std::int64_t> vocabSizePadded = field<Holder>("vocab_size_padded");
    Holder<std::int64_t> parametersOverride =
        field<Holder>("parameters_override", 0); ///< 0: computed
    Holder<std::int64_t> parametersPerRankOverride =
        field<Holder>("parameters_per_rank_override", 0);
    Holder<Bytes> bufferBytes = field<Holder>("buffer_bytes", 0);
    Holder<bool> textOnly = field<Holder>("text_only", false);
    StatedAlone<Holder, std::string> checkpoint =
        field<Holder>("checkpoint"); ///< the table of a checkpoint: the object as JSON text
    bool operator==(const ModelFields &) const = default;
};

template<template<class> class Holder>
struct HardwareFields
{
    static constexpr std::string_view kPrefix = "hardware.";
    StatedAlone<Holder, std::string> gpu = field<Holder>("gpu");
    StatedAlone<Holder, TextList> gpuList =
        field<Holder>("gpu_list"); ///< names, or sizes in GB: "24"; of a machine of several kinds
    Holder<std::int64_t> gpus = field<Holder>("gpus", 1);
    Holder<std::int64_t> gpusPerNode = field<Holder>("gpus_per_node", 1);
    Holder<std::int64_t> networkGigabits =
        field<Holder>("network_gigabits", 1); ///< a second, of the adapters of one GPU, one way
    Holder<Bytes> capacity = field<Holder>("capacity_bytes", 0);      ///< 0: unknown
    Holder<Bytes> hostMemory = field<Holder>("host_memory_bytes", 0); ///< 0: unknown
    Holder<Bytes> systemBytes =
        field<Holder>("system_bytes", 0); ///< of others: the system, a desktop, other processes
    Holder<Bytes> pageCacheBytes = field<Holder>("page_cache_bytes", 0);
    bool operator==(const HardwareFields &) const = default;
};

/// DeepSpeed's sizes, in elements.
template<template<class> class Holder>
struct BucketFields
{
    Holder<std::int64_t> reduce = field<Holder>("bucket.reduce_bucket_size", kZeroReduceBucket);
    Holder<std::int64_t> allgather =
        field<Holder>("bucket.allgather_bucket_size", kZeroAllgatherBucket);
    Holder<std::int64_t> prefetch =
        field<Holder>("bucket.prefetch_bucket_size", kZeroPrefetchBucket);
    Holder<std::int64_t> maxLiveParameters =
        field<Holder>("bucket.max_live_parameters", kZeroMaxLiveParameters);
    Holder<std::int64_t> maxReuseDistance =
        field<Holder>("bucket.max_reuse_distance", kZeroMaxReuseDistance);
    Holder<std::int64_t> persistence =
        field<Holder>("bucket.param_persistence_threshold", kZeroPersistenceThreshold);
    Holder<std::int64_t> subGroup = field<Holder>("bucket.sub_group_size", kZeroSubGroup);
    Holder<bool> overlapComm = field<Holder>("bucket.overlap_comm", false);
    Holder<std::int64_t> stateBuffers =
        field<Holder>("bucket.optimizer_buffer_count", kZeroStateBuffers);
    Holder<std::int64_t> weightBuffers =
        field<Holder>("bucket.param_buffer_count", kZeroWeightBuffers);
    Holder<std::int64_t> weightBuffer =
        field<Holder>("bucket.param_buffer_size", kZeroWeightBuffer);
    Holder<std::int64_t> maxInCpu = field<Holder>("bucket.max_in_cpu", kZeroMaxInCpu);
    bool operator==(const BucketFields &) const = default;
};

template<template<class> class Holder>
struct ParallelFields
{
    static constexpr std::string_view kPrefix = "parallel.";
    Holder<std::int64_t> data = field<Holder>("data", 1);
    Holder<std::int64_t> tensor = field<Holder>("tensor", 1);
    Holder<std::int64_t> pipeline = field<Holder>("pipeline", 1);
    Holder<std::int64_t> virtualStages = field<Holder>("virtual_stages", 1);
    Holder<Schedule> schedule = field<Holder>("schedule", Schedule::OneForwardOneBackward);
    Holder<CountList> layersPerStage = field<Holder, CountList>("layers_per_stage");
    Holder<std::int64_t> context = field<Holder>("context", 1);
    Holder<ContextExchange> contextExchange =
        field<Holder>("context_exchange", ContextExchange::Ring);
    Holder<std::int64_t> expert = field<Holder>("expert", 1);
    Holder<std::int64_t> expertTensor = field<Holder>("expert_tensor", 1);
    Holder<TokenDispatcher> dispatcher = field<Holder>("dispatcher", TokenDispatcher::AllToAll);
    Holder<bool> sequenceParallel = field<Holder>("sequence", false);
    Holder<Strategy> strategy = field<Holder>("strategy", Strategy::None);
    Holder<Sharding> sharding = field<Holder>("sharding", Sharding::FullShard);
    Holder<std::int64_t> shardGroup = field<Holder>("shard_group", 1);
    Holder<std::int64_t> optimizerInstances = field<Holder>("optimizer_instances", 1);
    Holder<FsdpUnits> units = field<Holder>("units", FsdpUnits::Root);
    Holder<bool> gradientAsBucketView = field<Holder>("gradient_as_bucket_view", false);
    Holder<BackwardPrefetch> backwardPrefetch =
        field<Holder>("backward_prefetch", BackwardPrefetch::Pre);
    Holder<bool> forwardPrefetch = field<Holder>("forward_prefetch", false);
    Holder<bool> limitAllGathers = field<Holder>("limit_all_gathers", true);
    Holder<bool> useOrigParams = field<Holder>("use_orig_params", true);
    Holder<std::int64_t> stage = field<Holder>("stage", -1); ///< -1: the worst
    BucketFields<Holder> bucket;
    Holder<bool> cpuOffload = field<Holder>("cpu_offload", false);
    Holder<HeadStage> headStage = field<Holder>("head_stage", HeadStage::Last);
    bool operator==(const ParallelFields &) const = default;
};

template<template<class> class Holder>
struct PrecisionFields
{
    static constexpr std::string_view kPrefix = "precision.";
    Holder<Regime> regime = field<Holder>("regime", Regime::AutocastBf16);
    Holder<std::int64_t> weightBytes = field<Holder>("weight_bytes", 4);
    Holder<std::int64_t> gradientBytes = field<Holder>("gradient_bytes", 4);
    Holder<std::int64_t> masterWeightBytes = field<Holder>("master_weight_bytes", 0);
    Holder<std::int64_t> reduceBytes = field<Holder>("reduce_bytes", 4);
    Holder<LinearFormat> linear = field<Holder>("linear", LinearFormat::Regime);
    bool operator==(const PrecisionFields &) const = default;
};

template<template<class> class Holder>
struct OptimizerFields
{
    static constexpr std::string_view kPrefix = "optimizer.";
    Holder<OptimizerName> name = field<Holder>("name", OptimizerName::AdamW);
    Holder<OptimizerImplementation> implementation =
        field<Holder>("implementation", OptimizerImplementation::Foreach);
    Holder<double> stateBytes = field<Holder>("state_bytes", 4); ///< per moment and parameter
    Holder<StatePartition> partition = field<Holder>("partition", StatePartition::Elements);
    Holder<bool> offload = field<Holder>("offload", false);
    Holder<OffloadDevice> offloadDevice =
        field<Holder>("offload_device", OffloadDevice::Cpu); ///< of states and parameters
    Holder<ZeroGrad> zeroGrad = field<Holder>("zero_grad", ZeroGrad::AfterStep);
    bool operator==(const OptimizerFields &) const = default;
};

template<template<class> class Holder>
struct BatchFields
{
    static constexpr std::string_view kPrefix = "batch.";
    Holder<std::int64_t> microBatch = field<Holder>("micro_batch", 1);
    Holder<std::int64_t> sequenceLength = field<Holder>("sequence_length", 2048);
    Holder<std::int64_t> sourceLength = field<Holder>("source_length", 0); ///< tokens
    Holder<std::int64_t> accumulationSteps = field<Holder>("accumulation_steps", 1);
    Holder<bool> noSync = field<Holder>("no_sync", false);
    Holder<bool> attentionMask = field<Holder>("attention_mask", false);
    Holder<std::int64_t> images = field<Holder>("images", 0);             ///< of each sequence
    Holder<std::int64_t> imageWidth = field<Holder>("image_width", 1024); ///< pixels
    Holder<std::int64_t> imageHeight = field<Holder>("image_height", 1024);
    Holder<TowerTraining> visionTower = field<Holder>("vision_tower", TowerTraining::Trained);
    bool operator==(const BatchFields &) const = default;
};

template<template<class> class Holder>
struct ActivationFields
{
    static constexpr std::string_view kPrefix = "activations.";
    Holder<Checkpointing> checkpointing = field<Holder>("checkpointing", Checkpointing::None);
    Holder<std::int64_t> every = field<Holder>("every", 1);
    Holder<std::int64_t> checkpointedBlocks = field<Holder>("blocks", 0);
    Holder<AttentionKind> attention = field<Holder>("attention", AttentionKind::Flash);
    Holder<AttentionBackend> attentionBackend =
        field<Holder>("attention_backend", AttentionBackend::Cudnn);
    Holder<bool> softmaxInput = field<Holder>("softmax_input", false);
    Holder<Kernels> kernels = field<Holder>("kernels", Kernels::Eager);
    Holder<bool> expandedKv = field<Holder>("expanded_kv", false);
    Holder<double> dropout = field<Holder>("dropout", 0);
    Holder<double> attentionDropout = field<Holder>("attention_dropout", 0);
    Holder<bool> activationOffload = field<Holder>("offload", false);
    Holder<ExpertKernels> expertKernels = field<Holder>("experts", ExpertKernels::Grouped);
    Holder<double> capacityFactor = field<Holder>("capacity_factor", 0); ///< 0: dropless
    Holder<double> loadImbalance = field<Holder>("load_imbalance", 1);
    bool operator==(const ActivationFields &) const = default;
};

template<template<class> class Holder>
struct LossFields
{
    static constexpr std::string_view kPrefix = "";
    Holder<LossKind> loss = field<Holder>("loss", LossKind::HfUpcast);
    Holder<std::int64_t> lossChunks = field<Holder>("loss_chunks", 8);
    Holder<bool> lossKeepLogits = field<Holder>("loss_keep_logits", false);
    Holder<bool> lossKeepOutputs = field<Holder>("loss_keep_outputs", false);
    bool operator==(const LossFields &) const = default;
};

template<template<class> class Holder>
struct AdapterFields
{
    static constexpr std::string_view kPrefix = "adapters.";
    Holder<AdapterKind> kind = field<Holder>("kind", AdapterKind::None);
    Holder<std::int64_t> rank = field<Holder>("rank", 0);
    Holder<TextList> targets = field<Holder, TextList>("targets");
    Holder<BaseQuantization> baseQuantization =
        field<Holder>("base_quantization", BaseQuantization::None);
    Holder<std::int64_t> weightBytes = field<Holder>("weight_bytes", 4);
    Holder<double> dropout = field<Holder>("dropout", 0);
    Holder<bool> dora = field<Holder>("dora", false);
    Holder<bool> fusedQkv = field<Holder>("fused_qkv", false);
    Holder<std::int64_t> groupSize = field<Holder>("group_size", 128);
    Holder<TextList> notConverted = field<Holder>("modules_to_not_convert", {"embedding", "head"});
    Holder<bool> quantizeAtLoad = field<Holder>("quantize_at_load", false);
    Holder<bool> upcastUnquantized = field<Holder>("upcast_unquantized", false);
    bool operator==(const AdapterFields &) const = default;
};

} // namespace vramscope
