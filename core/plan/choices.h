// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/catalog/architecture.h"

#include <array>
#include <string_view>

namespace vramscope {

// The closed lists of plan-format.md. Each enumerator's text stands at its place in
// choiceTexts<Enum>.

/// Rl: reinforcement learning, a trainer and an engine that generates for it on the same GPUs.
enum class Workload { Training, Inference, Rl };
/// How the training loop behaves, which decides what is set where nothing is stated: as the user
/// wrote it; as transformers' Trainer and what is built on it (TRL, axolotl); as torchtitan. Each
/// tool that trains behaves as one of them (catalog/tools.h).
enum class Trainer { Own, Hf, Torchtitan };
enum class Strategy {
    None,
    Ddp,
    Zero1,
    Zero2,
    Zero3,
    Fsdp1,
    Fsdp2,
    Megatron,
    MegatronDistributedOptimizer
};
enum class Sharding { FullShard, ShardGradOp, NoShard, HybridShard };
/// What FSDP shards as a unit beside the blocks: the rest with the root; embedding and, kept whole
/// from forward to backward, norm and head (torchtitan, accelerate from 1.14 on); embedding and
/// head, none of them kept (torchtune's custom_sharded_layers).
enum class FsdpUnits { Root, HeadKept, ReshardAll };
/// The kernels under Transformer Engine's attention.
enum class AttentionBackend { Flash2, Cudnn, Unfused };
enum class BackwardPrefetch { Pre, Post, None };
enum class HeadStage { Last, First };
enum class Schedule { OneForwardOneBackward, GPipe, ZeroBubble };
enum class ContextExchange { Ring, AllGather, Ulysses };
enum class Regime {
    Fp32,
    AutocastBf16,
    AutocastFp16,
    PureBf16,
    FsdpMixedBf16,
    MegatronBf16,
    DeepSpeedBf16,
    DeepSpeedFp16,
    Fp8
};
enum class LinearFormat { Regime, Bf16, Fp8, NvFp4 };
enum class OptimizerName {
    AdamW,
    Adam,
    Sgd,
    SgdMomentum,
    Lion,
    Adafactor,
    AdafactorTorch,
    Muon,
    Shampoo,
    AdamW8bit,
    AdamW4bit,
    None
};
enum class OptimizerImplementation { Foreach, Fused, ForLoop, InBackward };
enum class ZeroGrad { AfterStep, BeforeForward, Never };
enum class Checkpointing {
    None,
    Full,
    EveryK,
    SelectiveAttention,
    SelectiveOp,
    KeepMatmuls,
    Block
};
/// Math: what PyTorch's scaled_dot_product_attention falls back to where no kernel of it is fused.
enum class AttentionKind { Flash, Eager, EagerFp32Softmax, Math };
enum class Kernels { Eager, Fused, Compiled, MegatronTe, MegatronLocal, Textbook };
/// How a rank computes its experts: in grouped matrix products over sorted rows (transformers 5,
/// Megatron-LM), or one after the other (transformers 4).
enum class ExpertKernels { Grouped, Loop };
/// What a training step is for, beside the next token: pairs of answers with and without a
/// reference model, a reward model, embeddings, a teacher. Its sequences and copies are settings of
/// their own.
enum class Objective { Language, Dpo, Orpo, Reward, Embedding, Distillation };
/// Whether a training step changes a vision tower.
enum class TowerTraining { Trained, Frozen };
enum class LossKind {
    CrossEntropyFp32,
    HfUpcast,
    HfPadded,
    FusedUpcast,
    FusedUpcastCopy,
    VocabParallel,
    LossParallel,
    Chunked,
    ChunkedFp32,
    ChunkedBackward,
    LinearFused,
    Compiled,
    SelectiveLogSoftmax,
    InPlace,
    None
};
enum class AdapterKind { None, Lora };
enum class BaseQuantization { None, Nf4, Nf4Double, Int8, GptqInt4, Fp8 };
enum class Engine { Vllm, Hf, LlamaCpp, Plain, Sglang, TrtLlm, Mlx };
/// Where the tokens come from that a speculating engine checks: vLLM's words
/// (config/speculative.py).
enum class SpeculativeMethod { None, DraftModel, Eagle, Eagle3, Mtp, Ngram };
enum class WeightFormat {
    Bf16,
    Fp16,
    Fp32,
    Fp8,
    Int8,
    GptqInt4,
    AwqInt4,
    Nf4,
    Nf4Double,
    MxFp4,
    NvFp4,
    IQ1_S,
    IQ1_M,
    IQ2_XXS,
    IQ2_XS,
    IQ2_S,
    IQ2_M,
    Q2_K_S,
    Q2_K,
    IQ3_XXS,
    IQ3_XS,
    IQ3_S,
    IQ3_M,
    Q3_K_S,
    Q3_K_M,
    Q3_K_L,
    IQ4_XS,
    IQ4_NL,
    Q4_0,
    Q4_1,
    Q4_K_S,
    Q4_K_M,
    Q4_K,
    Q5_0,
    Q5_1,
    Q5_K_S,
    Q5_K_M,
    Q5_K,
    Q6_K,
    Q8_0,
    MxFp4Moe,
    Mlx3Bit,
    Mlx4Bit,
    Mlx5Bit,
    Mlx6Bit,
    Mlx8Bit
};

/// Kernels of vLLM for experts in MXFP4, each with a layout of its own (--moe-backend).
enum class MoeBackend { Marlin, Triton, FlashInferTrtLlm };

/// How the weights of a diffusion transformer lie on the GPU: as published; cast to fp8 layer by
/// layer (enable_layerwise_casting); quantised by bitsandbytes.
enum class DiffusionFormat { Bf16, Fp8, Nf4 };
enum class AutoencoderFormat { Bf16, Fp32 };
/// Of diffusers: nothing, enable_model_cpu_offload, enable_sequential_cpu_offload.
enum class DiffusionOffload { None, Model, Sequential };
/// Where DeepSpeed keeps what it offloads.
enum class OffloadDevice { Cpu, Nvme };

template<class Enum>
inline constexpr auto choiceTexts = 0;
template<>
inline constexpr std::array<std::string_view, 3> choiceTexts<DiffusionFormat> = {"bf16", "fp8",
                                                                                 "nf4"};
template<>
inline constexpr std::array<std::string_view, 2> choiceTexts<AutoencoderFormat> = {"bf16", "fp32"};
template<>
inline constexpr std::array<std::string_view, 2> choiceTexts<OffloadDevice> = {"cpu", "nvme"};
template<>
inline constexpr std::array<std::string_view, 3> choiceTexts<DiffusionOffload> = {"none", "model",
                                                                                  "sequential"};
template<>
inline constexpr std::array<std::string_view, 3> choiceTexts<Workload> = {"training", "inference",
                                                                          "rl"};
template<>
inline constexpr std::array<std::string_view, 3> choiceTexts<Trainer> = {"own", "hf", "torchtitan"};
template<>
inline constexpr std::array<std::string_view, 9> choiceTexts<Strategy> = {
    "none",  "ddp",      "zero1",
    "zero2", "zero3",    "fsdp1",
    "fsdp2", "megatron", "megatron-distributed-optimizer"};
template<>
inline constexpr std::array<std::string_view, 4> choiceTexts<Sharding> = {
    "full_shard", "shard_grad_op", "no_shard", "hybrid_shard"};
template<>
inline constexpr std::array<std::string_view, 3> choiceTexts<BackwardPrefetch> = {"pre", "post",
                                                                                  "none"};
template<>
inline constexpr std::array<std::string_view, 3> choiceTexts<FsdpUnits> = {"root", "head-kept",
                                                                           "reshard-all"};
template<>
inline constexpr std::array<std::string_view, 3> choiceTexts<AttentionBackend> = {"flash2", "cudnn",
                                                                                  "unfused"};
template<>
inline constexpr std::array<std::string_view, 2> choiceTexts<HeadStage> = {"last", "first"};
template<>
inline constexpr std::array<std::string_view, 3> choiceTexts<Schedule> = {"1f1b", "gpipe",
                                                                          "zero-bubble"};
template<>
inline constexpr std::array<std::string_view, 3> choiceTexts<ContextExchange> = {
    "ring", "all-gather", "ulysses"};
template<>
inline constexpr std::array<std::string_view, 9> choiceTexts<Regime> = {
    "fp32",          "autocast-bf16",  "autocast-fp16",  "pure-bf16", "fsdp-mixed-bf16",
    "megatron-bf16", "deepspeed-bf16", "deepspeed-fp16", "fp8"};
template<>
inline constexpr std::array<std::string_view, 4> choiceTexts<LinearFormat> = {"regime", "bf16",
                                                                              "fp8", "nvfp4"};
template<>
inline constexpr std::array<std::string_view, 12> choiceTexts<OptimizerName> = {
    "adamw",           "adam", "sgd",     "sgd-momentum", "lion",       "adafactor",
    "adafactor-torch", "muon", "shampoo", "adamw-8bit",   "adamw-4bit", "none"};
template<>
inline constexpr std::array<std::string_view, 4> choiceTexts<OptimizerImplementation> = {
    "foreach", "fused", "for-loop", "in-backward"};
template<>
inline constexpr std::array<std::string_view, 3> choiceTexts<ZeroGrad> = {
    "after-step", "before-forward", "never"};
template<>
inline constexpr std::array<std::string_view, 7> choiceTexts<Checkpointing> = {
    "none", "full", "every-k", "selective-attention", "selective-op", "keep-matmuls", "block"};
template<>
inline constexpr std::array<std::string_view, 4> choiceTexts<AttentionKind> = {
    "flash", "eager", "eager-fp32-softmax", "math"};
template<>
inline constexpr std::array<std::string_view, 6> choiceTexts<Kernels> = {
    "eager", "fused", "compiled", "megatron-te", "megatron-local", "textbook"};
template<>
inline constexpr std::array<std::string_view, 5> choiceTexts<Activation> = {
    "fused", "relu", "gelu-new", "gelu-fast", "quick-gelu"};
template<>
inline constexpr std::array<std::string_view, 2> choiceTexts<ExpertKernels> = {"grouped", "loop"};
template<>
inline constexpr std::array<std::string_view, 6> choiceTexts<Objective> = {
    "language", "dpo", "orpo", "reward", "embedding", "distillation"};
template<>
inline constexpr std::array<std::string_view, 2> choiceTexts<TowerTraining> = {"trained", "frozen"};
template<>
inline constexpr std::array<std::string_view, 15> choiceTexts<LossKind> = {
    "cross-entropy-fp32",    "hf-upcast",        "hf-padded",     "fused-upcast",
    "fused-upcast-copy",     "vocab-parallel",   "loss-parallel", "chunked",
    "chunked-fp32",          "chunked-backward", "linear-fused",  "compiled",
    "selective-log-softmax", "in-place",         "none"};
template<>
inline constexpr std::array<std::string_view, 2> choiceTexts<AdapterKind> = {"none", "lora"};
template<>
inline constexpr std::array<std::string_view, 6> choiceTexts<BaseQuantization> = {
    "none", "nf4", "nf4-double", "int8", "gptq-int4-g128", "fp8"};
template<>
inline constexpr std::array<std::string_view, 7> choiceTexts<Engine> = {
    "vllm", "hf", "llama.cpp", "plain", "sglang", "trt-llm", "mlx"};
template<>
inline constexpr std::array<std::string_view, 6> choiceTexts<SpeculativeMethod> = {
    "none", "draft_model", "eagle", "eagle3", "mtp", "ngram"};
template<>
inline constexpr std::array<std::string_view, 46> choiceTexts<WeightFormat> = {
    "bf16",     "fp16",       "fp32",     "fp8",     "int8",   "gptq-int4-g128", "awq-int4-g128",
    "nf4",      "nf4-double", "mxfp4",    "nvfp4",   "iq1_s",  "iq1_m",          "iq2_xxs",
    "iq2_xs",   "iq2_s",      "iq2_m",    "q2_k_s",  "q2_k",   "iq3_xxs",        "iq3_xs",
    "iq3_s",    "iq3_m",      "q3_k_s",   "q3_k_m",  "q3_k_l", "iq4_xs",         "iq4_nl",
    "q4_0",     "q4_1",       "q4_k_s",   "q4_k_m",  "q4_k",   "q5_0",           "q5_1",
    "q5_k_s",   "q5_k_m",     "q5_k",     "q6_k",    "q8_0",   "mxfp4_moe",      "mlx-3bit",
    "mlx-4bit", "mlx-5bit",   "mlx-6bit", "mlx-8bit"};

/// Whether mx.quantize makes it, which MLX alone reads.
[[nodiscard]] constexpr bool isOfMlx(WeightFormat format)
{
    return format >= WeightFormat::Mlx3Bit && format <= WeightFormat::Mlx8Bit;
}

template<>
inline constexpr std::array<std::string_view, 3> choiceTexts<MoeBackend> = {"marlin", "triton",
                                                                            "flashinfer_trtllm"};

/// The document's word for a choice.
template<class Enum>
[[nodiscard]] constexpr std::string_view choiceText(Enum value)
{
    return choiceTexts<Enum>[static_cast<std::size_t>(value)];
}

} // namespace vramscope
