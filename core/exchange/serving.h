// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/catalog/named_model.h"
#include "core/exchange/translation.h"

#include <span>
#include <string>

namespace vramscope {

// What the command lines of serving engines have in common.

/// --dtype of vLLM and SGLang.
inline constexpr WordPair kServedTypes[] = {{"bfloat16", "bf16"}, {"half", "fp16", true},
                                            {"float16", "fp16"},  {"float", "fp32", true},
                                            {"float32", "fp32"},  {"auto", "bf16"}};

/// A switch without which there are CUDA graphs.
inline constexpr WordPair kNoGraphs[] = {{"true", "0"}};

/// A served model on its way into a plan.
struct ServedModel
{
    std::string title;    ///< what to call it; empty where the line names none
    bool renames = false; ///< nobody gave the plan a name of its own
};

/// A model by the name of a repository or a file, in a folder or not.
[[nodiscard]] NamedModel findServedModel(std::string_view name);

/// Begins the plan of an engine: its workload, release and the model that the line names. A
/// repository is looked up whole, then without an ending that says its format
/// ("-FP8", "-AWQ", "-Q4_K_M.gguf"), then by the last part of its name; what was read into it is a
/// note, and so is a model that nobody knows. `name` is empty where the line names none.
[[nodiscard]] ServedModel beginServing(Translation &translation, std::string_view engine,
                                       const std::string &name);

/// The degrees of the line and the GPUs that they make; those of a training run say nothing here.
void importServedDegrees(Translation &translation, std::span<const SettingRow> degrees,
                         Translation::Keys data);

/// Bytes of a cache element by --kv-cache-dtype: 1 of all fp8 types, 2 of the words of `wide`.
void importServedCacheType(Translation &translation, std::string_view wide);

/// The draft model that the option at the last place names, by the catalogue.
void importServedDraft(Translation &translation, const CatalogueModel *known,
                       std::string_view name);

/// Weights in the type or the quantisation that the line states. A published quantisation stays
/// whatever type the rest is computed in.
void importServedFormat(Translation &translation, Translation::Keys type,
                        Translation::Keys quantization, std::span<const WordPair> quantizations);

/// The end of such an import: GPUs that the environment hides, a GPU that nobody named.
[[nodiscard]] Imported finishServing(Translation translation, const ServedModel &model,
                                     std::string format, std::string_view tool);

} // namespace vramscope
