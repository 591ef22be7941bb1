// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/command_line/command.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace vramscope::cli {

enum class Shell { Bash, Zsh, Fish };

/// The shell of that name, "bash"; nothing for other names.
[[nodiscard]] std::optional<Shell> shellNamed(std::string_view name);

/// A script that completes a program's commands and their options in a shell. Operands written
/// "bash|zsh|fish" are completed as these words, values of an option as its words, all others as
/// files.
[[nodiscard]] std::string completionScript(Shell shell, std::string_view program,
                                           std::span<const Command> commands);

} // namespace vramscope::cli
