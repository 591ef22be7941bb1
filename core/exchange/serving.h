// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/catalog/named_model.h"
#include "core/exchange/outline.h"
#include "core/exchange/translation.h"

#include <span>
#include <string>

namespace vramscope {

// Shared by the command lines of serving engines.

/// --dtype of vLLM and SGLang.
inline constexpr WordPair kServedTypes[] = {{"bfloat16", "bf16"}, {"half", "fp16", true},
                                            {"float16", "fp16"},  {"float", "fp32", true},
                                            {"float32", "fp32"},  {"auto", "bf16"}};

/// A switch that turns off CUDA graphs, which are on by default.
inline constexpr WordPair kNoGraphs[] = {{"true", "0"}};

/// The served model of an import.
struct ServedModel
{
    std::string title;    ///< its name; empty if the line has none
    bool renames = false; ///< the user gave the plan no name of its own
};

/// A model by the name of a repository or a file, with or without a folder.
[[nodiscard]] NamedModel findServedModel(std::string_view name);

/// Begins the plan of an engine: its workload, release and the model in the line. A repository is
/// looked up whole, then without an ending for its format ("-FP8", "-AWQ", "-Q4_K_M.gguf"), then by
/// the last part of its name; an interpretation gets a note, and so does an unknown model. `name`
/// is empty if the line has none.
[[nodiscard]] ServedModel beginServing(Translation &translation, std::string_view engine,
                                       const std::string &name);

/// The degrees of the line and the resulting number of GPUs; those of a training run do not apply
/// here.
void importServedDegrees(Translation &translation, std::span<const SettingRow> degrees,
                         Translation::Keys data);

/// Bytes of a cache element from --kv-cache-dtype: 1 for all fp8 types, 2 for the words of `wide`.
void importServedCacheType(Translation &translation, std::string_view wide);

/// The draft model in the option at the last place, from the catalogue.
void importServedDraft(Translation &translation, const CatalogueModel *known,
                       std::string_view name);

/// Weights in the type or the quantisation in the line. A published quantisation stays, whatever
/// type the rest is computed in.
void importServedFormat(Translation &translation, Translation::Keys type,
                        Translation::Keys quantization, std::span<const WordPair> quantizations);

/// Ends such an import: handles GPUs that the environment hides, and an unspecified GPU.
[[nodiscard]] Imported finishServing(Translation translation, const ServedModel &model,
                                     std::string format, std::string_view tool);

/// The modules that engines adapt, in the words of vLLM and SGLang.
void importServedTargets(Translation &translation, std::string_view option);
void writeServedTargets(Outline &outline, std::string_view option);

} // namespace vramscope
