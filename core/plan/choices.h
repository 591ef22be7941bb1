// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/catalog/architecture.h"
#include "core/plan/engines.h"

namespace vramscope {

// The closed lists of plan-format.md. Each enumerator has its words at its place in choice_words.h.

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
/// What FSDP shards as a unit in addition to the blocks: the rest with the root; embedding and,
/// kept whole from forward to backward, norm and head (torchtitan, accelerate from 1.14 on);
/// embedding and head, none of them kept (torchtune's custom_sharded_layers).
enum class FsdpUnits { Root, RootResharded, HeadKept, ReshardAll };
/// The kernels under Transformer Engine's attention.
enum class AttentionBackend { Flash2, Cudnn, Unfused };
enum class BackwardPrefetch { Pre, Post, None };
enum class HeadStage { Last, First };
enum class Schedule { OneForwardOneBackward, GPipe, ZeroBubble };
enum class ContextExchange { Ring, AllGather, Ulysses };
/// How tokens come to experts on other ranks: each to its own, or all of them to every rank.
enum class TokenDispatcher { AllToAll, AllGather };
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
enum class LinearFormat { Regime, Bf16, Fp8, NvFp4, MxFp8 };
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
    Prodigy,
    AdamWScheduleFree,
    None
};
/// What a distributed optimizer cuts its states by: anywhere, or at the ends of tensors.
enum class StatePartition { Elements, Tensors };
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
enum class AttentionKind { Flash, MemoryEfficient, Eager, EagerFp32Softmax, Math };
/// Whether no matrix of scores is kept.
constexpr bool isFused(AttentionKind attention)
{
    return attention == AttentionKind::Flash || attention == AttentionKind::MemoryEfficient;
}
enum class Kernels { Eager, Fused, Compiled, MegatronTe, MegatronLocal, Textbook };
/// How a rank computes its experts: in grouped matrix products over sorted rows (transformers 5,
/// Megatron-LM), one after the other (transformers 4), or by torchtitan's module, which other
/// trainers take over.
enum class ExpertKernels { Grouped, Loop, Torchtitan };
/// What a training step is for, other than the next token: pairs of answers with and without a
/// reference model, a reward model, embeddings, a teacher. Its sequences and copies are settings of
/// their own.
enum class Objective { Language, Dpo, Orpo, Reward, Embedding, Distillation };
/// Whether a training step changes a vision tower.
enum class TowerTraining { Trained, Frozen };
enum class LossKind {
    CrossEntropy,
    CrossEntropyUpcast,
    CrossEntropyFp32,
    HfUpcast,
    HfPadded,
    FusedUpcast,
    FusedUpcastCopy,
    VocabParallel,
    VocabParallelFused,
    LossParallel,
    Chunked,
    ChunkedFp32,
    ChunkedBackward,
    LinearFused,
    LinearChunked,
    Compiled,
    SelectiveLogSoftmax,
    InPlace,
    None
};
enum class AdapterKind { None, Lora };
enum class BaseQuantization { None, Nf4, Nf4Double, Int8, GptqInt4, Fp8 };
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
/// layer (enable_layerwise_casting); quantised by bitsandbytes; as a GGUF file has them.
enum class DiffusionFormat {
    Bf16,
    Fp8,
    Nf4,
    Q2_K,
    Q3_K_S,
    Q3_K_M,
    Q4_0,
    Q4_1,
    Q4_K_S,
    Q4_K_M,
    Q5_0,
    Q5_1,
    Q5_K_S,
    Q5_K_M,
    Q6_K,
    Q8_0
};
[[nodiscard]] constexpr bool isOfGguf(DiffusionFormat format)
{
    return format >= DiffusionFormat::Q2_K;
}
enum class AutoencoderFormat { Bf16, Fp32 };
/// What diffusers offloads: nothing, enable_model_cpu_offload, enable_group_offload by block,
/// enable_sequential_cpu_offload.
enum class DiffusionOffload { None, Model, Group, Sequential };
/// Where DeepSpeed keeps what it offloads.
enum class OffloadDevice { Cpu, Nvme };

/// Whether mx.quantize makes it, which MLX alone reads.
[[nodiscard]] constexpr bool isOfMlx(WeightFormat format)
{
    return format >= WeightFormat::Mlx3Bit && format <= WeightFormat::Mlx8Bit;
}

} // namespace vramscope
