// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"
#include "core/ask/asked.h"
#include "core/solver/answer_sought.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace vramscope::cli {

/// The plan given to a command, as a file or in words.
struct PlanInput
{
    Plan plan;
    std::string label;          ///< the file's name, or the words
    std::optional<Asked> asked; ///< how the words were understood; empty for a plan from a file
    std::optional<SoughtAnswer> sought; ///< if the words ask for a value; the plan includes it
};

/// The options that describe a plan in words: --full and so on, --set.
inline constexpr std::array kAskOptions{
    Option{"--full", "", "train all parameters"},
    Option{"--lora", "", "train LoRA adapters"},
    Option{"--qlora", "", "train LoRA adapters on a base in NF4"},
    Option{"--serve", "", "serve the model"},
    Option{"--gpus", "N[xGPU]", "on so many GPUs: 8, 8xh100"},
    Option{"--seq", "N", "tokens of a sequence: 8192, 8k"},
    Option{"--batch", "N", "micro-batch of training, sequences at once of serving"},
    Option{"--set", "FIELD=VALUE", "set a field of the plan: optimizer.name=lion", true},
};

/// What the operands are: files, "-" for standard input, or, if no operand names a file, together
/// the words of one plan.
[[nodiscard]] std::vector<std::string> planSources(const Arguments &arguments);

/// Reads one of them: a plan, the words of one, or a file that the import knows, such as a
/// config.json. Lists on standard error what an import does not carry over. An error has the code
/// Invalid if the arguments are at fault, otherwise the file is.
[[nodiscard]] Result<PlanInput> readPlanInput(const std::string &source,
                                              const Arguments &arguments);
/// Complains of a plan that could not be read; gives the exit status.
int complainOfPlan(const std::string &source, const Error &error);

/// The answer about a plan, with how its words were understood.
[[nodiscard]] std::string jsonAnswer(const PlanInput &input, const std::string &json);
[[nodiscard]] std::string textAnswer(const PlanInput &input, const std::string &text);

} // namespace vramscope::cli
