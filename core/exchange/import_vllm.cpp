// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/format.h"
#include "core/base/text.h"
#include "core/exchange/formats.h"
#include "core/exchange/harmless_keys.h"
#include "core/exchange/serving_import.h"
#include "core/exchange/setting_values.h"
#include "core/exchange/vllm_features.h"
#include "core/planner/parameters.h"
#include "core/planner/settings.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace vramscope {

namespace {

/// The degrees that vLLM has beside those of all engines.
void importVllmParallel(Translation &t)
{
    importServedDegrees(t, {"--tensor-parallel-size", "-tp"}, {"--pipeline-parallel-size", "-pp"},
                        {"--data-parallel-size", "-dp"});
    const PlanParallel &degrees = t.plan().parallel;
    if (t.flag({"--language-model-only"}).value_or(false))
        t.set("model.text_only", true);
    if (t.flag({"--enable-expert-parallel", "-ep"}).value_or(false))
        t.set("parallel.expert", degrees.tensor.value_or(1) * degrees.data.value_or(1));
}

/// A count with vLLM's suffix: k, m, g and t are powers of 1000 and may follow a fraction, K, M, G
/// and T are powers of 1024 and may not.
std::optional<std::int64_t> readableCount(std::string_view text)
{
    constexpr std::string_view kDecimal = "kmgt";
    constexpr std::string_view kBinary = "KMGT";
    if (text.empty())
        return std::nullopt;
    const std::size_t decimal = kDecimal.find(text.back());
    const std::size_t binary = kBinary.find(text.back());
    text.remove_suffix(1);
    const auto number = asNumber(std::string(text));
    const bool whole = number && std::trunc(*number) == *number;
    if (!number || (decimal == kDecimal.npos && (binary == kBinary.npos || !whole)))
        return std::nullopt;
    const double factor = decimal == kDecimal.npos ? std::pow(1024.0, double(binary + 1))
                                                   : std::pow(1000.0, double(decimal + 1));
    return asCount(std::trunc(*number * factor)); // as vLLM cuts it off
}

void carryReadable(Translation &t, FieldPath field, Translation::Keys keys)
{
    const ForeignSetting *setting = t.take(keys);
    const auto *text = setting ? std::get_if<std::string>(&setting->value) : nullptr;
    if (const auto count = text ? readableCount(*text) : std::nullopt)
        t.set(field, *count);
    else
        t.carry(field, keys);
}

/// It bears on memory only where layers keep a state.
void importPrefixCaching(Translation &t)
{
    const bool without = t.flag({"--no-enable-prefix-caching"}).value_or(false);
    const bool with = t.flag({"--enable-prefix-caching"}).value_or(false);
    const auto architecture = architectureOf(t.plan().model);
    if ((with || without) && architecture.ok() && architecture->state.kind != StateKind::None)
        t.set("inference.prefix_caching", with && !without);
}

/// Of experts in MXFP4 alone: other formats are laid out alike by all kernels, as far as plans
/// know.
void importExpertKernels(Translation &t)
{
    constexpr std::array<WordPair, 5> kBackends = {
        {{"marlin", "marlin"},
         {"triton", "triton"},
         {"triton_unfused", "triton"},
         {"flashinfer_trtllm", "flashinfer_trtllm"},
         {"flashinfer_trtllm_afp8", "flashinfer_trtllm"}}};
    std::string name = lowered(t.text({"--moe-backend"}).value_or("auto"));
    std::ranges::replace(name, '-', '_');
    if (t.text({"VLLM_MXFP4_USE_MARLIN"}).value_or("0") == "1")
        name = "marlin";
    if (resolve(t.plan()).settings.weightFormat != WeightFormat::MxFp4)
        return;
    const auto row = std::ranges::find(kBackends, name, &WordPair::theirs);
    if (row != kBackends.end())
        t.set("inference.moe_backend", std::string(row->ours));
    else if (name != "auto")
        t.note("is \"" + excerpt(name, 40) +
               "\", whose layout of experts plans do not know; they are counted as vLLM chooses.");
}

void importCache(Translation &t)
{
    t.carry("inference.gpu_memory_utilization", {"--gpu-memory-utilization"});
    carryReadable(t, "inference.max_model_len", {"--max-model-len"});
    t.carry("inference.max_num_seqs", {"--max-num-seqs"});
    carryReadable(t, "inference.max_num_batched_tokens", {"--max-num-batched-tokens"});
    t.carry("inference.block_size", {"--block-size"});
    carryReadable(t, "inference.kv_cache_memory_bytes",
                  {"--kv-cache-memory-bytes", "--kv-cache-memory"});
    if (const auto type = t.text({"--kv-cache-dtype"})) {
        if (type->starts_with("fp8"))
            t.set("inference.kv_bytes_per_element", std::int64_t(1));
        else if (*type == "auto" || *type == "bfloat16" || *type == "float16")
            t.set("inference.kv_bytes_per_element", std::int64_t(2));
        else
            t.note("is \"" + excerpt(*type, 40) + "\"; known are auto, bfloat16 and fp8.");
    }
    if (t.flag({"--enforce-eager"}).value_or(false))
        t.set("inference.cuda_graph_bytes", std::int64_t(0));
    importPrefixCaching(t);
}

/// Slots for adapters: one of rank 16 where the line only asks for some (vllm/config/lora.py).
void importAdapterSlots(Translation &t)
{
    const auto slots = t.count({"--max-loras"});
    if (t.flag({"--enable-lora"}).value_or(false))
        t.set("inference.max_loras", slots.value_or(1));
    else
        t.set("inference.max_loras", {});
    t.carry("inference.max_lora_rank", {"--max-lora-rank"});
}

/// LLM(…) in a program takes larger batches than the server, by the GPU's memory.
void importBatchesOfLibrary(Translation &t)
{
    const PlanInference &stated = t.plan().inference;
    if (stated.maxNumBatchedTokens)
        return;
    const Settings settings = resolve(t.plan()).settings;
    if (settings.capacity > 0)
        t.set("inference.max_num_batched_tokens", vllmBatches(settings, VllmUse::Library).tokens);
    else
        t.note("", "LLM(…) takes batches of 16,384 tokens on GPUs of 70 GiB and more but A100, of "
                   "8,192 on others: state inference.max_num_batched_tokens, or choose a GPU and "
                   "import again.");
}

/// What the environment changes of vLLM's budget.
void importVllmEnvironment(Translation &t)
{
    if (t.text({"VLLM_USE_V1"}).value_or("1") == "0")
        t.note("runs the old engine, V0: its budget is that of inference.engine_version 0.7.");
    if (const auto applied = t.text({"VLLM_MEMORY_PROFILER_ESTIMATE_CUDAGRAPHS"}))
        t.note(
            "decides whether CUDA graphs are taken off the cache, which plans take from "
            "inference.engine_version: " +
            std::string(*applied == "0" ? "up to 0.20 they are not." : "from 0.21 on they are."));
}

} // namespace

Imported importVllm(Translation t, VllmUse use)
{
    const std::string name = t.text({"--model"}).value_or("");
    const ServedModel model = beginServing(t, "vllm", name);
    importVllmParallel(t);
    importCache(t);
    importServedFormat(t, {"--dtype"}, {"--quantization", "-q"}, kVllmQuantizations);
    importAdapterSlots(t);
    importExpertKernels(t);
    importVllmFeatures(t);
    importVllmEnvironment(t);
    if (t.number({"--cpu-offload-gb"}).value_or(0) > 0)
        t.note("keeps weights on the host, which a plan cannot say; they are counted on the GPU.");
    if (use == VllmUse::Library)
        importBatchesOfLibrary(t);
    return finishServing(std::move(t), model, "vLLM arguments", vllmHarmless());
}

} // namespace vramscope
