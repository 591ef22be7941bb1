// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/command_line/command.h"

namespace vramscope::cli {

inline constexpr int kSuccess = 0;
inline constexpr int kUnusableFile = 1;
inline constexpr int kBadArguments = 2;

/// One command of vramscope-cli. Each lives in a file of its own (trace_command.cpp, …) and has a
/// row in main.cpp.
struct Subcommand
{
    Command command;
    int (*run)(const Arguments &); ///< gives the exit status
};

/// Writes "vramscope-cli: SUBJECT: text" to standard error.
void complain(std::string_view subject, std::string_view text);

/// The number that `text` is, whole and at least `least`; nothing else.
[[nodiscard]] Result<int> wholeNumber(std::string_view text, int least);

} // namespace vramscope::cli
