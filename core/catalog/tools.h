// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vramscope {

enum class ToolKind : std::uint8_t { Trainer, Engine };

/// A program that people train or serve models with: a row of resources/tools/tools.csv.
struct Tool
{
    std::string name;  ///< as `trainer` of a plan writes it: "llamafactory"
    std::string title; ///< "LLaMA-Factory"
    ToolKind kind = ToolKind::Trainer;
    std::vector<std::string> words; ///< by which people name it, the commonest first
    /// Whose behaviour the planner computes for it: a training loop ("own", "hf", "torchtitan"), or
    /// a value of inference.engine. Empty: the planner does not compute this tool.
    std::string behavesAs;
    std::string
        usualTask;       ///< the task where nobody names one, a word of askedTaskNamed(); or empty
    std::string version; ///< whose source the defaults are read in; or empty
    bool launches = false; ///< the scripts of other tools: a trainer beside it decides
    std::string hubOwner;  ///< whose repositories are made for it; or empty
};

/// In the order of the table.
[[nodiscard]] std::span<const Tool> tools();

/// The tool of that name, or nullptr.
[[nodiscard]] const Tool *toolNamed(std::string_view name);

/// The names of the tools that train: the choices of a plan's `trainer`.
[[nodiscard]] std::span<const std::string_view> trainerNames();

} // namespace vramscope
