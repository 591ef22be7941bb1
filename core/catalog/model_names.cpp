// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalog/model_names.h"

#include "core/base/text.h"
#include "core/catalog/models.h"
#include "core/catalog/shipped_table.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

namespace vramscope {

namespace {

/// Endings that change the weights and not their shape or format.
constexpr std::array<std::string_view, 6> kFineTunes = {"-instruct", "-instruct-hf", "-chat",
                                                        "-chat-hf",  "-it",          "-base"};

const std::vector<TitanModel> &titanModels()
{
    static const std::vector<TitanModel> models = [] {
        std::vector<TitanModel> all;
        readShippedTable("models/torchtitan.csv", [&](const auto &cell) {
            all.push_back({cell("model"), cell("name"), cell("flavor")});
        });
        return all;
    }();
    return models;
}

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
    for (const ModelRepository &repository : modelRepositories()) {
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
    static const std::vector<ModelRepository> repositories = [] {
        std::vector<ModelRepository> all;
        readShippedTable("models/repositories.csv", [&](const auto &cell) {
            all.push_back({cell("repository"), cell("model")});
        });
        return all;
    }();
    return repositories;
}

const CatalogueModel *findModelRepository(std::string_view repository)
{
    const std::string name = lowered(repository);
    const ModelPreset *preset = builtInOf(name);
    return preset ? findCatalogueModel(preset->name) : publishedAs(name);
}

std::string_view repositoryOf(std::string_view preset)
{
    const auto repositories = modelRepositories();
    const auto found = std::ranges::find(repositories, preset, &ModelRepository::preset);
    if (found != repositories.end())
        return found->name;
    const CatalogueModel *model = findModelPreset(preset) ? nullptr : findCatalogueModel(preset);
    return model ? std::string_view(model->repository) : std::string_view();
}

const CatalogueModel *findTitanModel(std::string_view model, std::string_view flavor)
{
    for (const TitanModel &titan : titanModels()) {
        if (titan.model == model && titan.flavor == flavor)
            return findCatalogueModel(titan.preset);
    }
    return nullptr;
}

TitanModel titanModelOf(std::string_view preset)
{
    const auto found = std::ranges::find(titanModels(), preset, &TitanModel::preset);
    return found == titanModels().end() ? TitanModel{} : *found;
}

} // namespace vramscope
