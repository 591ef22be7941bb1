// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/catalog/architecture.h"
#include "core/catalog/constants.h"
#include "core/catalog/empirical.h"
#include "core/catalog/gpus.h"
#include "core/model/towers/tower.h"
#include "core/plan/issue.h"
#include "core/plan/plan.h"

#include <memory>
#include <string>
#include <vector>

namespace vramscope {

struct DiffusionPipeline;
struct Draft;
struct PlacedCheckpoint;

/// Where the constants are from that were taken over from a recording: "calibrated from FILE";
/// empty for all others.
struct CalibratedSources
{
    std::string context, nccl, cublasWorkspace, reservedFactor, resident;
};

/// One of the GPUs of a machine that has several kinds.
struct ListedGpu
{
    const GpuPreset *gpu = nullptr; ///< null: its size alone is known
    std::int64_t gigabytes = 0;     ///< as sold
    Bytes capacity = 0;
};

/// A plan with every default put in and every name looked up: what the formulas read. The same
/// groups and names as Plan, without optionals. The initialisers are the defaults, but where the
/// row of a field names a rule (usual_values.h).
struct Settings
{
    Workload workload = Workload::Training; ///< that of the trainer where there is an engine beside
    bool learns = false;                    ///< the workload is rl
    /// The engine that generates for the trainer, on the same GPUs; null without one.
    std::shared_ptr<const Settings> rollout;
    Objective objective = Objective::Language;
    Trainer trainer = Trainer::Own; ///< as the plan's tool behaves
    std::string trainerVersion;     ///< of accelerate; empty: the newest
    Architecture architecture;
    std::vector<Tower> towers;                          ///< countedTowers()
    bool hasVisionTower = false;                        ///< hasVisionTower()
    std::shared_ptr<const DiffusionPipeline> diffusion; ///< null: the model is a language model
    std::shared_ptr<const PlacedCheckpoint> checkpoint; ///< null: the plan has none
    const GpuPreset *gpu = nullptr;                     ///< of a list the one at `listed`
    std::vector<ListedGpu> gpuList;                     ///< empty where all GPUs are alike
    std::size_t listed = 0;                             ///< the smallest that the settings are of
    /// Of each pipeline stage the settings of the GPUs that it runs on, where a list has as many as
    /// the stages fill; else empty.
    std::vector<std::shared_ptr<const Settings>> ofStages;
    Bytes capacity = 0; ///< 0: unknown

    std::int64_t parametersOverride = 0; ///< 0: computed
    std::int64_t parametersPerRankOverride = 0;
    Bytes bufferBytes = 0;
    bool textOnly = false;

    std::int64_t gpus = 1;
    std::int64_t gpusPerNode = 1;
    std::int64_t networkGigabits = 1;          ///< a second, of the adapters of one GPU, one way
    Bytes hostMemory = 0;                      ///< 0: unknown
    Bytes systemBytes = 0, pageCacheBytes = 0; ///< of a memory that host and device share

    std::int64_t data = 1, tensor = 1, pipeline = 1, virtualStages = 1, context = 1, expert = 1,
                 expertTensor = 1;
    Schedule schedule = Schedule::OneForwardOneBackward;
    CountList layersPerStage; ///< of every stage
    ContextExchange contextExchange = ContextExchange::Ring;
    bool sequenceParallel = false;
    Strategy strategy = Strategy::None;
    Sharding sharding = Sharding::FullShard;
    std::int64_t shardGroup = 1;
    FsdpUnits units = FsdpUnits::Root;
    bool gradientAsBucketView = false;
    BackwardPrefetch backwardPrefetch = BackwardPrefetch::Pre;
    bool forwardPrefetch = false;
    bool limitAllGathers = true;
    bool useOrigParams = true;
    std::int64_t stage = -1; ///< -1: the worst
    std::int64_t reduceBucket = kZeroReduceBucket, allgatherBucket = kZeroAllgatherBucket,
                 prefetchBucket = kZeroPrefetchBucket, maxLiveParameters = kZeroMaxLiveParameters,
                 maxReuseDistance = kZeroMaxReuseDistance,
                 persistenceThreshold = kZeroPersistenceThreshold, subGroup = kZeroSubGroup;
    bool overlapComm = false;
    bool cpuOffload = false;
    HeadStage headStage = HeadStage::Last;

