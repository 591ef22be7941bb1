// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalog/formats.h"
#include "core/catalog/tools.h"
#include "ui/planner/form_layout.h"
#include "ui/support/text.h"

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

struct ChoiceTitle
{
    FieldPath path;
    std::string_view choice;
    std::string_view title;
};

// Words that the document's own spelling does not make readable.
constexpr ChoiceTitle kTitles[] = {
    {"workload", "training", "Training"},
    {"workload", "inference", "Inference"},
    {"workload", "rl", "Reinforcement learning"},
    {"diffusion.transformer_format", "bf16", "16 bit"},
    {"diffusion.transformer_format", "fp8", "fp8, cast"},
    {"diffusion.transformer_format", "nf4", "nf4"},
    {"diffusion.vae_format", "bf16", "16 bit"},
    {"diffusion.vae_format", "fp32", "fp32"},
    {"diffusion.offload", "none", "none"},
    {"diffusion.offload", "model", "whole components"},
    {"diffusion.offload", "sequential", "layer by layer"},
    {"optimizer.offload_device", "cpu", "host memory"},
    {"optimizer.offload_device", "nvme", "NVMe"},
    {"model.norm", "rmsnorm", "RMSNorm"},
    {"model.norm", "layernorm", "LayerNorm"},
    {"parallel.strategy", "none", "none"},
    {"parallel.strategy", "ddp", "DDP"},
    {"parallel.strategy", "zero1", "ZeRO-1"},
    {"parallel.strategy", "zero2", "ZeRO-2"},
    {"parallel.strategy", "zero3", "ZeRO-3"},
    {"parallel.strategy", "fsdp1", "FSDP1"},
    {"parallel.strategy", "fsdp2", "FSDP2"},
    {"parallel.strategy", "megatron", "Megatron"},
    {"parallel.strategy", "megatron-distributed-optimizer", "Megatron dist. opt."},
    {"parallel.sharding", "full_shard", "full shard"},
    {"parallel.sharding", "shard_grad_op", "grads, optimizer"},
    {"parallel.sharding", "no_shard", "no shard"},
    {"parallel.sharding", "hybrid_shard", "hybrid shard"},
    {"precision.regime", "fp32", "fp32"},
    {"precision.regime", "autocast-bf16", "autocast bf16"},
    {"precision.regime", "autocast-fp16", "autocast fp16"},
    {"precision.regime", "pure-bf16", "pure bf16"},
    {"precision.regime", "fsdp-mixed-bf16", "FSDP mixed bf16"},
    {"precision.regime", "megatron-bf16", "Megatron bf16"},
    {"precision.regime", "deepspeed-bf16", "DeepSpeed bf16"},
    {"precision.regime", "deepspeed-fp16", "DeepSpeed fp16"},
    {"precision.regime", "fp8", "FP8"},
    {"precision.linear", "regime", "as the regime says"},
    {"precision.linear", "fp8", "FP8"},
    {"precision.linear", "nvfp4", "NVFP4"},
    {"optimizer.name", "adamw", "AdamW"},
    {"optimizer.name", "adam", "Adam"},
    {"optimizer.name", "sgd", "SGD"},
    {"optimizer.name", "sgd-momentum", "SGD, momentum"},
    {"optimizer.name", "lion", "Lion"},
    {"optimizer.name", "muon", "Muon"},
    {"optimizer.name", "shampoo", "Shampoo"},
    {"optimizer.name", "adamw-8bit", "AdamW 8-bit"},
    {"optimizer.name", "adamw-4bit", "AdamW 4-bit"},
    {"optimizer.name", "adafactor", "Adafactor (HF)"},
    {"optimizer.name", "adafactor-torch", "Adafactor (torch)"},
    {"optimizer.implementation", "for-loop", "for loop"},
    {"optimizer.implementation", "in-backward", "in backward"},
    {"optimizer.zero_grad", "after-step", "after the step"},
    {"optimizer.zero_grad", "before-forward", "before forward"},
    {"activations.checkpointing", "full", "full, every block"},
    {"activations.checkpointing", "every-k", "every k-th block"},
    {"activations.checkpointing", "selective-attention", "selective, attention"},
    {"activations.checkpointing", "selective-op", "selective, by op"},
    {"activations.checkpointing", "keep-matmuls", "keep matmuls"},
    {"activations.checkpointing", "block", "some blocks"},
    {"activations.attention", "flash", "flash"},
    {"activations.attention", "eager-fp32-softmax", "eager, fp32 softmax"},
    {"activations.attention", "math", "PyTorch's fallback"},
    {"activations.attention_backend", "flash2", "FlashAttention 2"},
    {"activations.attention_backend", "cudnn", "cuDNN"},
    {"activations.experts", "grouped", "grouped products"},
    {"activations.experts", "loop", "one by one"},
    {"activations.kernels", "megatron-te", "Megatron TE"},
    {"activations.kernels", "megatron-local", "Megatron local"},
    {"activations.kernels", "textbook", "textbook"},
    {"loss", "cross-entropy-fp32", "fp32 logits"},
    {"loss", "hf-upcast", "HF upcast"},
    {"loss", "hf-padded", "HF from 4.49"},
    {"loss", "fused-upcast", "fused upcast"},
    {"loss", "fused-upcast-copy", "fused upcast, copy"},
    {"loss", "vocab-parallel", "vocab parallel"},
    {"loss", "loss-parallel", "loss parallel"},
    {"loss", "chunked-fp32", "chunked, fp32 logits"},
    {"loss", "chunked-backward", "chunked backward"},
    {"loss", "linear-fused", "fused with the head"},
    {"loss", "selective-log-softmax", "selective log-softmax (TRL)"},
    {"loss", "in-place", "in place (verl)"},
    {"model.activation", "fused", "one kernel"},
    {"model.activation", "relu", "ReLU"},
    {"model.activation", "gelu-new", "gelu_new"},
    {"model.activation", "gelu-fast", "gelu_fast"},
    {"model.activation", "quick-gelu", "quick_gelu"},
    {"parallel.units", "root", "with the root"},
    {"parallel.units", "head-kept", "apart, head kept"},
    {"parallel.units", "reshard-all", "apart, none kept"},
    {"adapters.kind", "lora", "LoRA"},
    {"adapters.base_quantization", "nf4", "NF4"},
    {"adapters.base_quantization", "nf4-double", "NF4, double"},
    {"adapters.base_quantization", "gptq-int4-g128", "GPTQ int4"},
    {"adapters.base_quantization", "fp8", "FP8"},
    {"inference.engine", "vllm", "vLLM"},
    {"inference.engine", "hf", "Hugging Face"},
    {"inference.engine", "llama.cpp", "llama.cpp"},
    {"inference.engine", "plain", "plain"},
    {"inference.engine", "sglang", "SGLang"},
    {"inference.engine", "trt-llm", "TensorRT-LLM"},
    {"inference.weight_format", "fp8", "FP8"},
    {"inference.weight_format", "gptq-int4-g128", "GPTQ int4"},
    {"inference.weight_format", "awq-int4-g128", "AWQ int4"},
    {"inference.weight_format", "nf4", "NF4"},
    {"inference.weight_format", "nf4-double", "NF4, double"},
    {"inference.weight_format", "mxfp4", "MXFP4"},
    {"inference.weight_format", "nvfp4", "NVFP4"},
    {"inference.weight_format", "mlx-3bit", "MLX 3 bit"},
    {"inference.weight_format", "mlx-4bit", "MLX 4 bit"},
    {"inference.weight_format", "mlx-5bit", "MLX 5 bit"},
    {"inference.weight_format", "mlx-6bit", "MLX 6 bit"},
    {"inference.weight_format", "mlx-8bit", "MLX 8 bit"},
    {"inference.engine", "mlx", "MLX"},
};

} // namespace

QString choiceTitle(FieldPath path, std::string_view choice)
{
    for (const ChoiceTitle &title : kTitles) {
        if (title.path == path && title.choice == choice)
            return toQString(title.title);
    }
    if (const Tool *tool = path == "trainer" ? toolNamed(choice) : nullptr)
        return toQString(tool->title);
    if (const WeightStorage *storage = findWeightStorage(choice); storage && storage->gguf)
        return toQString(choice).toUpper(); // as files of llama.cpp are named
    return toQString(choice).replace(u'-', u' ').replace(u'_', u' ');
}

} // namespace vramscope
