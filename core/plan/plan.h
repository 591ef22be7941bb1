// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/bytes.h"
#include "core/plan/choices.h"
#include "core/plan/field_value.h"

#include <cstdint>
#include <optional>
#include <string>

namespace vramscope {

// The plan document of plan-format.md as it stands: a field that the document does not state is
// empty, so that reading and writing lose nothing. What an empty field means is decided in one
// place, settings.h.

struct PlanModel
{
    std::optional<std::string> preset;
    std::optional<std::string> knownAs; ///< the name of a model of the same shape: "deepseek-r1"
    std::optional<std::string>
        config; ///< Hugging Face config.json: the object as JSON text, unknown keys kept
    std::optional<std::string> pipeline;   ///< of diffusers, by its name in resources/diffusion
    std::optional<std::string> components; ///< the same described: model_index.json with configs
    std::optional<std::string> norm;       ///< "rmsnorm" or "layernorm"
    std::optional<bool> gatedMlp;
    std::optional<Activation> activation;
    std::optional<TextList> bias; ///< out of qkv, o, mlp, head, expert, router
    std::optional<std::int64_t> learnedPositions;
    std::optional<bool> qkNorm;
    std::optional<std::int64_t> normsPerLayer;
    std::optional<bool> attentionSinks;
    std::optional<std::int64_t> vocabSizePadded;
    std::optional<std::int64_t> parametersOverride;
    std::optional<std::int64_t> parametersPerRankOverride;
    std::optional<Bytes> bufferBytes;
    std::optional<bool> textOnly;
    std::optional<std::string> checkpoint; ///< the table of a checkpoint: the object as JSON text
    bool operator==(const PlanModel &) const = default;
};

struct PlanHardware
{
    std::optional<std::string> gpu;
    std::optional<TextList> gpuList; ///< names, or sizes in GB: "24"; of a machine of several kinds
    std::optional<std::int64_t> gpus;
    std::optional<std::int64_t> gpusPerNode;
    std::optional<std::int64_t> networkGigabits;
    std::optional<Bytes> capacityBytes;
    std::optional<Bytes> hostMemoryBytes;
    std::optional<Bytes> systemBytes;
    std::optional<Bytes> pageCacheBytes;
    bool operator==(const PlanHardware &) const = default;
};

/// DeepSpeed's sizes, in elements.
struct PlanBucket
{
    std::optional<std::int64_t> reduce;            ///< reduce_bucket_size
    std::optional<std::int64_t> allgather;         ///< allgather_bucket_size
    std::optional<std::int64_t> prefetch;          ///< prefetch_bucket_size
    std::optional<std::int64_t> maxLiveParameters; ///< max_live_parameters
    std::optional<std::int64_t> maxReuseDistance;  ///< max_reuse_distance
    std::optional<std::int64_t> persistence;       ///< param_persistence_threshold
    std::optional<std::int64_t> subGroup;          ///< sub_group_size
    std::optional<bool> overlapComm;               ///< overlap_comm
    bool operator==(const PlanBucket &) const = default;
};

struct PlanParallel
{
    std::optional<std::int64_t> data;
    std::optional<std::int64_t> tensor;
    std::optional<std::int64_t> pipeline;
    std::optional<std::int64_t> virtualStages;
    std::optional<Schedule> schedule;
    std::optional<CountList> layersPerStage;
    std::optional<std::int64_t> context;
    std::optional<ContextExchange> contextExchange;
    std::optional<std::int64_t> expert;
    std::optional<std::int64_t> expertTensor;
    std::optional<bool> sequence;
    std::optional<Strategy> strategy;
    std::optional<Sharding> sharding;
    std::optional<std::int64_t> shardGroup;
    std::optional<FsdpUnits> units;
    std::optional<bool> gradientAsBucketView;
    std::optional<BackwardPrefetch> backwardPrefetch;
    std::optional<bool> forwardPrefetch;
    std::optional<bool> limitAllGathers;
    std::optional<bool> useOrigParams;
    std::optional<std::int64_t> stage;
    PlanBucket bucket;
    std::optional<bool> cpuOffload;
    std::optional<HeadStage> headStage;
    bool operator==(const PlanParallel &) const = default;
};

struct PlanPrecision
{
    std::optional<Regime> regime;
    std::optional<std::int64_t> weightBytes;
    std::optional<std::int64_t> gradientBytes;
    std::optional<std::int64_t> masterWeightBytes;
    std::optional<std::int64_t> reduceBytes;
    std::optional<LinearFormat> linear;
    bool operator==(const PlanPrecision &) const = default;
};

struct PlanOptimizer
{
    std::optional<OptimizerName> name;
    std::optional<OptimizerImplementation> implementation;
    std::optional<double> stateBytes;
    std::optional<bool> offload;
    std::optional<OffloadDevice> offloadDevice;
    std::optional<ZeroGrad> zeroGrad;
    bool operator==(const PlanOptimizer &) const = default;
};

struct PlanBatch
{
    std::optional<std::int64_t> microBatch;
    std::optional<std::int64_t> sequenceLength;
    std::optional<std::int64_t> accumulationSteps;
    std::optional<bool> noSync;
    std::optional<bool> attentionMask;
    std::optional<std::int64_t> images;
    std::optional<std::int64_t> imageWidth;
    std::optional<std::int64_t> imageHeight;
    std::optional<TowerTraining> visionTower;
    bool operator==(const PlanBatch &) const = default;
};

struct PlanActivations
{
    std::optional<Checkpointing> checkpointing;
    std::optional<std::int64_t> every;
    std::optional<std::int64_t> blocks;
    std::optional<AttentionKind> attention;
    std::optional<AttentionBackend> attentionBackend;
    std::optional<bool> softmaxInput;
    std::optional<Kernels> kernels;
    std::optional<bool> expandedKv;
    std::optional<double> dropout;
    std::optional<double> attentionDropout;
    std::optional<bool> offload;
    std::optional<ExpertKernels> experts;
    std::optional<double> capacityFactor;
    std::optional<double> loadImbalance;
    bool operator==(const PlanActivations &) const = default;
};

struct PlanAdapters
{
    std::optional<AdapterKind> kind;
    std::optional<std::int64_t> rank;
    std::optional<TextList> targets;
    std::optional<BaseQuantization> baseQuantization;
    std::optional<std::int64_t> weightBytes;
    std::optional<double> dropout;
    std::optional<bool> fusedQkv;
    std::optional<std::int64_t> groupSize;
    std::optional<TextList> modulesToNotConvert;
    std::optional<bool> quantizeAtLoad;
    std::optional<bool> upcastUnquantized;
    bool operator==(const PlanAdapters &) const = default;
};

struct PlanOverheads
{
    std::optional<Bytes> contextBytes;
    std::optional<Bytes> ncclBytes;
    std::optional<Bytes> cublasWorkspaceBytes;
    std::optional<Bytes> engineWorkspaceBytes;
    std::optional<std::string> allocConf; ///< PYTORCH_CUDA_ALLOC_CONF
    std::optional<double> reservedFactor;
    std::optional<Bytes> residentBytes;
    std::optional<TextList> calibrated; ///< marks, calibration_marks.h
    bool operator==(const PlanOverheads &) const = default;
};

/// What prompts of vLLM may hold beside text, by its own names.
struct PlanMultimodal
{
    std::optional<std::int64_t> images;
    std::optional<std::int64_t> videos;
    std::optional<std::int64_t> maxPixels;
    std::optional<bool> profiled;
    bool operator==(const PlanMultimodal &) const = default;
};

struct PlanSpeculation
{
    std::optional<SpeculativeMethod> method;
    std::optional<std::int64_t> tokens;
    std::optional<std::string> model;  ///< of the catalogue
    std::optional<std::string> config; ///< config.json of the draft: the object as JSON text
    std::optional<WeightFormat> weightFormat;
    bool operator==(const PlanSpeculation &) const = default;
};

/// SGLang's own words (server_args.py).
struct PlanSglang
{
    std::optional<std::int64_t> chunkedPrefillSize;
    std::optional<std::int64_t> cudaGraphMaxBs;
    std::optional<double> memFractionStatic;
    std::optional<std::int64_t> maxTotalTokens;
    std::optional<std::int64_t> maxRunningRequests;
    std::optional<std::int64_t> pageSize;
    std::optional<double> swaFullTokensRatio;
    std::optional<double> mambaFullMemoryRatio;
    bool operator==(const PlanSglang &) const = default;
};

/// TensorRT-LLM's KvCacheConfig.
struct PlanTrtLlm
{
    std::optional<double> freeGpuMemoryFraction;
    bool operator==(const PlanTrtLlm &) const = default;
};

struct PlanInference
{
    std::optional<Engine> engine;
    std::optional<std::string> engineVersion; ///< "0.21.0"
    std::optional<WeightFormat> weightFormat;
    std::optional<MoeBackend> moeBackend;
    std::optional<double> kvBytesPerElement;
    std::optional<std::int64_t> blockSize;
    std::optional<double> gpuMemoryUtilization;
    std::optional<std::int64_t> maxModelLen;
    std::optional<std::int64_t> maxNumSeqs;
    std::optional<std::int64_t> maxNumBatchedTokens;
    std::optional<std::int64_t> concurrentSequences;
    std::optional<std::int64_t> meanSequenceLength;
    PlanSglang sglang;
    PlanTrtLlm trtLlm;
    std::optional<Bytes> cudaGraphBytes;
    std::optional<bool> embeddingParallel;
    std::optional<bool> prefixCaching;
    std::optional<std::int64_t> hostExpertLayers;
    std::optional<std::int64_t> groupSize;
    std::optional<TextList> modulesToNotConvert;
    std::optional<bool> quantizeAtLoad;
    std::optional<Bytes> nonTorchBytes;
    std::optional<Bytes> activationPeakBytes;
    std::optional<Bytes> kvCacheMemoryBytes;
    std::optional<std::int64_t> maxLoras;
    std::optional<std::int64_t> maxLoraRank;
    PlanMultimodal multimodal;
    PlanSpeculation speculative;
    bool operator==(const PlanInference &) const = default;
};

/// What a diffusion pipeline makes, and how diffusers runs it.
struct PlanDiffusion
{
    std::optional<std::int64_t> width;
    std::optional<std::int64_t> height;
    std::optional<std::int64_t> frames;
    std::optional<std::int64_t> images;
    std::optional<bool> guidance;
    std::optional<std::int64_t> promptTokens;
    std::optional<DiffusionFormat> transformerFormat;
    std::optional<AutoencoderFormat> vaeFormat;
    std::optional<DiffusionOffload> offload;
    std::optional<bool> vaeTiling;
    std::optional<bool> vaeSlicing;
    bool operator==(const PlanDiffusion &) const = default;
};

/// How trainer and engine of reinforcement learning share their GPUs.
struct PlanRl
{
    std::optional<std::int64_t> tensor;
    std::optional<std::int64_t> sleepLevel;
    std::optional<bool> sharedProcess;
    std::optional<bool> paramOffload;
    std::optional<bool> optimizerOffload;
    std::optional<bool> reference;
    std::optional<bool> referenceOffload;
    std::optional<bool> critic;
    std::optional<std::int64_t> logProbMicroBatch;
    std::optional<Bytes> syncBucketBytes;
    bool operator==(const PlanRl &) const = default;
};

/// What time and money are told for.
struct PlanRun
{
    std::optional<std::int64_t> tokens;
    std::optional<double> gpuHourPrice;
    bool operator==(const PlanRun &) const = default;
};

/// One plan: what the window edits, saves and hands to estimate(). A plain value.
struct Plan
{
    std::optional<std::string> name;
    std::optional<Workload> workload;
    std::optional<Objective> objective;
    std::optional<std::string> trainer;        ///< a tool that trains, catalog/tools.h
    std::optional<std::string> trainerVersion; ///< of accelerate: "1.10"
    PlanModel model;
    PlanHardware hardware;
    PlanParallel parallel;
    PlanPrecision precision;
    PlanOptimizer optimizer;
    PlanBatch batch;
    PlanActivations activations;
    std::optional<LossKind> loss;
    std::optional<std::int64_t> lossChunks;
    std::optional<bool> lossKeepLogits;
    std::optional<bool> lossKeepOutputs;
    PlanAdapters adapters;
    PlanOverheads overheads;
    PlanInference inference;
    PlanDiffusion diffusion;
    PlanRl rl;
    PlanRun run;
    bool operator==(const Plan &) const = default;
};

} // namespace vramscope