    Regime regime = Regime::AutocastBf16;
    std::int64_t weightBytes = 4, gradientBytes = 4, masterWeightBytes = 0, reduceBytes = 4,
                 computeBytes = 2; ///< computeBytes: activations and gathered weights
    LinearFormat linear = LinearFormat::Regime;

    OptimizerName optimizer = OptimizerName::AdamW;
    OptimizerImplementation implementation = OptimizerImplementation::Foreach;
    double stateBytes = 4; ///< per moment and parameter
    bool optimizerOffload = false;
    OffloadDevice offloadDevice = OffloadDevice::Cpu; ///< of optimizer states and parameters
    ZeroGrad zeroGrad = ZeroGrad::AfterStep;

    std::int64_t microBatch = 1, sequenceLength = 2048, accumulationSteps = 1;
    std::int64_t images = 0;                            ///< of each sequence
    std::int64_t imageWidth = 1024, imageHeight = 1024; ///< pixels
    TowerTraining visionTower = TowerTraining::Trained;
    bool noSync = false;
    bool attentionMask = false;

    Checkpointing checkpointing = Checkpointing::None;
    std::int64_t every = 1, checkpointedBlocks = 0;
    AttentionKind attention = AttentionKind::Flash;
    AttentionBackend attentionBackend = AttentionBackend::Cudnn;
    bool softmaxInput = false;
    Kernels kernels = Kernels::Eager;
    bool expandedKv = false;
    double dropout = 0, attentionDropout = 0;
    bool activationOffload = false;
    ExpertKernels expertKernels = ExpertKernels::Grouped;
    double capacityFactor = 0; ///< 0: dropless
    double loadImbalance = 1;

    LossKind loss = LossKind::HfUpcast;
    std::int64_t lossChunks = 8;
    bool lossKeepLogits = false;
    bool lossKeepOutputs = false;

    AdapterKind adapters = AdapterKind::None;
    std::int64_t adapterRank = 0;
    TextList adapterTargets;
    BaseQuantization baseQuantization = BaseQuantization::None;
    std::int64_t adapterWeightBytes = 4;
    double adapterDropout = 0;
    bool adapterFusedQkv = false;
    std::int64_t adapterGroupSize = 128;
    TextList adapterNotConverted = {"embedding", "head"};
    bool adapterQuantizeAtLoad = false;
    bool upcastUnquantized = false;

    Bytes contextBytes = 0, ncclBytes = 0, cublasWorkspaceBytes = 0, engineWorkspaceBytes = 0,
          residentBytes = 0;
    std::string allocConf; ///< PYTORCH_CUDA_ALLOC_CONF; empty: PyTorch's own settings
    double reservedFactor = 1;
    CalibratedSources calibrated;

    Engine engine = Engine::Plain;
    std::string engineVersion; ///< empty: of engines whose releases are not told apart
    WeightFormat weightFormat = WeightFormat::Bf16;
    MoeBackend moeBackend = MoeBackend::Marlin;
    double kvBytesPerElement = 2;
    std::int64_t blockSize = 16;
    double gpuMemoryUtilization = 0.9;
    std::int64_t maxModelLen = 0, maxNumSeqs = 256, maxNumBatchedTokens = 8192,
                 concurrentSequences = 1, meanSequenceLength = 0;
    std::int64_t chunkedPrefillSize = 0, graphMaxBatch = 0, ///< of SGLang, as the six below
        maxTotalTokens = 0,                                 ///< 0: as many as fit
        maxRunningRequests = 0, pageSize = 1;
    double staticFraction = 0, swaFullTokensRatio = 0.8, mambaFullMemoryRatio = 0.9;
    double cacheFraction = 0.9; ///< TensorRT-LLM's share of what is free for its cache
    std::int64_t maxLoras = 0, maxLoraRank = 16;
    Bytes cudaGraphBytes = 0;
    bool embeddingParallel = true;
    bool prefixCaching = true;
    std::int64_t hostExpertLayers = 0; ///< from the first on, under llama.cpp
    std::int64_t groupSize = 128;
    TextList notConverted;
    bool quantizeAtLoad = false;
    std::int64_t diffusionWidth = 0, diffusionHeight = 0, diffusionFrames = 0, ///< 0: no pipeline
        promptTokens = 0;
    std::int64_t diffusionImages = 1;
    bool guidance = true;
    DiffusionFormat transformerFormat = DiffusionFormat::Bf16;
    AutoencoderFormat vaeFormat = AutoencoderFormat::Bf16;
    DiffusionOffload diffusionOffload = DiffusionOffload::None;
    bool vaeTiling = false, vaeSlicing = false;
    Bytes nonTorchBytes = -1, activationPeakBytes = -1, kvCacheMemoryBytes = -1; ///< -1: computed

