// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/catalog/catalogue.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vramscope {

/// A model as people name it: by a name of the catalogue, by a repository of any owner, or by that
/// of a copy, of a quantised file or of a fine-tune, whose shape a model of the catalogue has.
struct NamedModel
{
    const CatalogueModel *model = nullptr; ///< whose shape it has; null where none is computed
    /// What was named, as it should be shown: "Llama 3.3 70B", and not the model of its shape.
    std::string title;
    std::string note;                ///< a sentence on how it differs from `model`; may be empty
    std::string whyNot;              ///< a sentence where the name is known and has no `model`
    std::string_view weightFormat{}; ///< of its files, as plans write it; empty where none is named
    std::string_view engine{};       ///< the only one that loads its files: "llama.cpp", "mlx"
    /// The words that name the format, "q3_k_m": also one that no plan has, and then `weightFormat`
    /// is empty.
    std::string formatWritten;
    bool isPublishedQuantised = false; ///< its name is that of files with quantised weights
    bool isInstruct = false;           ///< its name says that it answers people
    bool isCorrected = false;          ///< a typing error was taken for this name
    std::vector<const CatalogueModel *>
        others{}; ///< that may be meant as well, the likeliest first

    /// Somebody published a model of this name, computed or not.
    [[nodiscard]] bool known() const { return model || !whyNot.empty(); }
};

/// The model of that name, whatever its case and what stands between its parts: "Qwen3-8B",
/// "bartowski/Meta-Llama-3.1-8B-Instruct-GGUF", "qwen3:8b", "llama 3.3 70b instruct". Formats and
/// engines are read from its ending where that is joined to it, for "8b q8_0" are two words. A name
/// that is not known is not taken for one that is like it: known() is false.
[[nodiscard]] NamedModel namedModel(std::string_view name);

/// A name that resources/models/names.csv gives a model.
struct ModelAlias
{
    std::string name;                      ///< "deepseek-r1"
    const CatalogueModel *model = nullptr; ///< null: known and not computed
    std::string title;
    std::string weightFormat; ///< of its own files, where they are not those of `model`
    std::string note;         ///< how it differs, or why it is not computed
};
[[nodiscard]] std::span<const ModelAlias> modelAliases();

/// An ending of a repository's name, or its beginning, of resources/models/suffixes.csv.
struct ModelSuffix
{
    /// "awq"; '#' is any digit. An owner ends in '/', and what stands before a name in '-'.
    std::string suffix;
    std::string weightFormat;
    std::string engine;
    bool instruct = false;
    bool format = false; ///< it names how the weights are stored, which `weightFormat` may lack
    std::string shown;   ///< what it adds to the title

    /// It says what files there are, and nothing of the model.
    [[nodiscard]] bool ofFiles() const { return format || !engine.empty(); }
};
[[nodiscard]] std::span<const ModelSuffix> modelSuffixes();

/// Downloads of the model and its copies in a month, in thousands; 0 where they are not known or
/// below a thousand.
[[nodiscard]] int downloadsOf(const CatalogueModel &model);

} // namespace vramscope
