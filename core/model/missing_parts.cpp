// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/missing_parts.h"

#include "core/base/text.h"
#include "core/catalog/catalogue.h"
#include "core/model/config_kinds.h"
#include "core/model/parameters.h"
#include "core/model/towers/towers.h"
#include "core/plan/plan.h"

#include <algorithm>
#include <array>

namespace vramscope {

namespace {

constexpr std::string_view kInConfig = "model.config.";
constexpr std::string_view kOfPreset = "model.preset.";
constexpr std::string_view kTextPartOnly = "Text part only: ";
constexpr std::string_view kNoPrediction = "Multi-token prediction is not counted.";

/// Keys that only the shape of a part of a model has.
constexpr std::array<std::string_view, 13> kShapeKeys = {
    "hidden_size", "num_hidden_layers", "depth",     "embed_dim", "d_model",
    "n_layer",     "num_layers",        "width",     "layers",    "heads",
    "model_type",  "num_mel_bins",      "image_size"};
/// Objects of a config that are settings of the text part itself.
constexpr std::array<std::string_view, 5> kSettings = {
    "attn", "ffn_config", "linear_attn_config", "sparse_attention_config", "quantization_config"};
constexpr std::array<std::string_view, 4> kPrediction = {"num_nextn_predict_layers", "mtp_*",
                                                         "num_mtp_*", "use_mtp"};
constexpr std::array<std::string_view, 2> kAdapterConfigs = {"vision_lora*", "speech_lora*"};
/// Model types of a vision tower with a text part at the top of the config.
constexpr std::array<std::string_view, 2> kWithTower = {"qwen2_vl", "qwen2_5_vl"};

Issue missing(std::string_view place, std::string_view key, std::string text)
{
    return {Issue::Severity::Warning, std::string(place) + std::string(key), std::move(text)};
}

bool holds(std::string_view text, std::initializer_list<std::string_view> words)
{
    return std::ranges::any_of(
        words, [text](std::string_view word) { return text.find(word) != text.npos; });
}

/// "the vision tower", or the part by its own name.
std::string partWords(std::string_view path)
{
    const std::string_view name = path.substr(path.rfind('.') + 1); // npos + 1 is 0
    if (holds(name, {"vision", "visual", "vit", "image"}))
        return "the vision tower";
    if (holds(name, {"audio", "speech"}))
        return "the audio tower";
    return '"' + excerpt(name, 40) + '"';
}

/// Whether an object of the config is the text part, within it, or a setting of it.
bool ofText(std::string_view path, const std::string &part)
{
    const std::string place = std::string(path) + '.';
    if (!part.empty() && (place.starts_with(part) || part.starts_with(place)))
        return true;
    return std::ranges::any_of(configTextParts(),
                               [&](std::string_view text) { return place.starts_with(text); }) ||
           std::ranges::any_of(kSettings,
                               [&](std::string_view name) { return path.starts_with(name); });
}

bool isCounted(std::string_view path, std::span<const Tower> towers)
{
    return std::ranges::any_of(towers, [path](const Tower &tower) {
        return path == tower.place || path.starts_with(tower.place + '.');
    });
}

/// Memory of serving a tower that the figures leave out.
void addEncoding(std::span<const Tower> towers, std::vector<Issue> &issues)
{
    if (towers.empty())
        return;
    const bool vision = towers.front().kind == TowerKind::Vision;
    const std::string_view which = towers.size() > 1 ? "vision and audio towers"
                                   : vision          ? "vision tower"
                                                     : "audio tower";
    issues.push_back(missing(kInConfig, towers.front().place,
                             "Of the " + std::string(which) +
                                 " only the weights are counted, not the encoding."));
}

/// The parts other than the text that are not counted, each once.
void addUncounted(const ConfigReader &config, const std::string &type,
                  std::span<const Tower> towers, std::vector<Issue> &issues)
{
    std::string words;
    std::string first;
    bool several = false;
    const auto add = [&](std::string_view path, const std::string &what) {
        if (words.find(what) != words.npos)
            return;
        several = !words.empty();
        words += (words.empty() ? "" : " and ") + what;
        first = first.empty() ? std::string(path) : first;
    };
    for (const FlatValue *value : config.matching("*")) {
        const std::size_t dot = value->path.rfind('.');
        if (dot == std::string::npos)
            continue;
        const std::string_view path = std::string_view(value->path).substr(0, dot);
        const std::string_view key = std::string_view(value->path).substr(dot + 1);
        if (std::ranges::find(kShapeKeys, key) != kShapeKeys.end() &&
            !ofText(path, config.part()) && !isCounted(path, towers))
            add(path, partWords(path));
    }
    if (words.empty() && towers.empty() && std::ranges::find(kWithTower, type) != kWithTower.end())
        add("vision_config", "the vision tower");
    if (words.empty() && towers.empty() && config.nested())
        add(config.part().substr(0, config.part().size() - 1), "what the config holds beside it");
    if (!words.empty())
        issues.push_back(
            missing(kInConfig, first,
                    std::string(towers.empty() ? kTextPartOnly : "Beside the counted tower: ") +
                        words + (several ? " are not counted." : " is not counted.")));
}

/// The first of `keys` with an effective value.
const FlatValue *stated(const ConfigReader &config, std::span<const std::string_view> keys)
{
    for (const std::string_view key : keys) {
        for (const FlatValue *value : config.matching(key)) {
            if (!saysNothing(value->value))
                return value;
        }
    }
    return nullptr;
}

/// Counted parts of a model.
struct Counted
{
    bool textOnly = false; ///< only the text is loaded
    bool encoding = false; ///< for images and sound, where the towers are
    bool prediction = false;
    std::span<const Tower> towers;
};

std::vector<Issue> missingInConfig(const std::string &text, const Counted &counted)
{
    std::vector<Issue> issues;
    auto values = flattened(text);
    if (!values)
        return issues;
    const ConfigReader config(std::move(*values));
    const FieldValue *value = config.find("model_type");
    const auto *name = value ? std::get_if<std::string>(value) : nullptr;
    const std::string type = name ? *name : std::string();
    if (type.find_first_not_of(" \t\r\n") == std::string::npos)
        issues.push_back(missing(kInConfig, "model_type",
                                 "The config names no model_type, so the model is taken to be "
                                 "built like Llama: RMSNorm, gated feed-forward, no biases."));
    if (!counted.textOnly)
        addUncounted(config, type, counted.towers, issues);
    if (!counted.encoding)
        addEncoding(counted.towers, issues);
    if (const FlatValue *prediction = counted.prediction ? nullptr : stated(config, kPrediction))
        issues.push_back(missing(kInConfig, prediction->path, std::string(kNoPrediction)));
    if (const FlatValue *adapters = stated(config, kAdapterConfigs))
        issues.push_back(missing(kInConfig, adapters->path,
                                 "The adapters that the model brings along are not counted."));
    return issues;
}

/// The same for a config that the user does not see: its issues name the model.
std::vector<Issue> missingInCatalogue(const CatalogueModel &model, const Counted &counted)
{
    std::vector<Issue> issues = missingInConfig(std::string(model.config), counted);
    for (Issue &issue : issues)
        issue.field = std::string(kOfPreset) + model.name;
    return issues;
}

std::vector<Issue> missingInModel(const Plan &plan, std::span<const Tower> towers)
{
    const PlanModel &model = plan.model;
    const bool textOnly = model.textOnly.value_or(false);
    const bool prediction = plan.workload == Workload::Inference &&
                            plan.inference.speculative.method == SpeculativeMethod::Mtp;
    const bool encoding =
        plan.workload != Workload::Inference ||
        (plan.inference.engine == Engine::Vllm &&
         std::ranges::all_of(towers, [](const Tower &tower) { return tower.encoding.known; }));
    const Counted counted{textOnly, encoding, prediction, towers};
    if (model.config)
        return missingInConfig(*model.config, counted);
    const CatalogueModel *known = model.preset ? findCatalogueModel(*model.preset) : nullptr;
    return known && !known->pipeline ? missingInCatalogue(*known, counted) : std::vector<Issue>();
}

} // namespace

std::vector<Issue> missingParts(const Plan &plan, std::span<const Tower> towers)
{
    return missingInModel(plan, towers);
}

std::vector<Issue> missingParts(const Plan &plan)
{
    const Result<Architecture> text = architectureOf(plan.model);
    return missingParts(plan, text ? countedTowers(plan, text->hidden) : std::vector<Tower>());
}

bool isMissingPart(const Issue &issue)
{
    return issue.severity == Issue::Severity::Warning &&
           (issue.field.starts_with(kInConfig) || issue.field.starts_with(kOfPreset));
}

bool leavesOutTowers(const Issue &issue)
{
    const std::string_view text = issue.text;
    return isMissingPart(issue) && text.find("not counted") != text.npos &&
           text.find(" tower") != text.npos && text.find('"') == text.npos;
}

std::vector<std::string_view> notCounted(const std::vector<Issue> &issues)
{
    std::vector<std::string_view> sentences;
    for (const Issue &issue : issues) {
        if (isMissingPart(issue))
            sentences.push_back(issue.text);
    }
    return sentences;
}

} // namespace vramscope
