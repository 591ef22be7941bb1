// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "core/command_line/command.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>

namespace vramscope::cli {

inline constexpr int kSuccess = 0;
inline constexpr int kUnusableFile = 1;
inline constexpr int kBadArguments = 2;

/// One command of vramscope-cli. Each has a row in commands.h.
struct Subcommand
{
    Command command;
    int (*run)(const Arguments &); ///< gives the exit status
};

/// Writes "vramscope-cli: SUBJECT: text" to standard error.
void complain(std::string_view subject, std::string_view text);
/// Complains of the arguments of a command, or of a file; both give the exit status.
int badArguments(std::string_view command, std::string_view text);
int unusable(std::string_view subject, std::string_view text);

/// The number that `text` is, whole and at least `least`; nothing else.
[[nodiscard]] Result<int> wholeNumber(std::string_view text, int least);
/// The number given with an option; nothing without the option. The error names it.
[[nodiscard]] Result<std::optional<int>> numberOption(const Arguments &arguments,
                                                      std::string_view option, int least);

/// The options of every command that reports on files.
inline constexpr std::array kReportOptions{
    Option{"--json", "", "one JSON object a file, one line each"},
    Option{"--gb", "", "sizes in powers of ten (GB) instead of two (GiB)"},
};
/// The option of every command that prints the content of recordings.
inline constexpr Option kRedactOption{
    "--redact", "", "without names of users and machines, home folders and e-mail addresses"};

[[nodiscard]] inline ByteUnit unitOf(const Arguments &arguments)
{
    return arguments.has("--gb") ? ByteUnit::Decimal : ByteUnit::Binary;
}

/// Several tables of options as one.
template<std::size_t... Counts>
[[nodiscard]] constexpr auto joined(const std::array<Option, Counts> &...tables)
{
    std::array<Option, (Counts + ...)> all{};
    auto end = all.begin();
    ((end = std::ranges::copy(tables, end).out), ...);
    return all;
}

} // namespace vramscope::cli
