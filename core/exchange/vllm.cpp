// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "core/catalog/model_names.h"
#include "core/catalog/published.h"
#include "core/exchange/formats.h"
#include "core/exchange/serving.h"
#include "core/exchange/setting_values.h"
#include "core/exchange/vllm_features.h"
#include "core/planner/parameters.h"

#include <algorithm>
#include <cmath>

namespace vramscope {

namespace {

constexpr SettingRow kVllmDegrees[] = {
    {"--tensor-parallel-size -tp", "parallel.tensor"},
    {"--pipeline-parallel-size -pp", "parallel.pipeline", AboveOne},
};
constexpr SettingRow kVllmPools[] = {
    {"--gpu-memory-utilization", "inference.gpu_memory_utilization", Stated},
    {"--max-model-len", "inference.max_model_len", Stated},
    {"--max-num-seqs", "inference.max_num_seqs", Stated},
    {"--max-num-batched-tokens", "inference.max_num_batched_tokens", Stated},
    {"--block-size", "inference.block_size", Stated},
    {"--kv-cache-memory-bytes --kv-cache-memory", "inference.kv_cache_memory_bytes", Stated},
};
constexpr SettingRow kVllmLoraRank = {"--max-lora-rank", "inference.max_lora_rank", Stated};
constexpr WordPair kExpertBackends[] = {{"marlin", "marlin"},
                                        {"triton", "triton"},
                                        {"triton_unfused", "triton"},
                                        {"flashinfer_trtllm", "flashinfer_trtllm"},
                                        {"flashinfer_trtllm_afp8", "flashinfer_trtllm"}};

/// The degrees that vLLM has beside those of all engines.
void importVllmParallel(Translation &t)
{
    importServedDegrees(t, kVllmDegrees, "--data-parallel-size -dp");
    const PlanParallel &degrees = t.plan().parallel;
    if (t.isOn("--language-model-only"))
        t.set("model.text_only", true);
    if (t.isOn("--enable-expert-parallel -ep"))
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

/// vLLM reads a suffix in these alone.
bool mayHaveSuffix(FieldPath field)
{
    return field == FieldPath("inference.max_model_len") ||
           field == FieldPath("inference.max_num_batched_tokens") ||
           field == FieldPath("inference.kv_cache_memory_bytes");
}

void importPools(Translation &t)
{
    for (const SettingRow &row : kVllmPools) {
        const ForeignSetting *setting = mayHaveSuffix(row.ours) ? t.take(row.theirs) : nullptr;
        const auto *text = setting ? std::get_if<std::string>(&setting->value) : nullptr;
        if (const auto count = text ? readableCount(*text) : std::nullopt)
            t.set(row.ours, *count);
        else
            t.read(row);
    }
    importServedCacheType(t, "auto bfloat16 float16");
    if (t.isOn("--enforce-eager"))
        t.set("inference.cuda_graph_bytes", std::int64_t(0));
}

/// It affects memory only where layers keep a state.
void importPrefixCaching(Translation &t)
{
    const bool without = t.isOn("--no-enable-prefix-caching");
    const bool with = t.isOn("--enable-prefix-caching");
    const auto architecture = architectureOf(t.plan().model);
    if ((with || without) && architecture.ok() && architecture->state.kind != StateKind::None)
        t.set("inference.prefix_caching", with && !without);
}

/// Of experts in MXFP4 alone: other formats are laid out alike by all kernels, as far as plans
/// know.
void importExpertKernels(Translation &t)
{
    std::string name = lowered(t.text("--moe-backend").value_or("auto"));
    std::ranges::replace(name, '-', '_');
    if (t.text("VLLM_MXFP4_USE_MARLIN") == "1")
        name = "marlin";
    if (resolve(t.plan()).settings.weightFormat != WeightFormat::MxFp4)
        return;
    if (const WordPair *backend = pairOfTheirs(kExpertBackends, name))
        t.set("inference.moe_backend", std::string(backend->ours));
    else if (name != "auto")
        t.noteWord(name, ", whose layout of experts plans do not know; they are counted as vLLM "
                         "chooses.");
}

/// Slots for adapters: one of rank 16 where the line only asks for some (vllm/config/lora.py).
void importAdapterSlots(Translation &t)
{
    const auto slots = t.count("--max-loras");
    t.set("inference.max_loras",
          t.isOn("--enable-lora") ? FieldValue(slots.value_or(1)) : FieldValue());
    t.read(kVllmLoraRank);
}

/// LLM(…) in a program takes larger batches than the server, by the GPU's memory.
void importBatchesOfLibrary(Translation &t)
{
    if (t.plan().inference.maxNumBatchedTokens)
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
    if (t.text("VLLM_USE_V1") == "0")
        t.note("runs the old engine, V0: its budget is that of inference.engine_version 0.7.");
    if (const auto applied = t.text("VLLM_MEMORY_PROFILER_ESTIMATE_CUDAGRAPHS"))
        t.note(
            "decides whether CUDA graphs are taken off the cache, which plans take from "
            "inference.engine_version: " +
            std::string(*applied == "0" ? "up to 0.20 they are not." : "from 0.21 on they are."));
}

/// --dtype does not unpack weights that are published in fewer bits: it cannot say this.
void writeWeights(Outline &o)
{
    const auto &preset = o.plan().model.preset;
    const PublishedModel *published = preset ? findPublished(*preset) : nullptr;
    const std::string_view format = choiceText(o.settings().weightFormat);
    if (!published || published->weightFormat.empty())
        o.write({"--dtype", "inference.weight_format", Stated, kServedTypes});
    if (!pairOfOurs(kServedTypes, format))
        o.write({"--quantization", "inference.weight_format", Stated, kVllmQuantizations});
}

void writeAdapterSlots(Outline &o)
{
    if (o.settings().maxLoras == 0)
        return;
    o.put("--enable-lora", true);
    o.write({"--max-loras", "inference.max_loras", Stated});
    o.write(kVllmLoraRank);
}

} // namespace

Imported importVllm(Translation t, VllmUse use)
{
    const std::string name = t.text("--model").value_or("");
    const ServedModel model = beginServing(t, "vllm", name);
    importVllmParallel(t);
    importPools(t);
    importPrefixCaching(t);
    importServedFormat(t, "--dtype", "--quantization -q", kVllmQuantizations);
    importAdapterSlots(t);
    importExpertKernels(t);
    importVllmFeatures(t);
    importVllmEnvironment(t);
    t.remark({"--cpu-offload-gb", Remarks::Positive,
              "keeps weights on the host, which a plan cannot say; they are counted on the GPU."});
    if (use == VllmUse::Library)
        importBatchesOfLibrary(t);
    return finishServing(std::move(t), model, "vLLM arguments", "vllm");
}

void writeVllm(Outline &o)
{
    const Settings &s = o.settings();
    const auto &preset = o.plan().model.preset;
    const std::string_view repository = preset ? repositoryOf(*preset) : std::string_view();
    o.begin("vllm serve ");
    o.begin(repository.empty() ? "." : repository);
    if (!repository.empty())
        o.covered({"model.preset"});
    if (s.engine == Engine::Vllm)
        o.covered({"inference.engine"});
    o.write(kVllmDegrees);
    if (s.gpus == s.tensor * s.pipeline)
        o.covered({"hardware.gpus"});
    if (s.expert == 1 || s.expert == s.tensor)
        o.covered({"parallel.expert"});
    o.putIf(s.expert > 1 && s.expert == s.tensor, "--enable-expert-parallel");
    o.putIf(s.textOnly && o.states("model.text_only"), "--language-model-only");
    o.write(kVllmPools);
    writeAdapterSlots(o);
    constexpr WordPair kCacheTypes[] = {{"fp8", "1"}, {"auto", "2"}};
    o.write({"--kv-cache-dtype", "inference.kv_bytes_per_element", Stated, kCacheTypes});
    writeWeights(o);
    o.write({"--moe-backend", "inference.moe_backend", Stated});
    if (o.states("inference.prefix_caching"))
        o.put(s.prefixCaching ? "--enable-prefix-caching" : "--no-enable-prefix-caching", true);
    writeVllmFeatures(o);
    o.putIf(s.cudaGraphBytes == 0 && o.states("inference.cuda_graph_bytes"), "--enforce-eager");
}

} // namespace vramscope
