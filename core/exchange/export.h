// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/exchange/import.h"

#include <array>
#include <optional>

namespace vramscope {

enum class ExportFormat {
    HfConfig,
    DeepSpeed,
    Torchtitan,
    Megatron,
    Vllm,
    Accelerate,
    Trainer,
    Trl,
    Axolotl,
    LlamaFactory
};

inline constexpr std::array<std::string_view, 10> kExportFormats = {
    "hf-config",  "deepspeed", "torchtitan", "megatron", "vllm",
    "accelerate", "trainer",   "trl",        "axolotl",  "llama-factory"};

/// A plan in the format of another tool. The notes name each field of the plan that the format
/// cannot express, or expresses as something else.
struct Exported
{
    std::string text;
    std::vector<ImportNote> notes;
};

/// Writes a plan as the file or arguments of another tool; importInto() reads it back, except for
/// accelerate's and LLaMA-Factory's. An error if the plan's model is incomplete, and for a plan of
/// inference in a format of training.
[[nodiscard]] Result<Exported> exportPlan(const Plan &plan, ExportFormat format);

/// The format of that name.
[[nodiscard]] std::optional<ExportFormat> findExportFormat(std::string_view name);

} // namespace vramscope
