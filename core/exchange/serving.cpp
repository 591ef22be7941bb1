// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/serving.h"

#include "core/exchange/trainer_terms.h"

#include "core/base/counted.h"
#include "core/base/format.h"
#include "core/base/parts.h"
#include "core/base/text.h"
#include "core/catalog/catalogue.h"
#include "core/catalog/model_names.h"
#include "core/catalog/published.h"

#include <algorithm>
#include <array>

namespace vramscope {

namespace {

std::string_view lastPartOf(std::string_view name)
{
    while (name.ends_with('/') || name.ends_with('\\'))
        name.remove_suffix(1);
    return name.substr(name.find_last_of("/\\") + 1); // npos + 1 is 0
}

/// The name without ".gguf" and the numbers of its parts, "-00001-of-00003".
std::string withoutFileEnding(std::string name)
{
    constexpr std::string_view kFile = ".gguf";
    constexpr std::size_t kPart = std::string_view("-00001-of-00003").size();
    if (!name.ends_with(kFile))
        return name;
    name.resize(name.size() - kFile.size());
    if (name.size() > kPart && name.substr(name.size() - kPart + 6, 4) == "-of-")
        name.resize(name.size() - kPart);
    return name;
}

/// Whether the user gave the plan no name of its own: it has none, or that of its model.
bool namedAfterItsModel(const Plan &plan)
{
    const CatalogueModel *preset =
        plan.model.preset ? findCatalogueModel(*plan.model.preset) : nullptr;
    return !plan.name || (preset && *plan.name == preset->title);
}

/// Sets the model, and the format in its name.
std::string importNamedModel(Translation &t, const std::string &name)
{
    const NamedModel read = findServedModel(name);
    const CatalogueModel *served = read.model;
    if (!served) {
        (void)setModel(t, name);
        return excerpt(lastPartOf(name), 80);
    }
    t.clear("model");
    t.set("model.preset", served->name);
    constexpr std::array<FieldPath, 5> kOfOldModel = {
        "inference.weight_format", "inference.group_size", "inference.modules_to_not_convert",
        "inference.quantize_at_load", "inference.max_model_len"};
    for (const FieldPath field : kOfOldModel)
        t.set(field, {});
    if (findModelRepository(name) == served)
        return read.title;
    std::string note = "names " + excerpt(name, 80) + ", which is read as " + served->title;
    const std::string format(read.weightFormat);
    if (!format.empty()) {
        t.set("inference.weight_format", format);
        note += " with its weights in " + format;
    }
    t.note(note + ", by its name: check both.");
    if (format.empty() && !read.formatWritten.empty())
        t.note("stores weights as " + excerpt(read.formatWritten, 20) +
               ", a format that plans do not have: choose the nearest as inference.weight_format.");
    return read.title;
}

/// The number of devices in "0,1" or "GPU-…,GPU-…"; 0 if the text has none.
std::int64_t devicesIn(std::string_view text)
{
    return text.empty() || text.starts_with('$') || text.starts_with('-')
               ? 0
               : 1 + std::ranges::count(text, ',');
}

} // namespace

NamedModel findServedModel(std::string_view name)
{
    return namedModel(lastPartOf(withoutFileEnding(lowered(name))));
}

ServedModel beginServing(Translation &t, std::string_view engine, const std::string &name)
{
    t.set("workload", "inference");
    t.set("inference.engine", std::string(engine));
    t.set("inference.engine_version", {});
    ServedModel model{{}, namedAfterItsModel(t.plan())};
    if (!name.empty())
        model.title = importNamedModel(t, name);
    t.carry("inference.engine_version", "engine_version");
    return model;
}

void importServedDegrees(Translation &t, std::span<const SettingRow> degrees,
                         Translation::Keys data)
{
    t.clear("parallel");
    t.read(degrees);
    const std::int64_t engines = t.count(data).value_or(1);
    if (engines > 1) {
        t.set("parallel.data", engines);
        t.note("starts " + counted(engines, "engine") +
               "; the cache and its sequences are those of one.");
    }
    t.set("hardware.gpus", gpusPerReplica(t.plan()) * t.plan().parallel.data.value_or(1));
}

void importServedCacheType(Translation &t, std::string_view wide)
{
    const auto type = t.text("--kv-cache-dtype");
    if (!type)
        return;
    if (type->starts_with("fp8"))
        t.set("inference.kv_bytes_per_element", std::int64_t(1));
    else if (isOneOf(*type, partsOf(wide, ' ')))
        t.set("inference.kv_bytes_per_element", std::int64_t(2));
    else
        t.noteWord(*type, "; known are auto, bfloat16 and fp8.");
}

void importServedDraft(Translation &t, const CatalogueModel *known, std::string_view name)
{
    if (known)
        t.set("inference.speculative.model", known->name);
    else
        t.note("names the draft " + (name.empty() ? "nowhere" : excerpt(name, 80)) +
               ", which the catalogue does not have: give its config.json as "
               "inference.speculative.config.");
}

void importServedFormat(Translation &t, Translation::Keys type, Translation::Keys quantization,
                        std::span<const WordPair> quantizations)
{
    const auto &preset = t.plan().model.preset;
    const PublishedModel *published = preset ? findPublished(*preset) : nullptr;
    const bool named = t.plan().inference.weightFormat.has_value();
    if (published) {
        if (t.take(type))
            t.note("is what is computed in; the weights stay in " + published->weightFormat +
                   ", as they are published.");
    } else if (!named) {
        t.translate("inference.weight_format", type, kServedTypes);
    } else {
        (void)t.take(type);
    }
    t.translate("inference.weight_format", quantization, quantizations);
}

Imported finishServing(Translation t, const ServedModel &model, std::string format,
                       std::string_view tool)
{
    const std::int64_t devices = devicesIn(t.text("CUDA_VISIBLE_DEVICES").value_or(""));
    const std::int64_t gpus = t.plan().hardware.gpus.value_or(1);
    if (devices > 0 && devices < gpus)
        t.note("shows the engine " + formatCount(devices) + " of the " + counted(gpus, "GPU") +
               " that its degrees need: it does not start.");
    (void)t.take("PYTORCH_CUDA_ALLOC_CONF PYTORCH_ALLOC_CONF");
    const PlanHardware &hardware = t.plan().hardware;
    const PlanInference &inference = t.plan().inference;
    if (!hardware.gpu && !hardware.gpuList && !hardware.capacity && !inference.kvCacheMemoryBytes)
        t.askForGpu(inference.engine == Engine::LlamaCpp
                        ? "No GPU is named: choose one as hardware.gpu to see whether it fits."
                        : "No GPU is named: choose one as hardware.gpu, for the engine sizes its "
                          "cache by the GPU's memory.");
    Imported imported = std::move(t).finish(std::move(format), tool);
    if (model.renames && !model.title.empty())
        imported.plan.name = printable(model.title);
    return imported;
}

namespace {

/// Modules by the names that vLLM and SGLang have for them.
constexpr WordPair kServedModules[] = {{"q_proj", "q"},
                                       {"k_proj", "k"},
                                       {"v_proj", "v"},
                                       {"o_proj", "o"},
                                       {"gate_proj", "gate"},
                                       {"up_proj", "up"},
                                       {"down_proj", "down"},
                                       {"experts", "experts"},
                                       {"embed_tokens", "embedding"},
                                       {"lm_head", "head"},
                                       {"qkv_proj", "q k v"},
                                       {"gate_up_proj", "gate up"},
                                       {"all-linear", "q k v o gate up down"},
                                       {"all", "q k v o gate up down embedding head"}};

} // namespace

void importServedTargets(Translation &t, std::string_view option)
{
    const ForeignSetting *setting = t.take(option);
    TextList targets;
    for (const std::string &name : setting ? wordsOf(*setting) : TextList()) {
        const WordPair *module = pairOfTheirs(kServedModules, name);
        if (!module) {
            t.note("names " + excerpt(name, 60) +
                   ", which is no module that plans have a word for; its slots are not counted.");
            continue;
        }
        for (const std::string_view target : partsOf(module->ours, ' '))
            if (std::ranges::find(targets, target) == targets.end())
                targets.emplace_back(target);
    }
    t.set("inference.lora_targets", targets.empty() ? FieldValue() : FieldValue(targets));
}

void writeServedTargets(Outline &o, std::string_view option)
{
    if (!o.states("inference.lora_targets"))
        return;
    std::string modules;
    for (const std::string &target : o.settings().loraTargets)
        modules += (modules.empty() ? "" : " ") +
                   std::string(firstWord(pairOfOurs(kServedModules, target)->theirs));
    o.put(option, modules);
}

} // namespace vramscope
