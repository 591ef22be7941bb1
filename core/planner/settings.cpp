// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/planner/settings.h"

#include "core/base/format.h"
#include "core/base/text.h"
#include "core/catalog/constants.h"
#include "core/catalog/empirical.h"
#include "core/catalog/published.h"
#include "core/planner/calibration_marks.h"
#include "core/planner/checks.h"
#include "core/planner/missing_parts.h"
#include "core/planner/parameters.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <iterator>

namespace vramscope {

namespace {

/// What a precision regime keeps for each parameter, in bytes: PyTorch autocast and FSDP mixed
/// precision, Megatron-LM's fp32 main gradients, DeepSpeed's docs (memory.rst).
struct RegimeBytes
{
    std::int64_t weight;
    std::int64_t gradient;
    std::int64_t master; ///< fp32 copy beside the weights; 0: the weights are it
    std::int64_t reduce; ///< gradients on the wire
    std::int64_t compute;
};

constexpr std::array<RegimeBytes, choiceTexts<Regime>.size()> kRegimes = {{
    {4, 4, 0, 4, 4}, // fp32
    {4, 4, 0, 4, 2}, // autocast-bf16
    {4, 4, 0, 4, 2}, // autocast-fp16
    {2, 2, 0, 2, 2}, // pure-bf16
    {4, 4, 0, 2, 2}, // fsdp-mixed-bf16: fp32 shards, gathered in bf16
    {2, 4, 4, 4, 2}, // megatron-bf16
    {2, 2, 4, 2, 2}, // deepspeed-bf16
    {2, 2, 4, 2, 2}, // deepspeed-fp16
    {2, 4, 4, 4, 2}, // fp8 (Transformer Engine): bf16 weights beside their fp8 copies
}};

/// Bytes of one moment of one parameter. 8-bit: a byte and two fp32 scales a pair of blocks of 256;
/// 4-bit: half a byte and a scale a block of 128. Others keep it like what they update.
double defaultStateBytes(OptimizerName name, const Settings &s)
{
    if (name == OptimizerName::AdamW8bit)
        return 1.0 + 4.0 / 256;
    if (name == OptimizerName::AdamW4bit)
        return 0.5 + 4.0 / 128;
    if (s.adapters == AdapterKind::Lora)
        return static_cast<double>(s.adapterWeightBytes);
    return s.masterWeightBytes > 0 ? 4.0 : static_cast<double>(s.weightBytes);
}

bool megatronStrategy(Strategy strategy)
{
    return strategy == Strategy::Megatron || strategy == Strategy::MegatronDistributedOptimizer;
}

bool zeroStrategy(Strategy strategy)
{
    return strategy == Strategy::Zero1 || strategy == Strategy::Zero2 ||
           strategy == Strategy::Zero3;
}

/// What those who use a strategy set up: torchtitan and accelerate give FSDP a mixed precision of
/// its own, DeepSpeed has one. Else weights stay in fp32 under autocast.
Regime usualRegime(Strategy strategy)
{
    if (strategy == Strategy::Fsdp1 || strategy == Strategy::Fsdp2)
        return Regime::FsdpMixedBf16;
    return zeroStrategy(strategy) ? Regime::DeepSpeedBf16 : Regime::AutocastBf16;
}

/// DeepSpeed's own optimizers are fused; torch's default is a list of tensors at a time.
OptimizerImplementation usualImplementation(const Settings &s)
{
    const bool deepSpeed = zeroStrategy(s.strategy) || s.regime == Regime::DeepSpeedBf16 ||
                           s.regime == Regime::DeepSpeedFp16;
    return deepSpeed ? OptimizerImplementation::Fused : OptimizerImplementation::Foreach;
}

/// What is wrong with the model as an issue of the field that the text begins with, if it does:
/// "model.preset: …".
Issue modelIssue(const PlanModel &model, std::string text)
{
    for (const std::string_view field : {"model.preset", "model.config"}) {
        if (text.starts_with(std::string(field) + ": "))
            return {Issue::Severity::Blocking, std::string(field), text.substr(field.size() + 2)};
    }
    return {Issue::Severity::Blocking, model.preset ? "model.preset" : "model.config",
            std::move(text)};
}

void resolveModel(const PlanModel &model, ResolvedPlan &resolved)
{
    Settings &s = resolved.settings;
    if (Result<Architecture> architecture = architectureOf(model)) {
        s.architecture = std::move(architecture).value();
        std::ranges::move(missingParts(model), std::back_inserter(resolved.issues));
    } else {
        resolved.issues.push_back(modelIssue(model, architecture.error().detail));
    }
    s.parametersOverride = model.parametersOverride.value_or(0);
    s.parametersPerRankOverride = model.parametersPerRankOverride.value_or(0);
    s.bufferBytes = model.bufferBytes.value_or(0);
}

/// The layers dealt out evenly; the first stages take one more where they do not divide.
CountList evenStages(const Settings &s)
{
    // More stages than layers are refused later; a list of them is not needed for that.
    if (s.pipeline < 1 || s.pipeline > s.architecture.layers)
        return {};
    CountList layers(static_cast<std::size_t>(s.pipeline), s.architecture.layers / s.pipeline);
    const auto longer = static_cast<std::size_t>(s.architecture.layers % s.pipeline);
    for (std::size_t stage = 0; stage < longer; ++stage)
        ++layers[stage];
    return layers;
}

void resolveParallel(const PlanParallel &parallel, Settings &s)
{
    s.data = parallel.data.value_or(1);
    s.tensor = parallel.tensor.value_or(1);
    s.pipeline = parallel.pipeline.value_or(1);
    s.virtualStages = parallel.virtualStages.value_or(1);
    s.schedule = parallel.schedule.value_or(Schedule::OneForwardOneBackward);
    s.layersPerStage = parallel.layersPerStage.value_or(evenStages(s));
    s.context = parallel.context.value_or(1);
    s.contextExchange = parallel.contextExchange.value_or(ContextExchange::Ring);
    s.expert = parallel.expert.value_or(1);
    s.strategy = parallel.strategy.value_or(Strategy::None);
    s.expertTensor = parallel.expertTensor.value_or(megatronStrategy(s.strategy) ? s.tensor : 1);
    s.sequenceParallel = parallel.sequence.value_or(false);
    s.sharding = parallel.sharding.value_or(Sharding::FullShard);
    s.gradientAsBucketView = parallel.gradientAsBucketView.value_or(false);
    s.backwardPrefetch = parallel.backwardPrefetch.value_or(BackwardPrefetch::Pre);
    s.forwardPrefetch = parallel.forwardPrefetch.value_or(false);
    s.limitAllGathers = parallel.limitAllGathers.value_or(true);
    s.stage = parallel.stage.value_or(-1);
    s.cpuOffload = parallel.cpuOffload.value_or(false);
    s.headStage = parallel.headStage.value_or(HeadStage::Last);

    const PlanBucket &bucket = parallel.bucket;
    s.reduceBucket = bucket.reduce.value_or(kZeroReduceBucket);
    s.allgatherBucket = bucket.allgather.value_or(kZeroAllgatherBucket);
    s.prefetchBucket = bucket.prefetch.value_or(kZeroPrefetchBucket);
    s.maxLiveParameters = bucket.maxLiveParameters.value_or(kZeroMaxLiveParameters);
    s.persistenceThreshold = bucket.persistence.value_or(kZeroPersistenceThreshold);
    s.subGroup = bucket.subGroup.value_or(kZeroSubGroup);
    s.overlapComm = bucket.overlapComm.value_or(s.strategy == Strategy::Zero3);
}

void resolveGpu(const PlanHardware &hardware, ResolvedPlan &resolved)
{
    if (!hardware.gpu)
        return;
    resolved.settings.gpu = findGpuPreset(*hardware.gpu);
    if (!resolved.settings.gpu)
        resolved.issues.push_back(
            {Issue::Severity::Blocking, "hardware.gpu",
             "No GPU is known as \"" + excerpt(*hardware.gpu, 60) +
                 "\". Name one of the list, or leave it out and state capacity_bytes."});
}

void resolveHardware(const Plan &plan, Settings &s)
{
    const PlanHardware &hardware = plan.hardware;
    s.capacity = hardware.capacityBytes.value_or(s.gpu ? s.gpu->capacity : 0);
    s.gpus = hardware.gpus.value_or(worldSize(s).value_or(1));
    s.gpusPerNode = hardware.gpusPerNode.value_or(std::min(s.gpus, kGpusPerNode));
    s.hostMemory = hardware.hostMemoryBytes.value_or(0);
    s.shardGroup = plan.parallel.shardGroup.value_or(std::min(s.gpusPerNode, s.data * s.context));
}

void resolvePrecision(const PlanPrecision &precision, Settings &s)
{
    s.regime = precision.regime.value_or(usualRegime(s.strategy));
    const RegimeBytes &bytes = kRegimes[static_cast<std::size_t>(s.regime)];
    s.weightBytes = precision.weightBytes.value_or(bytes.weight);
    s.gradientBytes = precision.gradientBytes.value_or(bytes.gradient);
    s.masterWeightBytes = precision.masterWeightBytes.value_or(bytes.master);
    s.reduceBytes = precision.reduceBytes.value_or(bytes.reduce);
    s.computeBytes = bytes.compute;
    s.linear = precision.linear.value_or(LinearFormat::Regime);
}

void resolveStep(const Plan &plan, Settings &s)
{
    s.optimizer = plan.optimizer.name.value_or(OptimizerName::AdamW);
    s.implementation = plan.optimizer.implementation.value_or(usualImplementation(s));
    s.stateBytes = plan.optimizer.stateBytes.value_or(defaultStateBytes(s.optimizer, s));
    s.optimizerOffload = plan.optimizer.offload.value_or(false);
    s.zeroGrad = plan.optimizer.zeroGrad.value_or(ZeroGrad::AfterStep);

    s.microBatch = plan.batch.microBatch.value_or(1);
    s.sequenceLength = plan.batch.sequenceLength.value_or(2048);
    s.accumulationSteps = plan.batch.accumulationSteps.value_or(1);
    s.noSync = plan.batch.noSync.value_or(false);

    const PlanActivations &activations = plan.activations;
    s.checkpointing = activations.checkpointing.value_or(Checkpointing::None);
    s.every = activations.every.value_or(1);
    s.checkpointedBlocks = activations.blocks.value_or(s.architecture.layers);
    s.attention = activations.attention.value_or(AttentionKind::Flash);
    s.kernels = activations.kernels.value_or(Kernels::Eager);
    s.dropout = activations.dropout.value_or(0);
    s.attentionDropout = activations.attentionDropout.value_or(0);
    s.activationOffload = activations.offload.value_or(false);
    s.expandedKv = activations.expandedKv.value_or(false);
    s.capacityFactor = activations.capacityFactor.value_or(0);
    s.loadImbalance = activations.loadImbalance.value_or(1);

    s.loss = plan.loss.value_or(s.regime == Regime::Fp32 ? LossKind::CrossEntropyFp32
                                                         : LossKind::HfUpcast);
    s.lossChunks = plan.lossChunks.value_or(8);
    s.lossKeepLogits = plan.lossKeepLogits.value_or(false);
}

void resolveAdapters(const PlanAdapters &adapters, Settings &s)
{
    s.adapters = adapters.kind.value_or(AdapterKind::None);
    s.adapterRank = adapters.rank.value_or(0);
    s.adapterTargets = adapters.targets.value_or(TextList{});
    s.baseQuantization = adapters.baseQuantization.value_or(BaseQuantization::None);
    s.adapterWeightBytes = adapters.weightBytes.value_or(4);
    s.adapterGroupSize = adapters.groupSize.value_or(128);
    static const TextList kKept = {"embedding", "head"};
    s.adapterNotConverted = adapters.modulesToNotConvert ? *adapters.modulesToNotConvert : kKept;
    s.adapterQuantizeAtLoad = adapters.quantizeAtLoad.value_or(false);
    s.upcastUnquantized = adapters.upcastUnquantized.value_or(false);
}

void resolveOverheads(const PlanOverheads &overheads, Settings &s)
{
    const GpuGeneration generation = s.gpu ? s.gpu->generation : GpuGeneration::Ampere;
    s.contextBytes = overheads.contextBytes.value_or(empirical(Measured::CudaContext).bytes());
    s.ncclBytes = overheads.ncclBytes.value_or(
        s.gpus > 1 ? empirical(Measured::NcclCommunicator).bytes() : 0);
    const Bytes serving = generation >= GpuGeneration::Hopper
                              ? empirical(Measured::ServingWorkspaceHopper).bytes()
                              : kCublasHandle;
    s.cublasWorkspaceBytes = overheads.cublasWorkspaceBytes.value_or(
        s.workload == Workload::Inference ? serving : cublasWorkspace(generation));
    s.reservedFactor = overheads.reservedFactor.value_or(typicalReserved(s).value);
    s.residentBytes = overheads.residentBytes.value_or(0);
}

WeightFormat formatNamed(std::string_view name)
{
    const auto &names = choiceTexts<WeightFormat>;
    const auto found = std::ranges::find(names, name);
    assert(found != names.end());
    return static_cast<WeightFormat>(found - names.begin());
}

/// The row of a preset whose published files are what a server loads: they are not in 16 bit, and
/// the plan states no other format. llama.cpp reads files of its own, which keep MXFP4 alone.
const PublishedModel *servedAsPublished(const Plan &plan)
{
    const PublishedModel *published =
        plan.model.preset ? findPublished(*plan.model.preset) : nullptr;
    if (!published || published->weightFormat.empty())
        return nullptr;
    const auto &stated = plan.inference.weightFormat;
    if (stated && choiceText(*stated) != published->weightFormat)
        return nullptr;
    const bool own = plan.inference.engine == Engine::LlamaCpp;
    return own && published->weightFormat != "mxfp4" ? nullptr : published;
}

void notePublishedFormat(const Plan &plan, ResolvedPlan &resolved)
{
    const PublishedModel *published = servedAsPublished(plan);
    if (resolved.settings.workload == Workload::Inference && published &&
        !plan.inference.weightFormat)
        resolved.issues.push_back({Issue::Severity::Note, "inference.weight_format",
                                   "Served in " + std::string(published->weightFormat) +
                                       ", as the model is published (" +
                                       std::string(published->source) + ")."});
}

void resolveInference(const Plan &plan, Settings &s)
{
    const PlanInference &inference = plan.inference;
    const PublishedModel *published = servedAsPublished(plan);
    s.engine = inference.engine.value_or(Engine::Plain);
    s.weightFormat = published ? formatNamed(published->weightFormat)
                               : inference.weightFormat.value_or(WeightFormat::Bf16);
    s.kvBytesPerElement = inference.kvBytesPerElement.value_or(2);
    s.blockSize = inference.blockSize.value_or(16);
    s.gpuMemoryUtilization = inference.gpuMemoryUtilization.value_or(0.9);
    s.maxModelLen = inference.maxModelLen.value_or(s.architecture.maxPositions);
    s.maxNumSeqs = inference.maxNumSeqs.value_or(256);
    s.maxNumBatchedTokens = inference.maxNumBatchedTokens.value_or(8192);
    s.concurrentSequences = inference.concurrentSequences.value_or(1);
    s.meanSequenceLength = inference.meanSequenceLength.value_or(s.maxModelLen);
    s.cudaGraphBytes = inference.cudaGraphBytes.value_or(
        s.engine == Engine::Vllm ? empirical(Measured::VllmCudaGraphs).bytes() : 0);
    s.embeddingParallel = inference.embeddingParallel.value_or(true);
    s.groupSize = inference.groupSize.value_or(128);
    static const TextList kKept = {"embedding", "head", "router"};
    s.notConverted = inference.modulesToNotConvert ? *inference.modulesToNotConvert
                     : published
                         ? TextList(published->notConverted.begin(), published->notConverted.end())
                         : kKept;
    s.quantizeAtLoad = inference.quantizeAtLoad.value_or(false);
    s.nonTorchBytes = inference.nonTorchBytes.value_or(-1);
    s.activationPeakBytes = inference.activationPeakBytes.value_or(-1);
    s.kvCacheMemoryBytes = inference.kvCacheMemoryBytes.value_or(-1);
}

} // namespace

bool ResolvedPlan::computable() const
{
    return std::ranges::none_of(
        issues, [](const Issue &issue) { return issue.severity == Issue::Severity::Blocking; });
}

const Empirical &typicalReserved(const Settings &s)
{
    if (s.workload == Workload::Inference) {
        const bool pooled = s.engine == Engine::Vllm || s.engine == Engine::LlamaCpp;
        return empirical(pooled ? Measured::ReservedPool : Measured::ReservedServing);
    }
    const bool gathers = (s.strategy == Strategy::Fsdp1 && s.sharding != Sharding::NoShard) ||
                         s.strategy == Strategy::Zero3;
    return empirical(gathers && s.data * s.context > 1 ? Measured::ReservedGathering
                                                       : Measured::ReservedSteady);
}

void updateSettings(Settings &s, const Plan &plan)
{
    s.workload = plan.workload.value_or(Workload::Training);
    resolveParallel(plan.parallel, s);
    resolveHardware(plan, s);
    resolvePrecision(plan.precision, s);
    resolveAdapters(plan.adapters, s);
    resolveStep(plan, s);
    resolveInference(plan, s);
    resolveOverheads(plan.overheads, s);
    s.calibrated = calibratedSources(plan);
}

ResolvedPlan resolve(const Plan &plan)
{
    ResolvedPlan resolved;
    resolveModel(plan.model, resolved);
    resolveGpu(plan.hardware, resolved);
    updateSettings(resolved.settings, plan);
    checkPlan(plan, resolved);
    notePublishedFormat(plan, resolved);
    for (Issue &issue : resolved.issues) // which quote the plan
        issue.text = printable(issue.text);
    return resolved;
}

} // namespace vramscope
