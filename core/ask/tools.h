// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/catalog/tools.h"
#include "core/plan/field_path.h"
#include "core/plan/plan.h"

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vramscope {

// The tools that a sentence may name and the settings that each of them takes where nobody states
// any: resources/tools. Adding a tool or a default touches these tables alone.

/// What a sentence asks for, in the words of the `task` column.
enum class AskedTask : std::uint8_t {
    Serve,
    Full,
    Lora,
    Qlora,
    Dpo,
    Kto,  ///< single examples, good or bad
    Orpo, ///< preference pairs without a reference model
    Reward,
    Grpo,
    Ppo,
    Embed,
    Distill
};
inline constexpr std::array<std::string_view, 12> kAskedTasks = {
    "serve", "full",   "lora", "qlora", "dpo",   "kto",
    "orpo",  "reward", "grpo", "ppo",   "embed", "distill"};

[[nodiscard]] std::optional<AskedTask> askedTaskNamed(std::string_view name);

/// Sequences of a micro-batch for each sample of a batch: the two of a preference pair, else 1.
[[nodiscard]] std::int64_t sequencesPerSample(AskedTask task);

/// The tool that people name by these words, as one key of nameKey(); nullptr: none. Where a
/// trainer and an engine share the words, `kind` chooses; without it the engine is meant.
[[nodiscard]] const Tool *findTool(std::string_view key, std::optional<ToolKind> kind = {});

/// One default: a row of resources/tools/defaults.csv.
struct ToolDefault
{
    FieldPath field;
    std::string_view value;  ///< as setWritten() reads it, or "2*parameters/gpus" of a size
    std::string_view where;  ///< what has to hold of the plan, in words divided by blanks; or empty
    std::string_view source; ///< files of the tool, with lines where they are known
    std::string_view note;   ///< a sentence for the answer; or empty
    const Tool *tool;        ///< nullptr: what is usual where no tool is named
};

/// The defaults of a tool for a task, then those that are usual without one (`tool` nullptr: these
/// alone). Where several are of one field, the first whose `where` holds is in force.
[[nodiscard]] std::vector<ToolDefault> defaultsOf(const Tool *tool, AskedTask task);

/// Sentences about settings of a tool for which plans have no field.
[[nodiscard]] std::vector<std::string_view> remarksOf(const Tool *tool, AskedTask task);

/// "TRL 1.16.0, trl/trainer/utils.py:1332".
[[nodiscard]] std::string sourceText(const ToolDefault &def);

/// Puts the defaults of a tool into a plan whose workload, model, GPUs and strategy are known: each
/// that applies there and whose field `isClaimed` does not name, over what newPlan() has. `tasks`
/// are what is done and how the model is trained, the first counting most: {Dpo, Lora}. Lengths end
/// at the model's own limit. Returns the defaults that are now in the plan, for the answer to name
/// as assumed; `value` of one is the row's, before any limit.
std::vector<ToolDefault> applyDefaults(Plan &plan, const Tool *tool,
                                       std::span<const AskedTask> tasks,
                                       const std::function<bool(FieldPath)> &isClaimed);

} // namespace vramscope
