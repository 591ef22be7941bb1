// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace vramscope {

struct Architecture;

/// A model under the name that plans use: with an architecture that is built in (models.h), or with
/// the config.json that it was published with.
struct CatalogueModel
{
    std::string name;       ///< "qwen3-next-80b-a3b"
    std::string title;      ///< "Qwen3 Next 80B-A3B"
    std::string family;     ///< "Qwen"
    int year = 0;           ///< in which it was published
    std::string repository; ///< "Qwen/Qwen3-Next-80B-A3B-Instruct", of Hugging Face
    const Architecture *architecture = nullptr; ///< built in; null where the config says it
    std::string_view config{};                  ///< its text; empty where built in
    std::string source{};
    std::string note{};    ///< a sentence on what it is a part of; may be empty
    bool pipeline = false; ///< of diffusers: plans name it as model.pipeline
};

/// All models, families together: the built-in ones in their order, then those of
/// resources/models/catalogue.csv in its order, and the pipelines of resources/diffusion.
[[nodiscard]] std::span<const CatalogueModel> catalogueModels();

/// The model of that name, or nullptr.
[[nodiscard]] const CatalogueModel *findCatalogueModel(std::string_view name);

} // namespace vramscope