    std::int64_t promptImages = 999, promptVideos = 999, ///< vLLM's own limit
        maxPixels = 0;                                   ///< of an image; 0: as the model has it
    bool encodingProfiled = true;

    std::int64_t engineTensor = 1, sleepLevel = 1, logProbMicroBatch = 1; ///< of rl
    bool sharedProcess = false, parameterOffload = false, stateOffload = false, reference = false,
         referenceOffload = false, critic = false;
    Bytes syncBucketBytes = 0;
    Bytes heldAtStart = 0; ///< of the GPU by other processes when the engine starts

    std::int64_t runTokens = 0; ///< 0: not stated
    double gpuHourPrice = 0;    ///< in the user's own currency; 0: not stated

    SpeculativeMethod speculativeMethod = SpeculativeMethod::None;
    std::int64_t speculativeTokens = 1;
    WeightFormat draftWeightFormat = WeightFormat::Bf16;
    std::shared_ptr<const Draft> draft; ///< draftOf(); null where none is loaded
};

/// The settings of the GPUs that a pipeline stage runs on.
[[nodiscard]] inline const Settings &settingsOfStage(const Settings &settings, std::int64_t stage)
{
    return settings.ofStages.empty() ? settings
                                     : *settings.ofStages[static_cast<std::size_t>(stage)];
}

/// Host and device share one memory: what the system takes and what is offloaded stands beside the
/// rest.
[[nodiscard]] inline bool unifiedMemory(const Settings &settings)
{
    return settings.gpu && settings.gpu->unified();
}

/// The engine fills its share of the GPU with cache, whatever the sequences are; others make it as
/// large as these need.
[[nodiscard]] inline bool sizesItsCache(const Settings &settings)
{
    return settings.engine == Engine::Vllm || settings.engine == Engine::Sglang ||
           settings.engine == Engine::TrtLlm;
}

/// Tokens of a sequence that are drafted for each that the model gives by itself; 0: none.
[[nodiscard]] inline std::int64_t draftedTokens(const Settings &settings)
{
    return settings.speculativeMethod == SpeculativeMethod::None ? 0 : settings.speculativeTokens;
}

/// A plan resolved. `issues` holds what is wrong or worth telling; figures may be computed unless
/// one of them is Blocking.
struct ResolvedPlan
{
    Settings settings;
    std::vector<Issue> issues;
    [[nodiscard]] bool computable() const;
};

/// Puts in the defaults, looks up preset and GPU, reads model.config, and checks that the settings
/// agree with each other (world size, divisibility, what needs what).
[[nodiscard]] ResolvedPlan resolve(const Plan &plan);

/// What reserved memory is of allocated memory where the plan does not say: serving allocates once
/// and keeps it, some engines in pieces of their own; training wastes more where weights are
/// gathered on other streams.
[[nodiscard]] const Empirical &typicalReserved(const Settings &settings);

/// Settings that resolve() made, brought up to date with a plan whose model and GPU are still the
/// same: what a comparison of many plans does. Checks nothing (checks.h).
void updateSettings(Settings &settings, const Plan &plan);

} // namespace vramscope
