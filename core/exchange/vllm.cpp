// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/format.h"
#include "core/base/text.h"
#include "core/catalog/model_names.h"
#include "core/catalog/published.h"
#include "core/exchange/formats.h"
#include "core/exchange/outline.h"
#include "core/exchange/serving.h"
#include "core/exchange/setting_values.h"
#include "core/model/flat_json.h"
#include "core/model/parameters.h"

#include <algorithm>
#include <cmath>

namespace vramscope {

namespace {

/// --quantization, also for a draft.
constexpr WordPair kVllmQuantizations[] = {{"awq awq_marlin", "awq-int4-g128"},
                                           {"gptq gptq_marlin", "gptq-int4-g128"},
                                           {"fp8", "fp8"},
                                           {"mxfp4", "mxfp4"},
                                           {"nvfp4 modelopt_fp4", "nvfp4"},
                                           {"bitsandbytes", "nf4"}};

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
constexpr WordPair kTrue[] = {{"true", "true"}};
constexpr SettingRow kTextOnly = {"--language-model-only", "model.text_only", Stated, kTrue};
constexpr SettingRow kEager = {"--enforce-eager", "inference.cuda_graph_bytes", Stated, kNoGraphs};
constexpr SettingRow kVllmLoras[] = {
    {"--max-lora-rank", "inference.max_lora_rank", Stated},
    {"--fully-sharded-loras", "inference.fully_sharded_loras", Stated},
};
constexpr RemarkRow kVllmLoraRemarks[] = {
    {"--enable-tower-connector-lora", Remarks::On,
     "also gives slots to the vision tower, which are not counted."},
    {"--enable-moe-shared-loras", Remarks::On,
     "keeps one factor for all experts, which plans do not have: the slots take less."},
    {"--enable-mixed-moe-lora-format", Remarks::On,
     "keeps factors for gate and up apart: slots of models that join them take more."},
    {"--specialize-active-lora", Remarks::On,
     "captures CUDA graphs for several numbers of adapters, which take more."},
};
constexpr WordPair kExpertBackends[] = {
    {"marlin", "marlin"},
    {"triton triton_unfused", "triton"},
    {"flashinfer_trtllm flashinfer_trtllm_afp8", "flashinfer_trtllm"}};

/// Degrees, and vLLM's additions to them.
void importVllmParallel(Translation &t)
{
    importServedDegrees(t, kVllmDegrees, "--data-parallel-size -dp");
    const PlanParallel &degrees = t.plan().parallel;
    t.read(kTextOnly);
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
    return asCount(std::trunc(*number * factor)); // truncated as in vLLM
}

/// Fields for which vLLM reads a suffix.
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
    t.read(kEager);
}

/// It affects memory only in models with layers that keep a state.
void importPrefixCaching(Translation &t)
{
    const bool without = t.isOn("--no-enable-prefix-caching");
    const bool with = t.isOn("--enable-prefix-caching");
    const auto architecture = architectureOf(t.plan().model);
    if ((with || without) && architecture.ok() && architecture->state.kind != StateKind::None)
        t.set("inference.prefix_caching", with && !without);
}

/// Only for experts in MXFP4: in other formats all kernels are assumed to use the same layout.
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

/// Slots for adapters: one of rank 16 if the line only enables them (vllm/config/lora.py).
void importAdapterSlots(Translation &t)
{
    const auto slots = t.count("--max-loras");
    t.set("inference.max_loras",
          t.isOn("--enable-lora") ? FieldValue(slots.value_or(1)) : FieldValue());
    t.read(kVllmLoras);
    importServedTargets(t, "--lora-target-modules");
    t.remark(kVllmLoraRemarks);
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

/// The effects of the environment on vLLM's budget.
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

/// --dtype does not unpack weights that are published in fewer bits: it cannot express this.
void writeWeights(Outline &o)
{
    const auto &preset = o.plan().model.preset;
    const PublishedModel *published = preset ? findPublished(*preset) : nullptr;
    const std::string_view format = choiceText(o.settings().weightFormat);
    if (!published)
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
    o.write(kVllmLoras);
    writeServedTargets(o, "--lora-target-modules");
}

/// The values of an option written as JSON, as a dictionary of Python, or as one option per key:
/// "--speculative-config.method ngram".
class OptionValues
{
public:
    OptionValues(Translation &t, std::string_view option)
    {
        if (const ForeignSetting *whole = t.take(option)) {
            m_stated = true;
            if (const auto *text = std::get_if<std::string>(&whole->value))
                read(*text);
        }
        for (const ForeignSetting *one : t.takeWithin(std::string(option) + '.')) {
            m_stated = true;
            m_values.push_back({one->key.substr(option.size() + 1), one->value});
        }
    }

    [[nodiscard]] bool stated() const { return m_stated; }
    /// Whether no value could be read.
    [[nodiscard]] bool empty() const { return m_values.empty(); }
    [[nodiscard]] bool has(std::string_view key) const { return find(key) != nullptr; }
    [[nodiscard]] std::optional<std::int64_t> count(std::string_view key) const
    {
        const FieldValue *value = find(key);
        return value ? asCount(*value) : std::nullopt;
    }
    [[nodiscard]] std::string text(std::string_view key) const
    {
        const FieldValue *value = find(key);
        const auto *text = value ? std::get_if<std::string>(value) : nullptr;
        return text ? excerpt(*text, 80) : value ? shownSetting(*value) : std::string();
    }

private:
    void read(std::string text)
    {
        auto values = flattened(text);
        if (!values) { // Python's quotes
            std::ranges::replace(text, '\'', '"');
            values = flattened(text);
        }
        if (values)
            m_values = std::move(*values);
    }
    /// Command lines also spell a key with '-'.
    [[nodiscard]] const FieldValue *find(std::string_view key) const
    {
        const auto found = std::ranges::find_if(m_values, [key](const FlatValue &one) {
            std::string spelled = one.path;
            std::ranges::replace(spelled, '-', '_');
            return spelled == key;
        });
        return found == m_values.end() ? nullptr : &found->value;
    }

    bool m_stated = false;
    std::vector<FlatValue> m_values;
};

constexpr FieldPath kMethod = "inference.speculative.method";
constexpr FieldPath kDrafted = "inference.speculative.num_speculative_tokens";
constexpr FieldPath kDraftFormat = "inference.speculative.weight_format";

/// The plan's name for vLLM's method, which has a separate name for the modules of each family.
/// Empty if plans do not have it.
std::string methodOf(const std::string &method, const std::string &model)
{
    if (method.empty() && model == "[ngram]")
        return "ngram";
    if (method.empty()) { // vllm/config/speculative.py decides by the name
        const std::string name = lowered(model);
        return name.find("eagle3-") != name.npos  ? "eagle3"
               : name.find("eagle-") != name.npos ? "eagle"
                                                  : "draft_model";
    }
    if (method == "ngram" || method == "ngram_gpu" || method == "suffix")
        return "ngram";
    if (method.ends_with("mtp"))
        return "mtp";
    const auto &known = choiceTexts<SpeculativeMethod>;
    return std::ranges::find(known, method) != known.end() ? method : std::string();
}

void importDraft(Translation &t, const OptionValues &config, const std::string &model)
{
    importServedDraft(t, findModelRepository(model), model);
    const std::string format = config.text("quantization");
    const auto *const word = std::ranges::find(kVllmQuantizations, format, &WordPair::theirs);
    if (word != std::end(kVllmQuantizations))
        t.set(kDraftFormat, std::string(word->ours));
    else if (!format.empty())
        t.note("stores the draft as \"" + format + "\": state " + std::string(kDraftFormat.text()) +
               '.');
}

void importSpeculation(Translation &t)
{
    const OptionValues config(t, "--speculative-config");
    const std::string oldModel = t.text("--speculative-model").value_or("");
    const auto oldTokens = t.count("--num-speculative-tokens");
    if (!config.stated() && oldModel.empty())
        return;
    const std::string stated = config.text("method");
    const std::string model = config.has("model") ? config.text("model") : oldModel;
    if (config.empty() && model.empty())
        return t.note("holds no setting, so nothing is speculated.");
    const std::string method = methodOf(stated, model);
    if (method.empty())
        return t.note("drafts by " + stated +
                      ", of which plans know no weights and no cache: state its bytes as "
                      "overheads.resident_bytes.");
    t.set(kMethod, method);
    const auto tokens = config.count("num_speculative_tokens");
    if (const auto drafted = tokens ? tokens : oldTokens)
        t.set(kDrafted, *drafted);
    if (method != "ngram" && method != "mtp")
        importDraft(t, config, model);
    const std::string ranks = config.text("draft_tensor_parallel_size");
    if (!ranks.empty() && ranks != std::to_string(t.plan().parallel.tensor.value_or(1)))
        t.note("divides the draft by " + ranks +
               ": vLLM divides it as it does the model, and so does the plan.");
}

/// A limit is a number, or an object with `count` and the sizes of dummy items.
void importLimit(Translation &t, const OptionValues &limits, std::string_view kind, FieldPath field)
{
    const auto alone = limits.count(kind);
    const auto within = limits.count(std::string(kind) + ".count");
    if (alone || within)
        t.set(field, alone ? *alone : *within);
}

void importMultimodal(Translation &t)
{
    const OptionValues limits(t, "--limit-mm-per-prompt");
    if (limits.stated()) {
        importLimit(t, limits, "image", "inference.multimodal.images");
        importLimit(t, limits, "video", "inference.multimodal.videos");
        if (limits.empty())
            t.note("is not understood: state inference.multimodal.images and "
                   "inference.multimodal.videos.");
    }
    const OptionValues processor(t, "--mm-processor-kwargs");
    if (const auto pixels = processor.count("max_pixels"))
        t.set("inference.multimodal.max_pixels", *pixels);
    else if (processor.stated())
        t.note("changes how images are scaled, for which the plan knows max_pixels alone.");
    if (t.isOn("--skip-mm-profiling"))
        t.set("inference.multimodal.profiled", false);
}

void importCompilation(Translation &t)
{
    const OptionValues config(t, "--compilation-config");
    const std::string level = t.text("-O").value_or("");
    const bool level0 = t.takeAll("-O0") || level == "0";
    if (level0 || lowered(config.text("cudagraph_mode")) == "none")
        return t.set("inference.cuda_graph_bytes", std::int64_t(0));
    if (t.takeAll("-O") || !config.stated())
        return; // how far kernels are fused: the sizes of tensors stay
    if (config.has("cudagraph_capture_sizes") || config.has("max_cudagraph_capture_size") ||
        config.has("cudagraph_mode"))
        t.note("names CUDA graphs of its own; the plan holds the room that vLLM's own take: state "
               "inference.cuda_graph_bytes where the log tells another.");
    else
        t.note("changes how kernels are compiled, for which the plan has no setting: activations "
               "in the profile run may differ.");
}

/// The draft in vLLM's form, in one JSON option.
void writeSpeculation(Outline &o)
{
    const Settings &s = o.settings();
    std::string json = "{\"method\": \"" + std::string(choiceText(s.speculative.method)) +
                       "\", \"num_speculative_tokens\": " + std::to_string(s.speculative.tokens);
    o.covered({kMethod, kDrafted});
    if (s.draft && s.speculative.method != SpeculativeMethod::Mtp) {
        const auto &model = o.plan().inference.speculative.model;
        const std::string_view repository = model ? repositoryOf(*model) : std::string_view();
        o.covered({"inference.speculative.model"}, !repository.empty());
        json += ", \"model\": \"" + std::string(repository.empty() ? "DRAFT" : repository) + '"';
        const auto *format = pairOfOurs(kVllmQuantizations, choiceText(s.speculative.weightFormat));
        if (format) {
            json += ", \"quantization\": \"" + std::string(format->theirs) + '"';
            o.covered({kDraftFormat});
        }
    }
    o.put("--speculative-config", '\'' + json + "}'");
}

/// What prompts may contain besides text.
void writeMultimodal(Outline &o)
{
    const Settings &s = o.settings();
    std::string limits;
    const auto limit = [&](FieldPath field, std::string_view kind, std::int64_t count) {
        if (o.states(field))
            limits += std::string(limits.empty() ? "" : ", ") + '"' + std::string(kind) +
                      "\": " + std::to_string(count);
    };
    limit("inference.multimodal.images", "image", s.multimodal.images);
    limit("inference.multimodal.videos", "video", s.multimodal.videos);
    if (!limits.empty())
        o.put("--limit-mm-per-prompt", "'{" + limits + "}'");
    if (o.states("inference.multimodal.max_pixels") && s.multimodal.maxPixels > 0)
        o.put("--mm-processor-kwargs",
              "'{\"max_pixels\": " + std::to_string(s.multimodal.maxPixels) + "}'");
    o.putIf(o.states("inference.multimodal.profiled") && !s.multimodal.profiled,
            "--skip-mm-profiling");
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
    importSpeculation(t);
    importMultimodal(t);
    t.remark({"--enable-sleep-mode", Remarks::On,
              "gives weights and cache back while the engine sleeps; the figures are of an engine "
              "that is awake."});
    importCompilation(t);
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
    o.covered({"model.preset"}, !repository.empty());
    o.covered({"inference.engine"}, s.engine == Engine::Vllm);
    o.write(kVllmDegrees);
    o.covered({"hardware.gpus"}, s.gpus == s.tensor * s.pipeline);
    o.covered({"parallel.expert"}, s.expert == 1 || s.expert == s.tensor);
    o.putIf(s.expert > 1 && s.expert == s.tensor, "--enable-expert-parallel");
    o.write(kTextOnly);
    o.write(kVllmPools);
    writeAdapterSlots(o);
    constexpr WordPair kCacheTypes[] = {{"fp8", "1"}, {"auto", "2"}};
    o.write({"--kv-cache-dtype", "inference.kv_bytes_per_element", Stated, kCacheTypes});
    writeWeights(o);
    o.write({"--moe-backend", "inference.moe_backend", Stated});
    if (o.states("inference.prefix_caching"))
        o.put(s.prefixCaching ? "--enable-prefix-caching" : "--no-enable-prefix-caching", true);
    writeMultimodal(o);
    if (draftedTokens(s) > 0)
        writeSpeculation(o);
    o.write(kEager);
}

} // namespace vramscope
