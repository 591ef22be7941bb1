// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalog/model_names.h"

#include "core/base/text.h"
#include "core/catalog/models.h"

#include <algorithm>
#include <array>
#include <string>

namespace vramscope {

namespace {

/// Endings such as "-Instruct" need no row of their own.
constexpr ModelRepository kRepositories[] = {
    {"openai-community/gpt2", "gpt2"},
    {"openai-community/gpt2-medium", "gpt2-medium"},
    {"openai-community/gpt2-large", "gpt2-large"},
    {"openai-community/gpt2-xl", "gpt2-xl"},
    {"meta-llama/Llama-2-7b-hf", "llama-2-7b"},
    {"meta-llama/Llama-2-7b", "llama-2-7b"},
    {"meta-llama/Llama-2-13b-hf", "llama-2-13b"},
    {"meta-llama/Llama-2-13b", "llama-2-13b"},
    {"meta-llama/Llama-2-70b-hf", "llama-2-70b"},
    {"meta-llama/Llama-2-70b", "llama-2-70b"},
    {"codellama/CodeLlama-7b-hf", "codellama-7b"},
    {"codellama/CodeLlama-34b-hf", "codellama-34b"},
    {"meta-llama/Meta-Llama-3-8B", "llama-3-8b"},
    {"meta-llama/Llama-3.1-8B", "llama-3.1-8b"},
    {"meta-llama/Meta-Llama-3.1-8B", "llama-3.1-8b"},
    {"meta-llama/Llama-3.1-70B", "llama-3.1-70b"},
    {"meta-llama/Meta-Llama-3.1-70B", "llama-3.1-70b"},
    {"meta-llama/Llama-3.3-70B", "llama-3.1-70b"},
    {"meta-llama/Llama-3.1-405B", "llama-3.1-405b"},
    {"meta-llama/Meta-Llama-3.1-405B", "llama-3.1-405b"},
    {"meta-llama/Llama-3.2-1B", "llama-3.2-1b"},
    {"meta-llama/Llama-3.2-3B", "llama-3.2-3b"},
    {"NousResearch/Meta-Llama-3-8B", "llama-3-8b"}, // copies that need no licence to be fetched
    {"NousResearch/Meta-Llama-3.1-8B", "llama-3.1-8b"},
    {"NousResearch/Llama-3.2-1B", "llama-3.2-1b"},
    {"TinyLlama/TinyLlama-1.1B-Chat-v1.0", "tinyllama-1.1b"},
    {"01-ai/Yi-34B", "yi-34b"},
    {"mistralai/Mistral-7B-v0.1", "mistral-7b-v0.1"},
    {"mistralai/Mistral-7B-Instruct-v0.1", "mistral-7b-v0.1"},
    {"mistralai/Mistral-7B-v0.3", "mistral-7b-v0.3"},
    {"mistralai/Mistral-7B-Instruct-v0.3", "mistral-7b-v0.3"},
    {"mistralai/Mixtral-8x7B-v0.1", "mixtral-8x7b"},
    {"mistralai/Mixtral-8x7B-Instruct-v0.1", "mixtral-8x7b"},
    {"mistralai/Mixtral-8x22B-v0.1", "mixtral-8x22b"},
    {"Qwen/Qwen2.5-0.5B", "qwen2.5-0.5b"},
    {"Qwen/Qwen2.5-1.5B", "qwen2.5-1.5b"},
    {"Qwen/Qwen2.5-7B", "qwen2.5-7b"},
    {"Qwen/Qwen2.5-14B", "qwen2.5-14b"},
    {"Qwen/Qwen2.5-32B", "qwen2.5-32b"},
    {"Qwen/Qwen2.5-72B", "qwen2.5-72b"},
    {"Qwen/Qwen3-0.6B", "qwen3-0.6b"},
    {"Qwen/Qwen3-8B", "qwen3-8b"},
    {"Qwen/Qwen3-32B", "qwen3-32b"},
    {"Qwen/Qwen3-30B-A3B", "qwen3-30b-a3b"},
    {"Qwen/Qwen3-235B-A22B", "qwen3-235b-a22b"},
    {"deepseek-ai/DeepSeek-V3", "deepseek-v3"},
    {"deepseek-ai/DeepSeek-V3-0324", "deepseek-v3"},
    {"deepseek-ai/DeepSeek-V3.1", "deepseek-v3"},
    {"deepseek-ai/DeepSeek-R1", "deepseek-v3"},
    {"deepseek-ai/DeepSeek-R1-0528", "deepseek-v3"},
    {"deepseek-ai/DeepSeek-R1-Distill-Llama-8B", "llama-3.1-8b"},
    {"deepseek-ai/DeepSeek-R1-Distill-Llama-70B", "llama-3.1-70b"},
    {"deepseek-ai/DeepSeek-V2-Lite", "deepseek-v2-lite"},
    {"moonshotai/Kimi-K2-Instruct", "kimi-k2"},
    {"moonshotai/Kimi-K2-Instruct-0905", "kimi-k2"},
    {"moonshotai/Kimi-K2-Base", "kimi-k2"},
    {"openai/gpt-oss-20b", "gpt-oss-20b"},
    {"openai/gpt-oss-120b", "gpt-oss-120b"},
    {"microsoft/phi-1_5", "phi-1.5"},
    {"microsoft/phi-2", "phi-2"},
    {"microsoft/Phi-3-mini-4k", "phi-3-mini"},
    {"microsoft/phi-4", "phi-4"},
    {"google/gemma-2b", "gemma-2b"},
    {"google/gemma-7b", "gemma-7b"},
    {"google/gemma-2-2b", "gemma-2-2b"},
    {"google/gemma-2-9b", "gemma-2-9b"},
    {"google/gemma-2-27b", "gemma-2-27b"},
    {"google/gemma-3-1b", "gemma-3-1b"},
    {"google/gemma-3-1b-pt", "gemma-3-1b"},
    {"google/gemma-3-27b", "gemma-3-27b"},
    {"google-bert/bert-base-uncased", "bert-base-uncased"},
    {"google-bert/bert-base-cased", "bert-base-cased"},
    {"google-bert/bert-large-uncased", "bert-large-uncased"},
};

/// Endings that change the weights and not their shape or format.
constexpr std::array<std::string_view, 6> kFineTunes = {"-instruct", "-instruct-hf", "-chat",
                                                        "-chat-hf",  "-it",          "-base"};

constexpr TitanModel kTitanModels[] = {
    {"llama-3.1-8b", "llama3", "8B"},
    {"llama-3.1-70b", "llama3", "70B"},
    {"llama-3.1-405b", "llama3", "405B"},
    {"deepseek-v3", "deepseek_v3", "671B"},
    {"qwen3-0.6b", "qwen3", "0.6B"},
    {"qwen3-8b", "qwen3", "8B"},
    {"qwen3-32b", "qwen3", "32B"},
    {"qwen3-30b-a3b", "qwen3", "30B-A3B"},
    {"qwen3-235b-a22b", "qwen3", "235B-A22B"},
};

std::string_view withoutOwner(std::string_view name)
{
    return name.substr(name.rfind('/') + 1); // npos + 1 is 0
}

/// Without the ending of a fine-tune.
std::string_view stemOf(std::string_view name)
{
    const auto ending = std::ranges::find_if(
        kFineTunes, [name](std::string_view one) { return name.ends_with(one); });
    if (ending != kFineTunes.end())
        name.remove_suffix(ending->size());
    return name;
}

const ModelPreset *lookedUp(std::string_view name)
{
    const bool owned = name.find('/') != name.npos;
    for (const ModelRepository &repository : kRepositories) {
        if (lowered(owned ? repository.name : withoutOwner(repository.name)) == name)
            return findModelPreset(repository.preset);
    }
    return owned ? nullptr : findModelPreset(name);
}

/// The built-in model that a repository is of.
const ModelPreset *builtInOf(std::string_view name)
{
    if (const ModelPreset *preset = lookedUp(name))
        return preset;
    const std::string stem(stemOf(name));
    if (stem == name)
        return nullptr;
    const ModelPreset *preset = lookedUp(stem);
    return preset ? preset : lookedUp(stem + "-hf");
}

/// A model of the catalogue whose config is of that repository, or of a fine-tune of it.
const CatalogueModel *publishedAs(std::string_view name)
{
    const bool owned = name.find('/') != name.npos;
    const CatalogueModel *related = nullptr;
    for (const CatalogueModel &model : catalogueModels()) {
        if (model.architecture)
            continue; // its repositories are the rows above
        const std::string own =
            lowered(owned ? std::string_view(model.repository) : withoutOwner(model.repository));
        if (own == name || (!owned && model.name == name))
            return &model;
        if (!related && stemOf(own) == stemOf(name))
            related = &model;
    }
    return related;
}

} // namespace

std::span<const ModelRepository> modelRepositories()
{
    return kRepositories;
}

const CatalogueModel *findModelRepository(std::string_view repository)
{
    const std::string name = lowered(repository);
    const ModelPreset *preset = builtInOf(name);
    return preset ? findCatalogueModel(preset->name) : publishedAs(name);
}

std::string_view repositoryOf(std::string_view preset)
{
    const auto found = std::ranges::find(kRepositories, preset, &ModelRepository::preset);
    if (found != std::end(kRepositories))
        return found->name;
    const CatalogueModel *model = findModelPreset(preset) ? nullptr : findCatalogueModel(preset);
    return model ? std::string_view(model->repository) : std::string_view();
}

const CatalogueModel *findTitanModel(std::string_view model, std::string_view flavor)
{
    for (const TitanModel &titan : kTitanModels) {
        if (titan.model == model && titan.flavor == flavor)
            return findCatalogueModel(titan.preset);
    }
    return nullptr;
}

TitanModel titanModelOf(std::string_view preset)
{
    const auto found = std::ranges::find(kTitanModels, preset, &TitanModel::preset);
    return found == std::end(kTitanModels) ? TitanModel{} : *found;
}

} // namespace vramscope
