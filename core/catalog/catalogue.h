// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace vramscope {

/// A model under the name that plans use, with its published config.json.
struct CatalogueModel
{
    std::string name;          ///< "qwen3-next-80b-a3b"
    std::string title;         ///< "Qwen3 Next 80B-A3B"
    std::string family;        ///< "Qwen"
    int year = 0;              ///< of publication
    std::string repository;    ///< "Qwen/Qwen3-Next-80B-A3B-Instruct", on Hugging Face
    std::string_view config{}; ///< its text
    std::string source{};
    std::string note{};    ///< a sentence on the model that it is a part of; may be empty
    bool pipeline = false; ///< from diffusers: plans name it as model.pipeline
};

/// All models, families together: those of resources/models/catalogue.csv in its order, then the
/// pipelines of resources/diffusion.
[[nodiscard]] std::span<const CatalogueModel> catalogueModels();

/// The model of that name, or nullptr.
[[nodiscard]] const CatalogueModel *findCatalogueModel(std::string_view name);

} // namespace vramscope
