// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ask/vocabulary.h"

#include "core/base/nearest.h"
#include "core/base/text.h"
#include "core/catalog/catalogue.h"
#include "core/catalog/gpu_names.h"

#include <algorithm>
#include <array>
#include <vector>

namespace vramscope {

namespace {

using enum AskedWhen;

constexpr auto kPhrases = std::to_array<AskedPhrase>({
    {"full|full fine-tune|full fine-tuning|full training|full parameter|full parameters", Always,
     "workload=training adapters.kind=none", "training of all parameters"},
    {"train|training|pretrain|pretraining|pre-training|fine-tune|fine-tuning|fine-tuned|sft",
     Always, "workload=training", "training"},
    {"lora", Always, "workload=training adapters.kind=lora", "training of LoRA adapters"},
    {"qlora", Diffusion, "workload=training adapters.kind=lora diffusion.transformer_format=nf4",
     "training of LoRA adapters on a transformer in NF4"},
    {"qlora", Always,
     "workload=training adapters.kind=lora adapters.base_quantization=nf4 "
     "adapters.weight_bytes=2",
     "training of LoRA adapters in bf16 on a base in NF4"},
    {"rl|grpo|reinforcement learning", Always, "workload=rl",
     "reinforcement learning, with an engine on the same GPUs"},
    {"ppo", Always, "workload=rl rl.critic=true rl.reference=true",
     "reinforcement learning with a critic, and an engine on the same GPUs"},
    {"serve|serves|serving|served|inference|infer|deploy|host", Always, "workload=inference",
     "serving"},
    {"vllm", Always, "workload=inference inference.engine=vllm", "serving with vLLM"},
    {"llama.cpp", Always, "workload=inference inference.engine=llama.cpp",
     "serving with llama.cpp"},
    {"sglang", Always, "workload=inference inference.engine=sglang", "serving with SGLang"},
    {"tensorrt-llm|trt-llm|trtllm", Always, "workload=inference inference.engine=trt-llm",
     "serving with TensorRT-LLM"},

    {"adamw", Training, "optimizer.name=adamw"},
    {"adam", Training, "optimizer.name=adam"},
    {"sgd", Training, "optimizer.name=sgd"},
    {"lion", Training, "optimizer.name=lion"},
    {"adafactor", Training, "optimizer.name=adafactor"},
    {"muon", Training, "optimizer.name=muon"},
    {"shampoo", Training, "optimizer.name=shampoo"},
    {"8-bit|8-bit adam|adam 8-bit|8-bit adamw|adamw 8-bit|8-bit optimizer", Training,
     "optimizer.name=adamw-8bit"},
    {"4-bit adam|adam 4-bit|4-bit adamw|adamw 4-bit|4-bit optimizer", Training,
     "optimizer.name=adamw-4bit"},
    {"optimizer offload|offload optimizer|offload the optimizer", Training,
     "optimizer.offload=true"},

    {"zero-1|zero stage 1|deepspeed zero-1", Training, "parallel.strategy=zero1"},
    {"zero-2|zero stage 2|deepspeed zero-2", Training, "parallel.strategy=zero2"},
    {"zero-3|zero stage 3|deepspeed zero-3", Training, "parallel.strategy=zero3"},
    {"fsdp|fsdp2|fsdp 2", Training, "parallel.strategy=fsdp2"},
    {"fsdp1|fsdp 1", Training, "parallel.strategy=fsdp1"},
    {"ddp", Training, "parallel.strategy=ddp"},
    {"megatron|megatron-lm", Training, "parallel.strategy=megatron"},
    {"distributed optimizer|megatron distributed optimizer", Training,
     "parallel.strategy=megatron-distributed-optimizer"},
    {"sequence parallel", Always, "parallel.sequence=true"},
    {"cpu offload|offload to cpu", Training, "parallel.cpu_offload=true"},
    {"nvme|nvme offload|offload to nvme", Training,
     "optimizer.offload=true optimizer.offload_device=nvme"},

    {"bf16|bfloat16|mixed precision|bf16 mixed|bf16 mixed precision", Training,
     "precision.regime="},
    {"pure bf16", Training, "precision.regime=pure-bf16"},
    {"fp16", Training, "precision.regime=autocast-fp16"},
    {"fp32", Training, "precision.regime=fp32"},
    {"fp8", Training, "precision.linear=fp8"},
    {"4-bit|int4|nf4|4-bit base|nf4 base", Training, "adapters.base_quantization=nf4"},
    {"int8|8-bit base|int8 base", Training, "adapters.base_quantization=int8"},

    {"checkpointing|gradient checkpointing|activation checkpointing|full checkpointing|recompute|"
     "full recompute|recomputation",
     Training, "activations.checkpointing=full"},
    {"no checkpointing|no gradient checkpointing|no activation checkpointing|without "
     "checkpointing|without gradient checkpointing|no recompute",
     Training, "activations.checkpointing=none"},
    {"selective checkpointing|selective recompute", Training,
     "activations.checkpointing=selective-op"},
    {"activation offload|offload activations", Training, "activations.offload=true"},
    {"flash|flash attention", Training, "activations.attention=flash"},
    {"eager attention", Training, "activations.attention=eager"},
    {"compile|compiled|torch.compile", Training, "activations.kernels=compiled"},

    {"bf16|bfloat16", Serving, "inference.weight_format=bf16"},
    {"fp16", Serving, "inference.weight_format=fp16"},
    {"fp32", Serving, "inference.weight_format=fp32"},
    {"fp8", Serving, "inference.weight_format=fp8"},
    {"int8|8-bit", Serving, "inference.weight_format=int8"},
    {"int4|4-bit|awq|awq int4|int4 awq", Serving, "inference.weight_format=awq-int4-g128"},
    {"gptq|gptq int4|int4 gptq", Serving, "inference.weight_format=gptq-int4-g128"},
    {"nf4|bitsandbytes", Serving, "inference.weight_format=nf4"},
    {"mxfp4", Serving, "inference.weight_format=mxfp4"},
    {"nvfp4|fp4", Serving, "inference.weight_format=nvfp4"},
    {"q4_0", Serving, "inference.weight_format=q4_0"},
    {"q8_0", Serving, "inference.weight_format=q8_0"},
    {"q4_k|q4_k_m|q4_k_s", Serving, "inference.weight_format=q4_k"},
    {"q5_k|q5_k_m|q5_k_s", Serving, "inference.weight_format=q5_k"},
    {"q6_k", Serving, "inference.weight_format=q6_k"},
    {"fp8 kv|fp8 kv cache|fp8 cache|kv fp8|kv cache fp8", Serving,
     "inference.kv_bytes_per_element=1"},
    {"prefix caching", Serving, "inference.prefix_caching=true"},

    {"offload|cpu offload|model offload", Diffusion, "diffusion.offload=model"},
    {"sequential offload", Diffusion, "diffusion.offload=sequential"},
    {"bf16|bfloat16|fp16", Diffusion, "diffusion.transformer_format=bf16", "transformer in 16 bit"},
    {"nf4|4-bit|4-bit base|nf4 base", Diffusion, "diffusion.transformer_format=nf4"},
    {"fp8", Diffusion, "diffusion.transformer_format=fp8"},
    {"vae tiling", Diffusion, "diffusion.vae_tiling=true"},
});

constexpr std::string_view kLengthWords =
    "seq|seqlen|seq len|sequence|sequence length|context|context length|ctx|max model len|max "
    "length|max len|length|tokens|token|tokens context|token context|tokens sequence";
constexpr std::string_view kManyWords =
    "users|concurrency|concurrent|requests|concurrent requests|sequences|concurrent sequences";

constexpr auto kKeywords = std::to_array<AskedKeyword>({
    {"run tokens|training tokens|total tokens", Always, "run.tokens"},
    {kLengthWords, Training, "batch.sequence_length"},
    {kLengthWords, Serving, "inference.max_model_len"},
    {"batch|batch size|bs|micro-batch|micro-batch size|mbs", Training, "batch.micro_batch"},
    {"batch|batch size|bs", Serving, "inference.concurrent_sequences"},
    {kManyWords, Serving, "inference.concurrent_sequences"},
    {"accumulation|gradient accumulation|grad accum|accumulation steps|accumulate", Training,
     "batch.accumulation_steps"},
    {"rank|lora rank|r", Training, "adapters.rank"},
    {"tp|tensor parallel", Always, "parallel.tensor"},
    {"pp|pipeline parallel", Always, "parallel.pipeline"},
    {"cp|context parallel", Always, "parallel.context"},
    {"ep|expert parallel", Always, "parallel.expert"},
    {"dp|data parallel", Always, "parallel.data"},
    {"images", Training, "batch.images"},
    {"images|batch", Diffusion, "diffusion.images"},
    {"frames", Diffusion, "diffusion.frames"},
});

constexpr std::array<std::string_view, 8> kGlued = {"tp", "pp", "cp",  "ep",
                                                    "dp", "bs", "mbs", "seq"};

constexpr std::array<std::string_view, 34> kFillers = {
    "on",   "with",  "of",    "for",  "a",    "an",   "the",   "at",  "in",
    "and",  "using", "to",    "per",  "each", "by",   "model", "gpu", "gpus",
    "card", "cards", "my",    "will", "does", "can",  "i",     "fit", "fits",
    "it",   "is",    "needs", "need", "how",  "much", "memory"};

constexpr std::array<std::string_view, 7> kMakers = {"nvidia", "amd",   "intel",   "geforce",
                                                     "radeon", "tesla", "instinct"};

/// Whether one of the alternatives has that key.
bool hasKey(std::string_view words, std::string_view key)
{
    while (!words.empty()) {
        const std::size_t bar = std::min(words.find('|'), words.size());
        if (nameKey(words.substr(0, bar)) == key)
            return true;
        words.remove_prefix(std::min(bar + 1, words.size()));
    }
    return false;
}

/// The row of that kind of plan before those of others.
template<class Row>
const Row *rowOf(std::span<const Row> rows, std::string_view key, AskedWhen when)
{
    const Row *other = nullptr;
    for (const Row &row : rows) {
        if (!hasKey(row.words, key))
            continue;
        if (row.when == Always || row.when == when)
            return &row;
        other = &row;
    }
    return other;
}

void addAlternatives(std::vector<std::string_view> &all, std::string_view words)
{
    while (!words.empty()) {
        const std::size_t bar = std::min(words.find('|'), words.size());
        all.push_back(words.substr(0, bar));
        words.remove_prefix(std::min(bar + 1, words.size()));
    }
}

} // namespace

std::span<const AskedPhrase> askedPhrases()
{
    return kPhrases;
}

std::span<const AskedKeyword> askedKeywords()
{
    return kKeywords;
}

const AskedPhrase *findPhrase(std::string_view key, AskedWhen when)
{
    return rowOf(askedPhrases(), key, when);
}

const AskedKeyword *findKeyword(std::string_view key, AskedWhen when)
{
    return rowOf(askedKeywords(), key, when);
}

bool isGluedKeyword(std::string_view word)
{
    return isOneOf(word, kGlued);
}

bool isFiller(std::string_view word)
{
    return isOneOf(word, kFillers) || isMaker(word);
}

bool isMaker(std::string_view word)
{
    return isOneOf(word, kMakers);
}

std::string didYouMeanAsked(std::string_view word)
{
    std::vector<std::string_view> known;
    for (const AskedPhrase &phrase : kPhrases)
        addAlternatives(known, phrase.words);
    for (const AskedKeyword &keyword : kKeywords)
        addAlternatives(known, keyword.words);
    for (const GpuPreset &gpu : gpuPresets())
        known.emplace_back(gpu.name);
    const bool isRepository = word.find('/') != word.npos;
    for (const CatalogueModel &model : catalogueModels())
        known.emplace_back(isRepository ? model.repository : model.name);

    return didYouMean(word, known);
}

} // namespace vramscope
