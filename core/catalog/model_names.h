// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/catalog/catalogue.h"

#include <span>
#include <string>
#include <string_view>

namespace vramscope {

/// The model that a Hugging Face repository name means ("meta-llama/Llama-3.1-8B-Instruct"), with
/// or without its owner, in any case; fine-tunes of the same shape share it. nullptr where none is
/// known.
[[nodiscard]] const CatalogueModel *findModelRepository(std::string_view repository);

/// Another repository of a model: another name of it, or a copy.
struct ModelRepository
{
    std::string name;   ///< "meta-llama/Llama-3.1-8B"
    std::string preset; ///< "llama-3.1-8b"
};
/// Rows of resources/models/repositories.csv; a model's own repository is in the catalogue.
[[nodiscard]] std::span<const ModelRepository> modelRepositories();

/// The repository of a model that plans know by that name, or an empty view.
[[nodiscard]] std::string_view repositoryOf(std::string_view preset);

/// The model with this name and flavor in torchtitan ("llama3", "8B"), or nullptr.
[[nodiscard]] const CatalogueModel *findTitanModel(std::string_view model, std::string_view flavor);

/// torchtitan's name and flavor of a preset; both empty where it has none.
struct TitanModel
{
    std::string preset;
    std::string model;
    std::string flavor;
};
[[nodiscard]] TitanModel titanModelOf(std::string_view preset);

} // namespace vramscope
