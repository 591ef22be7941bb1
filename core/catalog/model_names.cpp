// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalog/model_names.h"

#include "core/base/text.h"
#include "core/catalog/shipped_table.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

namespace vramscope {

namespace {

/// Endings that change the weights and not their shape or format; "-hf" may follow them.
constexpr std::array<std::string_view, 4> kFineTunes = {"-instruct", "-chat", "-it", "-base"};

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
    constexpr std::string_view kConverted = "-hf";
    if (name.ends_with(kConverted))
        name.remove_suffix(kConverted.size());
    const auto ending = std::ranges::find_if(
        kFineTunes, [name](std::string_view one) { return name.ends_with(one); });
    if (ending != kFineTunes.end())
        name.remove_suffix(ending->size());
    return name;
}

/// Every repository of a model of the catalogue, its own first.
const std::vector<ModelRepository> &allRepositories()
{
    static const std::vector<ModelRepository> repositories = [] {
        std::vector<ModelRepository> all;
        for (const CatalogueModel &model : catalogueModels())
            all.push_back({lowered(model.repository), model.name});
        for (const ModelRepository &repository : modelRepositories())
            all.push_back({lowered(repository.name), repository.preset});
        return all;
    }();
    return repositories;
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
    const bool owned = name.find('/') != name.npos;
    const ModelRepository *related = nullptr;
    for (const ModelRepository &one : allRepositories()) {
        const std::string_view known = owned ? one.name : withoutOwner(one.name);
        if (known == name || (!owned && one.preset == name))
            return findCatalogueModel(one.preset);
        if (!related && stemOf(known) == stemOf(name))
            related = &one;
    }
    return related ? findCatalogueModel(related->preset) : nullptr;
}

std::string_view repositoryOf(std::string_view preset)
{
    const CatalogueModel *model = findCatalogueModel(preset);
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
