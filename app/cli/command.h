// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vramscope::cli {

inline constexpr int kSuccess = 0;
inline constexpr int kUnusableFile = 1;
inline constexpr int kBadArguments = 2;

/// An option that a command takes. A flag where `value` is empty; else `value` names what follows.
struct Option
{
    std::string_view name;  ///< "--at"
    std::string_view value; ///< "EVENT"
    std::string_view help;  ///< a half sentence
    bool repeats = false;   ///< may be given more than once; a flag always may
};

/// What followed the command's name, checked against what it takes.
struct Arguments
{
    struct Given
    {
        std::string_view name;
        std::string_view value;
    };
    std::vector<Given> options;
    std::vector<std::string> files;

    [[nodiscard]] bool has(std::string_view option) const;
    /// The value of an option, `otherwise` where it was not given; of several the last.
    [[nodiscard]] std::string_view value(std::string_view option,
                                         std::string_view otherwise = {}) const;
};

/// One command of vramscope-cli: constant data from which the help, the check of the arguments and
/// the dispatch follow. Each lives in a file of its own (trace_command.cpp, …) and has a row in
/// main.cpp.
struct Command
{
    std::string_view name;
    std::string_view operands; ///< "FILE…"; empty where it takes none
    std::string_view summary;  ///< one line for the list of commands
    std::size_t leastFiles;
    std::size_t mostFiles;
    std::span<const Option> options; ///< beside --help
    int (*run)(const Arguments &);   ///< gives the exit status
};

[[nodiscard]] bool isHelp(std::string_view word);

/// Whether --help or -h is among the options that follow a command's name, neither a value of
/// another nor a file behind "--".
[[nodiscard]] bool asksForHelp(const Command &command, std::span<const char *const> words);

/// Checks what follows a command's name. The error says what is wrong with it.
[[nodiscard]] Result<Arguments> parseArguments(const Command &command,
                                               std::span<const char *const> words);

/// Writes "vramscope-cli: SUBJECT: text" to standard error.
void complain(std::string_view subject, std::string_view text);

/// The number that `text` is, whole and at least `least`; nothing else.
[[nodiscard]] Result<int> wholeNumber(std::string_view text, int least);

} // namespace vramscope::cli
