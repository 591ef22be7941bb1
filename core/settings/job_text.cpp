// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/settings/job_text.h"

#include "core/base/format.h"
#include "core/catalog/catalogue.h"
#include "core/catalog/named_model.h"
#include "core/model/diffusion/pipelines.h"
#include "core/plan/field.h"
#include "core/settings/field_conditions.h"
#include "core/settings/settings.h"

#include <array>

namespace vramscope {

std::string modelText(const Plan &plan, const Settings &s)
{
    if (plan.model.preset) {
        const CatalogueModel *preset = findCatalogueModel(*plan.model.preset);
        const NamedModel known =
            plan.model.knownAs ? namedModel(*plan.model.knownAs) : NamedModel();
        if (preset && known.model == preset)
            return known.title;
        return preset ? preset->title : "An unknown model";
    }
    if (s.diffusion)
        return s.diffusion->title;
    return s.architecture.modelType.empty()
               ? "A model"
               : "A model of type " + printable(s.architecture.modelType.substr(0, 40));
}

namespace {

/// How the parameters are trained, "LoRA", and what for: "DPO with LoRA".
std::string trainingText(const Settings &s)
{
    constexpr auto kObjectives = std::to_array<std::string_view>(
        {"", "DPO", "ORPO", "reward modelling", "training of embeddings", "distillation"});
    static_assert(kObjectives.size() == choiceTexts<Objective>.size());
    const std::string objective(kObjectives[static_cast<std::size_t>(s.objective)]);
    if (s.adapters.kind == AdapterKind::None)
        return objective.empty() ? "full training" : objective + " of all parameters";
    const std::string adapters =
        std::string(s.adapters.baseQuantization == BaseQuantization::None ? "" : "Q") +
        (s.adapters.dora ? "DoRA" : "LoRA");
    return objective.empty() ? adapters : objective + " with " + adapters;
}

} // namespace

std::string taskText(const Settings &s)
{
    if (s.diffusion)
        return s.workload == Workload::Inference      ? ""
               : s.adapters.kind == AdapterKind::Lora ? "LoRA"
                                                      : "full training";
    if (s.rollout)
        return s.adapters.kind == AdapterKind::None ? "reinforcement learning"
                                                    : "reinforcement learning of adapters";
    if (s.workload == Workload::Training)
        return trainingText(s);
    if (s.engine == Engine::Plain)
        return "served";
    const bool hf = s.engine == Engine::Hf;
    return "served by " + std::string(hf ? "Transformers" : traitsOf(s.engine).name());
}

namespace {

std::string titleOf(const ListedGpu &listed)
{
    return gpuTitle(listed.gpu, listed.gigabytes);
}

/// "2 × GeForce RTX 3090 24 GB + 1 × GPU of 16 GB", each kind where it stands first.
std::string gpuListText(const Settings &s)
{
    std::vector<std::pair<std::string, std::int64_t>> kinds;
    for (const ListedGpu &listed : s.gpuList) {
        const std::string title = titleOf(listed);
        const auto kind = std::ranges::find(kinds, title, &decltype(kinds)::value_type::first);
        if (kind == kinds.end())
            kinds.emplace_back(title, 1);
        else
            ++kind->second;
    }
    std::string text;
    for (const auto &[title, count] : kinds)
        text += (text.empty() ? "" : " + ") + formatCount(count) + " × " + title;
    return text;
}

} // namespace

std::string listedGpuText(const Settings &s)
{
    return s.gpuList.empty() ? std::string()
                             : "GPU " + formatCount(static_cast<std::int64_t>(s.listed)) + ", " +
                                   titleOf(s.gpuList[s.listed]);
}

std::vector<JobWord> jobWords(const Plan &plan, const Settings &s)
{
    std::vector<JobWord> words{{modelText(plan, s), FieldPath("model.preset")}};
    const std::string task = taskText(s);
    if (!task.empty()) {
        words.push_back({", ", {}});
        words.push_back({task, FieldPath("workload")});
    }
    words.push_back({" on ", {}});
    if (!s.gpuList.empty()) {
        words.push_back({gpuListText(s), FieldPath("hardware.gpu_list")});
        return words;
    }
    words.push_back({formatCount(s.gpus), FieldPath("hardware.gpus")});
    words.push_back({s.gpu ? " × " : " ", {}});
    words.push_back({s.gpu         ? s.gpu->title
                     : s.gpus == 1 ? "GPU"
                                   : "GPUs",
                     FieldPath("hardware.gpu")});
    return words;
}

std::string jobText(const Plan &plan, const Settings &s)
{
    std::string text;
    for (const JobWord &word : jobWords(plan, s))
        text += word.text;
    return text;
}

std::vector<FieldPath> decidingFields(const Settings &s)
{
    constexpr auto kFields =
        std::to_array<FieldPath>({"rl.sleep_level",          "batch.sequence_length",
                                  "batch.micro_batch",       "activations.checkpointing",
                                  "parallel.strategy",       "precision.regime",
                                  "optimizer.name",          "adapters.rank",
                                  "adapters.targets",        "inference.engine",
                                  "parallel.tensor",         "inference.weight_format",
                                  "inference.max_model_len", "inference.gpu_memory_utilization",
                                  "diffusion.width",         "diffusion.height",
                                  "diffusion.frames",        "diffusion.images",
                                  "diffusion.offload",       "diffusion.vae_format"});
    std::vector<FieldPath> deciding;
    for (const FieldPath path : kFields) {
        const bool isNothing =
            (path == "parallel.tensor" && s.tensor == 1) ||
            (path == "parallel.strategy" && s.gpus == 1) ||
            (path == "diffusion.vae_format" && s.diffusion && !s.diffusion->decodesInFp32());
        if (!isNothing && fieldAt(path).applies(s))
            deciding.push_back(path);
    }
    if (applies::cacheOfTokens(s) && !applies::windowedEngine(s))
        deciding.insert(deciding.end(),
                        {"inference.mean_sequence_length", "inference.concurrent_sequences"});
    return deciding;
}

std::string unknownCapacity(const Settings &settings)
{
    return settings.gpu ? "The catalogue does not know the memory that torch reports on " +
                              settings.gpu->title
                        : std::string("The GPU's memory is not known");
}

std::string jobWithName(const Plan &plan, const Settings &settings, std::string_view name)
{
    std::string job = jobText(plan, settings);
    if (!name.empty() && name != job)
        job.append(" (").append(name).append(")");
    return job;
}

std::string planTitle(const Plan &plan, const Settings &s)
{
    return plan.name && !plan.name->empty() ? printable(*plan.name) : jobText(plan, s);
}

} // namespace vramscope
