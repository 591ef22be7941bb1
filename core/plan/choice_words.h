// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/choices.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>
#include <type_traits>

namespace vramscope {

/// A choice: its word in the document, and what people read where the word does not say it.
struct Choice
{
    std::string_view word;
    std::string_view title = {};
};

/// The choices of an enumeration, each at the place of its enumerator.
template<class Enum>
inline constexpr auto choiceWords = 0;
template<>
inline constexpr Choice choiceWords<DiffusionFormat>[] = {
    {"bf16", "16 bit"},        {"fp8", "fp8, cast"},      {"nf4"},
    {"q2_k", "GGUF Q2_K"},     {"q3_k_s", "GGUF Q3_K_S"}, {"q3_k_m", "GGUF Q3_K_M"},
    {"q4_0", "GGUF Q4_0"},     {"q4_1", "GGUF Q4_1"},     {"q4_k_s", "GGUF Q4_K_S"},
    {"q4_k_m", "GGUF Q4_K_M"}, {"q5_0", "GGUF Q5_0"},     {"q5_1", "GGUF Q5_1"},
    {"q5_k_s", "GGUF Q5_K_S"}, {"q5_k_m", "GGUF Q5_K_M"}, {"q6_k", "GGUF Q6_K"},
    {"q8_0", "GGUF Q8_0"}};
static_assert(std::size(choiceWords<DiffusionFormat>) ==
              static_cast<std::size_t>(DiffusionFormat::Q8_0) + 1);
template<>
inline constexpr Choice choiceWords<AutoencoderFormat>[] = {{"bf16", "16 bit"}, {"fp32"}};
template<>
inline constexpr Choice choiceWords<OffloadDevice>[] = {{"cpu", "host memory"}, {"nvme", "NVMe"}};
template<>
inline constexpr Choice choiceWords<DiffusionOffload>[] = {{"none"},
                                                           {"model", "whole components"},
                                                           {"group", "block by block"},
                                                           {"sequential", "layer by layer"}};
template<>
inline constexpr Choice choiceWords<Workload>[] = {
    {"training", "Training"}, {"inference", "Inference"}, {"rl", "Reinforcement learning"}};
template<>
inline constexpr Choice choiceWords<Trainer>[] = {{"own"}, {"hf"}, {"torchtitan"}};
template<>
inline constexpr Choice choiceWords<Strategy>[] = {
    {"none"},
    {"ddp", "DDP"},
    {"zero1", "ZeRO-1"},
    {"zero2", "ZeRO-2"},
    {"zero3", "ZeRO-3"},
    {"fsdp1", "FSDP1"},
    {"fsdp2", "FSDP2"},
    {"megatron", "Megatron"},
    {"megatron-distributed-optimizer", "Megatron dist. opt."}};
template<>
inline constexpr Choice choiceWords<Sharding>[] = {
    {"full_shard"}, {"shard_grad_op", "grads, optimizer"}, {"no_shard"}, {"hybrid_shard"}};
template<>
inline constexpr Choice choiceWords<BackwardPrefetch>[] = {{"pre"}, {"post"}, {"none"}};
template<>
inline constexpr Choice choiceWords<FsdpUnits>[] = {{"root", "with the root"},
                                                    {"root-resharded", "with a root that reshards"},
                                                    {"head-kept", "apart, head kept"},
                                                    {"reshard-all", "apart, none kept"}};
template<>
inline constexpr Choice choiceWords<AttentionBackend>[] = {
    {"flash2", "FlashAttention 2"}, {"cudnn", "cuDNN"}, {"unfused"}};
template<>
inline constexpr Choice choiceWords<HeadStage>[] = {{"last"}, {"first"}};
template<>
inline constexpr Choice choiceWords<Schedule>[] = {{"1f1b"}, {"gpipe"}, {"zero-bubble"}};
template<>
inline constexpr Choice choiceWords<TokenDispatcher>[] = {{"alltoall", "all-to-all"},
                                                          {"allgather", "all-gather"}};
template<>
inline constexpr Choice choiceWords<ContextExchange>[] = {{"ring"}, {"all-gather"}, {"ulysses"}};
template<>
inline constexpr Choice choiceWords<Regime>[] = {{"fp32"},
                                                 {"autocast-bf16"},
                                                 {"autocast-fp16"},
                                                 {"pure-bf16"},
                                                 {"fsdp-mixed-bf16", "FSDP mixed bf16"},
                                                 {"megatron-bf16", "Megatron bf16"},
                                                 {"deepspeed-bf16", "DeepSpeed bf16"},
                                                 {"deepspeed-fp16", "DeepSpeed fp16"},
                                                 {"fp8", "FP8"}};
template<>
inline constexpr Choice choiceWords<LinearFormat>[] = {{"regime", "as the regime says"},
                                                       {"bf16"},
                                                       {"fp8", "FP8"},
                                                       {"nvfp4", "NVFP4"},
                                                       {"mxfp8", "MXFP8"}};
template<>
inline constexpr Choice choiceWords<OptimizerName>[] = {
    {"adamw", "AdamW"},
    {"adam", "Adam"},
    {"sgd", "SGD"},
    {"sgd-momentum", "SGD, momentum"},
    {"lion", "Lion"},
    {"adafactor", "Adafactor (HF)"},
    {"adafactor-torch", "Adafactor (torch)"},
    {"muon", "Muon"},
    {"shampoo", "Shampoo"},
    {"adamw-8bit", "AdamW 8-bit"},
    {"adamw-4bit", "AdamW 4-bit"},
    {"prodigy", "Prodigy"},
    {"adamw-schedule-free", "AdamW, schedule-free"},
    {"none"}};
template<>
inline constexpr Choice choiceWords<StatePartition>[] = {{"elements"},
                                                         {"tensors", "whole tensors"}};
template<>
inline constexpr Choice choiceWords<OptimizerImplementation>[] = {
    {"foreach"}, {"fused"}, {"for-loop"}, {"in-backward"}};
template<>
inline constexpr Choice choiceWords<ZeroGrad>[] = {
    {"after-step", "after the step"}, {"before-forward"}, {"never"}};
template<>
inline constexpr Choice choiceWords<Checkpointing>[] = {
    {"none"},
    {"full", "full, every block"},
    {"every-k", "every k-th block"},
    {"selective-attention", "selective, attention"},
    {"selective-op", "selective, by op"},
    {"keep-matmuls"},
    {"block", "some blocks"}};
template<>
inline constexpr Choice choiceWords<AttentionKind>[] = {
    {"flash"},
    {"memory-efficient"},
    {"eager"},
    {"eager-fp32-softmax", "eager, fp32 softmax"},
    {"math", "PyTorch's fallback"}};
template<>
inline constexpr Choice choiceWords<Kernels>[] = {{"eager"},
                                                  {"fused"},
                                                  {"compiled"},
                                                  {"megatron-te", "Megatron TE"},
                                                  {"megatron-local", "Megatron local"},
                                                  {"textbook"}};
template<>
inline constexpr Choice choiceWords<Activation>[] = {
    {"fused", "one kernel"},  {"relu", "ReLU"},           {"relu-squared", "ReLU²"},
    {"gelu-new", "gelu_new"}, {"gelu-fast", "gelu_fast"}, {"quick-gelu", "quick_gelu"},
    {"clamped-gate"}};
static_assert(std::size(choiceWords<Activation>) ==
              static_cast<std::size_t>(Activation::ClampedGate) + 1);
template<>
inline constexpr Choice choiceWords<ExpertKernels>[] = {
    {"grouped", "grouped products"}, {"loop", "one by one"}, {"torchtitan"}};
template<>
inline constexpr Choice choiceWords<Objective>[] = {{"language"}, {"dpo"},       {"orpo"},
                                                    {"reward"},   {"embedding"}, {"distillation"}};
template<>
inline constexpr Choice choiceWords<TowerTraining>[] = {{"trained"}, {"frozen"}};
template<>
inline constexpr Choice choiceWords<LossKind>[] = {
    {"cross-entropy", "torch's cross-entropy"},
    {"cross-entropy-upcast", "torch's cross-entropy, upcast"},
    {"cross-entropy-fp32", "fp32 logits"},
    {"hf-upcast", "HF upcast"},
    {"hf-padded", "HF from 4.49"},
    {"fused-upcast"},
    {"fused-upcast-copy", "fused upcast, copy"},
    {"vocab-parallel"},
    {"vocab-parallel-fused", "vocab-parallel, fused"},
    {"loss-parallel"},
    {"chunked"},
    {"chunked-fp32", "chunked, fp32 logits"},
    {"chunked-backward"},
    {"linear-fused", "fused with the head"},
    {"linear-chunked", "with the head, by columns"},
    {"compiled"},
    {"selective-log-softmax", "selective log-softmax (TRL)"},
    {"in-place", "in place (verl)"},
    {"none"}};
template<>
inline constexpr Choice choiceWords<AdapterKind>[] = {{"none"}, {"lora", "LoRA"}};
template<>
inline constexpr Choice choiceWords<BaseQuantization>[] = {{"none"},
                                                           {"nf4", "NF4"},
                                                           {"nf4-double", "NF4, double"},
                                                           {"int8"},
                                                           {"gptq-int4-g128", "GPTQ int4"},
                                                           {"fp8", "FP8"}};
template<>
inline constexpr auto &choiceWords<Engine> = kEngineTraits;
template<>
inline constexpr Choice choiceWords<SpeculativeMethod>[] = {{"none"},   {"draft_model"}, {"eagle"},
                                                            {"eagle3"}, {"mtp"},         {"ngram"}};
template<>
inline constexpr Choice choiceWords<WeightFormat>[] = {{"bf16"},
                                                       {"fp16"},
                                                       {"fp32"},
                                                       {"fp8", "FP8"},
                                                       {"int8"},
                                                       {"gptq-int4-g128", "GPTQ int4"},
                                                       {"awq-int4-g128", "AWQ int4"},
                                                       {"nf4", "NF4"},
                                                       {"nf4-double", "NF4, double"},
                                                       {"mxfp4", "MXFP4"},
                                                       {"nvfp4", "NVFP4"},
                                                       {"iq1_s"},
                                                       {"iq1_m"},
                                                       {"iq2_xxs"},
                                                       {"iq2_xs"},
                                                       {"iq2_s"},
                                                       {"iq2_m"},
                                                       {"q2_k_s"},
                                                       {"q2_k"},
                                                       {"iq3_xxs"},
                                                       {"iq3_xs"},
                                                       {"iq3_s"},
                                                       {"iq3_m"},
                                                       {"q3_k_s"},
                                                       {"q3_k_m"},
                                                       {"q3_k_l"},
                                                       {"iq4_xs"},
                                                       {"iq4_nl"},
                                                       {"q4_0"},
                                                       {"q4_1"},
                                                       {"q4_k_s"},
                                                       {"q4_k_m"},
                                                       {"q4_k"},
                                                       {"q5_0"},
                                                       {"q5_1"},
                                                       {"q5_k_s"},
                                                       {"q5_k_m"},
                                                       {"q5_k"},
                                                       {"q6_k"},
                                                       {"q8_0"},
                                                       {"mxfp4_moe"},
                                                       {"mlx-3bit", "MLX 3 bit"},
                                                       {"mlx-4bit", "MLX 4 bit"},
                                                       {"mlx-5bit", "MLX 5 bit"},
                                                       {"mlx-6bit", "MLX 6 bit"},
                                                       {"mlx-8bit", "MLX 8 bit"}};
template<>
inline constexpr Choice choiceWords<MoeBackend>[] = {{"marlin"}, {"triton"}, {"flashinfer_trtllm"}};

/// One member of all choices of an enumeration.
template<class Enum, auto Member>
inline constexpr auto choiceList = [] {
    std::array<std::string_view, std::size(choiceWords<Enum>)> list;
    std::ranges::transform(choiceWords<Enum>, list.begin(), Member);
    return list;
}();
template<class Enum>
using ChoiceOf = std::remove_cvref_t<decltype(choiceWords<Enum>[0])>;
template<class Enum>
inline constexpr auto &choiceTexts = choiceList<Enum, &ChoiceOf<Enum>::word>;
template<class Enum>
inline constexpr auto &choiceTitles = choiceList<Enum, &ChoiceOf<Enum>::title>;

/// The document's word for a choice.
template<class Enum>
[[nodiscard]] constexpr std::string_view choiceText(Enum value)
{
    return choiceTexts<Enum>[static_cast<std::size_t>(value)];
}

} // namespace vramscope
