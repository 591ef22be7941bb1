// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/settings/usual_values.h"

#include "core/base/text.h"
#include "core/catalog/constants.h"
#include "core/catalog/empirical.h"
#include "core/estimate/formulas/communicators.h"
#include "core/model/diffusion/pipelines.h"
#include "core/settings/checks.h"
#include "core/settings/engines/sglang_values.h"
#include "core/settings/engines/vllm_releases.h"
#include "core/settings/field_conditions.h"
#include "core/settings/schedules/schedule.h"
#include "core/settings/vllm_graphs.h"

#include <algorithm>
#include <array>
#include <cassert>

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

/// Whether FSDP2 runs under a release of accelerate that is older than `since`; unstated is the
/// newest.
bool acceleratesBefore(const Settings &s, const EngineVersion &since)
{
    const auto version = vramscope::engineVersion(s.trainerVersion);
    return applies::acceleratesFsdp2.test(s) && version && since.isNewerThan(*version);
}

const RegimeBytes &bytesOf(const Settings &s)
{
    return kRegimes[static_cast<std::size_t>(s.regime)];
}

GpuGeneration generationOf(const Settings &s)
{
    return s.gpu ? s.gpu->generation : GpuGeneration::Ampere;
}

WeightFormat formatNamed(std::string_view name)
{
    const auto &names = choiceTexts<WeightFormat>;
    const auto found = std::ranges::find(names, name);
    assert(found != names.end());
    return static_cast<WeightFormat>(found - names.begin());
}

} // namespace

// llama.cpp and MLX read files of their own, which keep MXFP4 alone.
const PublishedModel *servedAsPublished(const Plan &plan)
{
    const PublishedModel *published =
        plan.model.preset ? findPublished(*plan.model.preset) : nullptr;
    if (!published ||
        plan.workload == Workload::Rl) // the trainer's weights are what the engine gets
        return nullptr;
    const auto &stated = plan.inference.weightFormat;
    if (stated && choiceText(*stated) != published->weightFormat)
        return nullptr;
    const auto &engine = plan.inference.engine;
    const bool own = engine && traitsOf(*engine).has(EngineTraits::OwnFiles);
    return own && published->weightFormat != "mxfp4" ? nullptr : published;
}

bool expandsSegments(std::string_view allocConf)
{
    constexpr std::string_view kKey = "expandable_segments";
    bool expands = false; // the last of several holds
    while (!allocConf.empty()) {
        const std::size_t end = std::min(allocConf.find(','), allocConf.size());
        const std::string_view option = trimmed(allocConf.substr(0, end));
        if (option.starts_with(kKey) && option.substr(kKey.size()).starts_with(':'))
            expands = trimmed(option.substr(kKey.size() + 1)) == "True";
        allocConf.remove_prefix(std::min(end + 1, allocConf.size()));
    }
    return expands;
}

bool isAllocConf(std::string_view text)
{
    constexpr std::string_view kAllowed = "abcdefghijklmnopqrstuvwxyz"
                                          "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_:,.[]>- ";
    return text.find_first_not_of(kAllowed) == text.npos;
}

bool runsCuda(const Settings &s)
{
    return !s.gpu || s.gpu->vendor() == GpuVendor::Nvidia;
}

bool fromHopper(const Settings &s)
{
    return atLeast(generationOf(s), GpuGeneration::Hopper);
}

namespace {

/// Whether a step calls torch's scaled_dot_product_attention as transformers' models do.
bool callsTorchAttention(const Settings &s)
{
    return s.workload == Workload::Training && s.kernels == Kernels::Eager &&
           s.trainer != Trainer::Torchtitan && s.context == 1 && s.images == 0 &&
           s.architecture.indexHeads == 0;
}

} // namespace

bool isMasked(const Settings &s)
{
    const Architecture &a = s.architecture;
    const bool window = a.slidingWindow > 0 && a.slidingWindow <= s.sequenceLength;
    return callsTorchAttention(s) && a.isPlain() && !a.mla() && !a.expertsOnAll &&
           (window || s.attentionMask);
}

