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
    std::string name;  ///< in a plan's `trainer`: "llamafactory"
    std::string title; ///< "LLaMA-Factory"
    ToolKind kind = ToolKind::Trainer;
    std::vector<std::string> words; ///< people's names for it, the commonest first
    /// The tool whose behaviour the planner computes for it: a training loop ("own", "hf",
    /// "torchtitan"), or a value of inference.engine. Empty: the planner does not compute this
    /// tool.
    std::string behavesAs;
    std::string usualTask; ///< the task if none is given, a word of askedTaskNamed(); or empty
    std::string version;   ///< the version whose source has the defaults; or empty
    bool launches = false; ///< runs scripts of other tools: a trainer named with it decides
    std::string hubOwner;  ///< the owner of repositories made for it; or empty
};

/// In the order of the table.
[[nodiscard]] std::span<const Tool> tools();

/// The tool of that name, or nullptr.
[[nodiscard]] const Tool *toolNamed(std::string_view name);

/// The names of the tools that train: the choices of a plan's `trainer`.
[[nodiscard]] std::span<const std::string_view> trainerNames();

} // namespace vramscope
