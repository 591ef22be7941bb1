// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/vllm_features.h"

#include "core/base/format.h"
#include "core/base/text.h"
#include "core/catalog/model_names.h"
#include "core/exchange/serving.h"
#include "core/exchange/setting_values.h"
#include "core/planner/catalogue_shapes.h"
#include "core/planner/flat_json.h"

#include <algorithm>

namespace vramscope {

namespace {

/// The values of an option that is written as JSON, as a dictionary of Python, or as one option a
/// key: "--speculative-config.method ngram".
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
    /// Whether it holds nothing that could be read.
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
    /// Command lines spell a key with '-' as well.
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

/// vLLM's method as a plan says it; it has a name of its own for the modules of each family. Empty
/// where plans have none.
std::string methodOf(const std::string &method, const std::string &model)
{
    if (method.empty() && model == "[ngram]")
        return "ngram";
    if (method.empty()) { // vllm/config/speculative.py goes by the name
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

/// The draft as vLLM takes it, in one JSON option.
void writeSpeculation(Outline &o)
{
    const Settings &s = o.settings();
    std::string json = "{\"method\": \"" + std::string(choiceText(s.speculativeMethod)) +
                       "\", \"num_speculative_tokens\": " + std::to_string(s.speculativeTokens);
    o.covered({kMethod, kDrafted});
    if (s.draft && s.speculativeMethod != SpeculativeMethod::Mtp) {
        const auto &model = o.plan().inference.speculative.model;
        const std::string_view repository = model ? repositoryOf(*model) : std::string_view();
        if (!repository.empty())
            o.covered({"inference.speculative.model"});
        json += ", \"model\": \"" + std::string(repository.empty() ? "DRAFT" : repository) + '"';
        const auto *format = pairOfOurs(kVllmQuantizations, choiceText(s.draftWeightFormat));
        if (format) {
            json += ", \"quantization\": \"" + std::string(format->theirs) + '"';
            o.covered({kDraftFormat});
        }
    }
    o.put("--speculative-config", '\'' + json + "}'");
}

/// What prompts may hold besides text.
void writeMultimodal(Outline &o)
{
    const Settings &s = o.settings();
    std::string limits;
    const auto limit = [&](FieldPath field, std::string_view kind, std::int64_t count) {
        if (o.states(field))
            limits += std::string(limits.empty() ? "" : ", ") + '"' + std::string(kind) +
                      "\": " + std::to_string(count);
    };
    limit("inference.multimodal.images", "image", s.promptImages);
    limit("inference.multimodal.videos", "video", s.promptVideos);
    if (!limits.empty())
        o.put("--limit-mm-per-prompt", "'{" + limits + "}'");
    if (o.states("inference.multimodal.max_pixels") && s.maxPixels > 0)
        o.put("--mm-processor-kwargs", "'{\"max_pixels\": " + std::to_string(s.maxPixels) + "}'");
    o.putIf(o.states("inference.multimodal.profiled") && !s.encodingProfiled,
            "--skip-mm-profiling");
}

} // namespace

void importVllmFeatures(Translation &t)
{
    importSpeculation(t);
    importMultimodal(t);
    t.remark({"--enable-sleep-mode", Remarks::On,
              "gives weights and cache back while the engine sleeps; the figures are of an engine "
              "that is awake."});
    importCompilation(t);
}

void writeVllmFeatures(Outline &o)
{
    writeMultimodal(o);
    if (draftedTokens(o.settings()) > 0)
        writeSpeculation(o);
}

} // namespace vramscope