bool lacksFusedAttention(const Settings &s)
{
    const Architecture &a = s.architecture;
    if (!callsTorchAttention(s) || a.kvHeads >= a.heads || a.mla())
        return false;
    if (a.broadcastsKey && a.kvHeads == 1)
        return true;
    // With a mask transformers repeats the keys, and other kernels take those.
    if (isMasked(s) || s.expandedKv || s.adapters.fusedQkv)
        return false;
    const bool old = s.gpu && runsCuda(s) && s.gpu->generation < GpuGeneration::Ampere;
    return usual::computeBytes(s) == 4 || old;
}

namespace usual {

Workload workload(const Plan &plan)
{
    return isPipeline(plan.model) ? Workload::Inference : Workload::Training;
}

std::int64_t sourceLength(const Settings &s)
{
    const std::int64_t fixed = s.architecture.source.positions;
    return fixed > 0 ? fixed : s.sequenceLength;
}

std::int64_t diffusionWidth(const Settings &s)
{
    return s.diffusion ? s.diffusion->kind->width : 0;
}

std::int64_t diffusionHeight(const Settings &s)
{
    return s.diffusion ? s.diffusion->kind->height : 0;
}

std::int64_t diffusionFrames(const Settings &s)
{
    return s.diffusion ? s.diffusion->kind->frames : 0;
}

std::int64_t promptTokens(const Settings &s)
{
    return s.diffusion ? s.diffusion->kind->promptTokens : 0;
}

Bytes capacity(const Settings &s)
{
    if (!s.gpuList.empty())
        return s.gpuList[s.listed].capacity;
    return s.gpu ? s.gpu->capacity : 0;
}

std::int64_t gpus(const Settings &s)
{
    return s.gpuList.empty() ? worldSize(s).value_or(1) : std::ssize(s.gpuList);
}

std::int64_t gpusPerNode(const Settings &s)
{
    return std::min(s.gpus, kGpusPerNode);
}

// Reference designs: DGX A100 has eight HDR adapters of 200 Gb/s for as many GPUs, DGX H100 eight
// NDR of 400; those of HGX B300 have 800.
std::int64_t networkGigabits(const Settings &s)
{
    if (!s.gpu || s.gpu->generation == GpuGeneration::Hopper)
        return 400;
    if (s.gpu->name.starts_with("b300") || s.gpu->name.starts_with("gb300"))
        return 800;
    const bool older = vendorOf(s.gpu->generation) == GpuVendor::Nvidia &&
                       s.gpu->generation < GpuGeneration::Hopper;
    return older ? 200 : 400;
}

// Metal, and AMD's carve-out with GTT, leave the system its part before they state a capacity. The
// measured part is that of machines with 128 GB. A Jetson Orin Nano of 8 GB uses 0.53 GiB without
// a desktop (dusty-nv/jetson-containers#342) and may run one: an eighth of a small memory at most.
Bytes systemBytes(const Settings &s)
{
    constexpr Bytes kLargestShare = 8;
    if (!s.gpu || s.gpu->memory != DeviceMemory::Pool || !runsCuda(s))
        return 0;
    const Bytes measured = empirical(Measured::UnifiedSystem).bytes();
    return s.gpu->capacity > 0 ? std::min(measured, s.gpu->capacity / kLargestShare) : measured;
}

CountList layersPerStage(const Settings &s)
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

std::int64_t expertTensor(const Settings &s)
{
    return isMegatron(s) ? s.tensor : 1;
}

std::int64_t shardGroup(const Settings &s)
{
    return std::min(s.gpusPerNode, s.data * s.context);
}

// torchtitan's distributed/fsdp.py and, from 1.14 on, accelerate's fsdp_utils.py; FSDP1 has no
// other way.
FsdpUnits units(const Settings &s)
{
    if (s.strategy != Strategy::Fsdp2)
        return FsdpUnits::Root;
    return acceleratesBefore(s, {1, 14, 0}) ? FsdpUnits::RootResharded : FsdpUnits::HeadKept;
}

// Megatron-LM core/datasets/gpt_dataset.py, unless --no-create-attention-mask-in-dataloader.
TowerTraining visionTower(const Settings &s)
{
    return s.adapters.kind == AdapterKind::Lora ? TowerTraining::Frozen : TowerTraining::Trained;
}

bool attentionMask(const Settings &s)
{
    return isMegatron(s);
}

AttentionKind attention(const Settings &s)
{
    // transformers gives models with sinks or capped scores eager attention alone.
    if (s.architecture.attentionSinks && callsTorchAttention(s))
        return AttentionKind::Eager;
    if (s.architecture.scoreSoftCap && callsTorchAttention(s))
        return AttentionKind::EagerFp32Softmax;
    if (lacksFusedAttention(s))
        return AttentionKind::Math;
    // transformers hands the bias of its scores to torch's attention as a mask.
    const bool masked = isMasked(s) || (s.architecture.biasedScores && callsTorchAttention(s));
    return masked ? AttentionKind::MemoryEfficient : AttentionKind::Flash;
}

// What Transformer Engine chooses: cuDNN's attention from Hopper on.
AttentionBackend attentionBackend(const Settings &s)
{
    return fromHopper(s) ? AttentionBackend::Cudnn : AttentionBackend::Flash2;
}

// Before Hopper as Megatron's tests show it, which give cuBLAS more than it takes by itself; from
// Hopper on 32 MiB, and as much for each of the four streams on which grouped products run.
Bytes engineWorkspaceBytes(const Settings &s)
{
    if (!runsCuda(s))
        return 0;
    // The router's product runs in Transformer Engine next to Megatron-Core's own layers too
    // (core/transformer/moe/moe_utils.py, router_gating_linear), with its workspace
    // (get_cublas_workspace_size_bytes of transformer_engine/pytorch/module/base.py).
    if (s.kernels == Kernels::MegatronLocal && s.architecture.moe())
        return (fromHopper(s) ? 32 : 4) * kMiB;
    if (s.kernels != Kernels::MegatronTe)
        return 0;
    if (!fromHopper(s))
        return empirical(Measured::TransformerEngineWorkspace).bytes();
    const bool grouped = s.architecture.moe() && s.expertKernels != ExpertKernels::Loop;
    return 32 * kMiB * (grouped ? 5 : 1);
}

bool overlapComm(const Settings &s)
{
    return s.strategy == Strategy::Zero3;
}

// What those who use a strategy set up: torchtitan and accelerate give FSDP a mixed precision of
// its own, DeepSpeed has one. Else weights stay in fp32 under autocast.
Regime regime(const Settings &s)
{
    if (applies::fsdp.test(s))
        return Regime::FsdpMixedBf16;
    return applies::zero.test(s) ? Regime::DeepSpeedBf16 : Regime::AutocastBf16;
}

// transformers 5 loads weights in the type of the checkpoint, which is bf16 of most models
// (transformers#42805); accelerate makes them fp32 under FSDP alone (fsdp_utils.py).
std::int64_t weightBytes(const Settings &s)
{
    // Under FSDP1 accelerate makes fp32 only what requires a gradient (accelerator.py); PEFT's
    // policy wraps adapters apart from their frozen base.
    const bool frozen = s.strategy == Strategy::Fsdp1 && s.adapters.kind == AdapterKind::Lora &&
                        s.regime == Regime::FsdpMixedBf16;
    return s.trainer == Trainer::Hf && (isAutocast(s.regime) || frozen) ? 2 : bytesOf(s).weight;
}

std::int64_t gradientBytes(const Settings &s)
{
    return isAutocast(s.regime) ? s.weightBytes : bytesOf(s).gradient;
}

std::int64_t masterWeightBytes(const Settings &s)
{
    return bytesOf(s).master;
}

// torchtitan's training.mixed_precision_reduce is float32; accelerate reduces in bf16.
std::int64_t reduceBytes(const Settings &s)
{
    if (s.trainer == Trainer::Torchtitan && s.regime == Regime::FsdpMixedBf16)
        return 4;
    return isAutocast(s.regime) ? s.gradientBytes : bytesOf(s).reduce;
}

std::int64_t computeBytes(const Settings &s)
{
    return bytesOf(s).compute;
}

// transformers' Trainer, unless accelerator_config says sync_each_batch; not under DeepSpeed
// (trainer.py). Before 1.11 accelerate's no_sync looks for a method that FSDP2 does not have
// (accelerator.py), so every micro-batch is reduced.
bool noSync(const Settings &s)
{
    return s.trainer == Trainer::Hf && applies::synchronises.test(s) && !applies::zero.test(s) &&
           !acceleratesBefore(s, {1, 11, 0});
}

// DeepSpeed's own optimizers are fused, and so are torchtitan's and, from PyTorch 2.8 on, those of
// transformers' Trainer (training_args.py); torch's default is a list of tensors at a time.
OptimizerImplementation implementation(const Settings &s)
{
    const bool deepSpeed = applies::zero.test(s) || s.regime == Regime::DeepSpeedBf16 ||
                           s.regime == Regime::DeepSpeedFp16;
    // schedulefree's has no fused step.
    const bool chosen =
        s.trainer != Trainer::Own && s.optimizer.name != OptimizerName::AdamWScheduleFree;
    return deepSpeed || chosen ? OptimizerImplementation::Fused : OptimizerImplementation::Foreach;
}

AutoencoderFormat vaeFormat(const Settings &s)
{
    return s.diffusion && s.diffusion->decodesInFp32() ? AutoencoderFormat::Fp32
                                                       : AutoencoderFormat::Bf16;
}

// 8-bit: a byte and two fp32 scales a pair of blocks of 256; 4-bit: half a byte and a scale a block
// of 128. Others keep it like what they update.
double stateBytes(const Settings &s)
{
    if (s.optimizer.name == OptimizerName::AdamW8bit)
        return 1.0 + 4.0 / 256;
    if (s.optimizer.name == OptimizerName::AdamW4bit)
        return 0.5 + 4.0 / 128;
    if (s.adapters.kind == AdapterKind::Lora)
        return static_cast<double>(s.adapters.weightBytes);
    return s.masterWeightBytes > 0 ? 4.0 : static_cast<double>(s.weightBytes);
}

std::int64_t checkpointedBlocks(const Settings &s)
{
    return s.architecture.layers;
}

LossKind loss(const Settings &s)
{
    if (s.learns)
        return LossKind::SelectiveLogSoftmax;
    // transformers models/bert/modeling_bert.py, models/whisper/modeling_whisper.py
    if (s.architecture.encoder || s.architecture.readsSource())
        return s.regime == Regime::Fp32 ? LossKind::CrossEntropyFp32 : LossKind::CrossEntropy;
    if (s.trainer == Trainer::Hf)
        return LossKind::HfPadded;
    if (s.trainer == Trainer::Torchtitan && s.tensor == 1)
        return LossKind::ChunkedBackward;
    return s.regime == Regime::Fp32 ? LossKind::CrossEntropyFp32 : LossKind::HfUpcast;
}

const Empirical &cudaContext(const Settings &s)
{
    return empirical(generationOf(s) == GpuGeneration::Hopper ? Measured::CudaContextHopper
                                                              : Measured::CudaContext);
}

Bytes contextBytes(const Settings &s)
{
    return runsCuda(s) ? cudaContext(s).bytes() : 0;
}

Bytes ncclBytes(const Settings &s)
{
    return runsCuda(s) ? communicatorBytes(s) : 0;
}

Bytes cublasWorkspaceBytes(const Settings &s)
{
    if (s.workload == Workload::Training)
        return cublasWorkspace(generationOf(s));
    if (!runsCuda(s))
        return 0;
    return fromHopper(s) ? empirical(Measured::ServingWorkspaceHopper).bytes() : kCublasHandle;
}

double reservedFactor(const Settings &s)
{
    return typicalReserved(s).value;
}

WeightFormat weightFormat(const Plan &plan)
{
    const PublishedModel *published = servedAsPublished(plan);
    return published ? formatNamed(published->weightFormat) : WeightFormat::Bf16;
}

/// Where vLLM is not told (--moe-backend). Triton's kernels are part of its wheels since 0.12 and
/// chosen for gpt-oss on Hopper, since 0.14 not with adapters; other models and GPUs fall back to
/// Marlin. vllm/model_executor/layers/quantization/mxfp4.py, get_mxfp4_backend; since 0.20
/// layers/fused_moe/oracle/mxfp4.py, _get_priority_backends_for_gpt_oss.
MoeBackend moeBackend(const Settings &s)
{
    if (!s.gpu)
        return MoeBackend::Marlin;
    if (isDatacenterBlackwell(*s.gpu))
        return MoeBackend::FlashInferTrtLlm;
    const auto release = vramscope::engineVersion(s.engineVersion);
    const auto since = [&](const EngineVersion &version) {
        return !release || !version.isNewerThan(*release);
    };
    const bool hasTriton = s.gpu->generation == GpuGeneration::Hopper && since({0, 12, 0}) &&
                           s.architecture.modelType == "gpt_oss";
    return hasTriton && !(s.maxLoras > 0 && since({0, 14, 0})) ? MoeBackend::Triton
                                                               : MoeBackend::Marlin;
}

std::string engineVersion(const Settings &s)
{
    // Releases before cannot serve compressed attention; logs of this one confirm its pools.
    constexpr std::string_view kCompressedSglang = "0.5.20";
    if (s.engine == Engine::Sglang && s.architecture.compressed.tokens > 0)
        return std::string(kCompressedSglang);
    return std::string(traitsOf(s.engine).newest);
}

double gpuMemoryUtilization(const Settings &s)
{
    return s.engine == Engine::Vllm ? vllmRelease(s).utilization : traitsOf(s.engine).share;
}

std::int64_t maxModelLen(const Settings &s)
{
    return s.architecture.maxPositions;
}

std::int64_t meanSequenceLength(const Settings &s)
{
    return s.maxModelLen;
}

std::int64_t maxNumSeqs(const Settings &s)
{
    return s.engine == Engine::Vllm && s.capacity > 0 ? vllmBatches(s).sequences
                                                      : traitsOf(s.engine).sequences;
}

std::int64_t maxNumBatchedTokens(const Settings &s)
{
    const std::int64_t tokens = s.engine == Engine::Vllm && s.capacity > 0
                                    ? vllmBatches(s).tokens
                                    : traitsOf(s.engine).batchedTokens;
    // Encoders read no text in chunks: vllm/engine/arg_utils.py of 0.33.
    return s.architecture.encoder ? std::max(tokens, s.maxModelLen) : tokens;
}

std::int64_t chunkedPrefillSize(const Settings &s)
{
    return sglangValues(s).chunkedPrefill;
}

std::int64_t graphMaxBatch(const Settings &s)
{
    return sglangValues(s).graphBatch;
}

double staticFraction(const Settings &s)
{
    return sglangFraction(s);
}

std::int64_t maxRunningRequests(const Settings &s)
{
    return s.architecture.compressed.tokens > 0 ? kCompressedRequests : 0;
}

std::int64_t sglangPageSize(const Settings &s)
{
    return s.architecture.compressed.tokens > 0 ? kCompressedPage : 1;
}

double windowTokensRatio(const Settings &s)
{
    return s.architecture.compressed.tokens > 0 ? kCompressedWindowRatio : 0.8;
}

Bytes cudaGraphBytes(const Settings &s)
{
    if (s.engine == Engine::Vllm)
        return vllmGraphs(s).bytes();
    return s.engine == Engine::Sglang ? sglangGraphBytes(s) : 0;
}

TextList notConverted(const Plan &plan)
{
    if (const PublishedModel *published = servedAsPublished(plan))
        return published->notConverted;
    const auto format = plan.inference.weightFormat;
    if (format && isOfMlx(*format))
        return {"router"}; // mlx_lm quantises every layer that can be, embeddings too
    return {"embedding", "head", "router"};
}

std::int64_t logProbMicroBatch(const Settings &s)
{
    return s.microBatch;
}

Bytes syncBucketBytes(const Settings &s)
{
    constexpr std::int64_t kServedBytes = 2;
    const Architecture &a = s.architecture;
    const std::int64_t widest = std::max({a.vocab, a.ffn, a.expertFfn});
    return (Exact(kServedBytes) * a.hidden * widest).value();
}

} // namespace usual

} // namespace vramscope
