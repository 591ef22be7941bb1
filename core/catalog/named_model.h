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
/// of a copy, of a quantised file or of a fine-tune with the shape of a model of the catalogue.
struct NamedModel
{
    const CatalogueModel *model = nullptr; ///< the model of its shape; null where none is computed
    /// The named model's title: "Llama 3.3 70B", not that of the model of its shape.
    std::string title;
    std::string note;                ///< a sentence on how it differs from `model`; may be empty
    std::string whyNot;              ///< a sentence where the name is known and has no `model`
    std::string_view weightFormat{}; ///< of its files, as in plans; empty without a format
    std::string_view engine{};       ///< the only one that loads its files: "llama.cpp", "mlx"
    /// The words of the format, "q3_k_m": maybe one that no plan has, and then `weightFormat` is
    /// empty.
    std::string formatWritten;
    bool isPublishedQuantised = false; ///< its name is a name of files with quantised weights
    bool isInstruct = false;           ///< its name is that of an instruction-tuned model
    bool isCorrected = false;          ///< a typing error was corrected to this name
    std::vector<const CatalogueModel *> others{}; ///< other possible models, the likeliest first

    /// Somebody published a model of this name, computed or not.
    [[nodiscard]] bool known() const { return model || !whyNot.empty(); }
};

/// The model of that name, in any case and with any separators between its parts: "Qwen3-8B",
/// "bartowski/Meta-Llama-3.1-8B-Instruct-GGUF", "qwen3:8b", "llama 3.3 70b instruct". Formats and
/// engines are read from its ending where that is joined to it, for "8b q8_0" are two words. An
/// unknown name is never replaced by a similar one: known() is false.
[[nodiscard]] NamedModel namedModel(std::string_view name);

/// A name that resources/models/names.csv gives a model.
struct ModelAlias
{
    std::string name;                      ///< "deepseek-r1"
    const CatalogueModel *model = nullptr; ///< null: known and not computed
    std::string title;
    std::string weightFormat; ///< of its own files, where they differ from those of `model`
    std::string note;         ///< how it differs, or why it is not computed
};
[[nodiscard]] std::span<const ModelAlias> modelAliases();

/// An ending of a repository's name, or its beginning, of resources/models/suffixes.csv.
struct ModelSuffix
{
    /// "awq"; '#' is any digit. An owner ends in '/', and a prefix of a name in '-'.
    std::string suffix;
    std::string weightFormat;
    std::string engine;
    bool instruct = false;
    bool format = false; ///< it names the format of the weights, which `weightFormat` may lack
    std::string shown;   ///< its addition to the title

    /// It describes the files, not the model.
    [[nodiscard]] bool ofFiles() const { return format || !engine.empty(); }
};
[[nodiscard]] std::span<const ModelSuffix> modelSuffixes();

/// Downloads of the model and its copies in a month, in thousands; 0 where unknown or below a
/// thousand.
[[nodiscard]] int downloadsOf(const CatalogueModel &model);

} // namespace vramscope
