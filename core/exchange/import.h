// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/plan/plan.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace vramscope {

/// A setting that an import could not keep unchanged, or that a user should check.
struct ImportNote
{
    std::string place;       ///< "zero_optimization.stage", "line 12, --lr"; empty: the whole file
    std::string text;        ///< one sentence
    bool asksForGpu = false; ///< words that name one answer it
    bool operator==(const ImportNote &) const = default;
};

/// A foreign file as a plan. Every key of the file is in the plan, in a note, or counted in one.
struct Imported
{
    Plan plan;
    std::string format; ///< "DeepSpeed JSON"
    std::vector<ImportNote> notes;
};

/// Applies the settings of another tool's file to a plan. The format is recognised by content: a
/// Hugging Face config.json, a DeepSpeed JSON, a torchtitan TOML, an axolotl YAML, Megatron-LM
/// arguments (a line or a shell script), those of transformers' Trainer (or a JSON or YAML of
/// them), the command line of a serving engine (vLLM, also its LLM(…); SGLang; llama.cpp;
/// TensorRT-LLM) whatever starts it. Fields that the file does not set stay as in `base`. An error
/// says what the text is instead, or where it is broken.
[[nodiscard]] Result<Imported> importInto(const Plan &base, std::string_view text);

/// Imports a file, or a local checkpoint: a folder, its index, a .safetensors or a .gguf file
/// (import_checkpoint.h).
[[nodiscard]] Result<Imported> importFile(const Plan &base, const std::filesystem::path &file);

} // namespace vramscope
