// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/format.h"
#include "core/base/text.h"
#include "core/catalog/catalogue.h"
#include "core/catalog/published.h"
#include "core/exchange/formats.h"
#include "core/exchange/harmless_keys.h"
#include "core/exchange/setting_values.h"
#include "core/exchange/vllm_features.h"
#include "core/planner/parameters.h"

#include <array>
#include <cmath>

namespace vramscope {

namespace {

constexpr std::array<WordPair, 6> kVllmTypes = {{{"bfloat16", "bf16"},
                                                 {"half", "fp16"},
                                                 {"float16", "fp16"},
                                                 {"float", "fp32"},
                                                 {"float32", "fp32"},
                                                 {"auto", "bf16"}}};

/// The last part of a repository's or a folder's name.
std::string lastPart(std::string_view name)
{
    while (name.ends_with('/'))
        name.remove_suffix(1);
    return std::string(name.substr(name.rfind('/') + 1, 80)); // npos + 1 is 0
}

/// Whether nobody gave the plan a name of its own: it has none, or that of its model.
bool namedAfterItsModel(const Plan &plan)
{
    const CatalogueModel *preset =
        plan.model.preset ? findCatalogueModel(*plan.model.preset) : nullptr;
    return !plan.name || (preset && *plan.name == preset->title);
}

/// Gives what to call the model; empty where the line names none.
std::string importVllmModel(Translation &t)
{
    const std::optional<std::string> name = t.text({"--model"});
    if (!name)
        return {};
    const CatalogueModel *preset = setModel(t, *name);
    if (!preset)
        return lastPart(*name);
    constexpr std::array<FieldPath, 5> kOfOldModel = {
        "inference.weight_format", "inference.group_size", "inference.modules_to_not_convert",
        "inference.quantize_at_load", "inference.max_model_len"};
    for (const FieldPath field : kOfOldModel)
        t.set(field, {});
    return preset->title;
}

/// The degrees are the line's alone: those of a training run say nothing of a server.
void importVllmParallel(Translation &t)
{
    t.clear("parallel");
    t.carry("parallel.tensor", {"--tensor-parallel-size", "-tp"});
    t.carry("parallel.pipeline", {"--pipeline-parallel-size", "-pp"});
    const std::int64_t engines = t.count({"--data-parallel-size", "-dp"}).value_or(1);
    if (engines > 1) {
        t.set("parallel.data", engines);
        t.note("starts " + std::to_string(engines) +
               " engines; the cache and its sequences are those of one.");
    }
    const std::int64_t replicas = t.plan().parallel.data.value_or(1);
    t.set("hardware.gpus", gpusPerReplica(t.plan()) * replicas);
    if (t.flag({"--language-model-only"}).value_or(false))
        t.set("model.text_only", true);
    if (t.flag({"--enable-expert-parallel", "-ep"}).value_or(false))
        t.set("parallel.expert", t.plan().parallel.tensor.value_or(1) * replicas);
}

/// A published quantisation stays whatever type the rest is computed in.
void importFormat(Translation &t)
{
    const auto &preset = t.plan().model.preset;
    const PublishedModel *published = preset ? findPublished(*preset) : nullptr;
    if (!published || published->weightFormat.empty())
        t.translate("inference.weight_format", {"--dtype"}, kVllmTypes);
    else if (t.take({"--dtype"}))
        t.note("is what is computed in; the weights stay in " +
               std::string(published->weightFormat) + ", as they are published.");
    t.translate("inference.weight_format", {"--quantization", "-q"}, kVllmQuantizations);
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

} // namespace

Imported importVllm(Translation t)
{
    t.set("workload", "inference");
    t.set("inference.engine", "vllm");
    const bool renamed = namedAfterItsModel(t.plan());
    std::string model = importVllmModel(t);
    importVllmParallel(t);
    importCache(t);
    importFormat(t);
    importVllmFeatures(t);
    if (t.number({"--cpu-offload-gb"}).value_or(0) > 0)
        t.note("keeps weights on the host, which a plan cannot say; they are counted on the GPU.");
    const PlanHardware &hardware = t.plan().hardware;
    if (!hardware.gpu && !hardware.capacityBytes && !t.plan().inference.kvCacheMemoryBytes)
        t.note("", "No GPU is named: choose one as hardware.gpu, for vLLM sizes its cache by the "
                   "GPU's memory.");
    Imported imported = std::move(t).finish("vLLM arguments", vllmHarmless());
    if (renamed && !model.empty())
        imported.plan.name = printable(model);
    return imported;
}

} // namespace vramscope
