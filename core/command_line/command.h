// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// The command lines of the programs: the arguments of a command are constant data, from which their
// check and the help follow.

namespace vramscope::cli {

inline constexpr std::size_t kAnyNumber = std::numeric_limits<std::size_t>::max();

/// An option of a command. A flag if `value` is empty; else `value` names the next word.
struct Option
{
    std::string_view name;           ///< "--out"
    std::string_view value;          ///< "FILE"
    std::string_view help;           ///< a half sentence
    bool repeats = false;            ///< may be given more than once; a flag always may
    std::string_view shortName = {}; ///< "-o"
    /// The possible values, for completion by shells; empty if they are files or free text.
    std::span<const std::string_view> words = {};
};

/// The arguments of a program, or of one of its commands, in addition to --help and -h.
struct Command
{
    std::string_view name;     ///< empty: the program itself
    std::string_view operands; ///< "FILE…"; empty without operands
    std::string_view summary;  ///< one line for the list of commands
    std::size_t leastFiles = 0;
    std::size_t mostFiles = 0;
    std::span<const Option> options = {};
    std::string_view details = {};  ///< more help, in finished lines; may be empty
    std::string_view statuses = {}; ///< exit statuses of its own: ", 3 a plan does not fit"
};

/// The arguments given to a command, checked against its definition.
struct Arguments
{
    struct Given
    {
        std::string_view name; ///< as in Option::name
        std::string value;
    };
    std::vector<Given> options; ///< in the order given
    std::vector<std::string> files;
    bool wantsHelp = false; ///< then everything else is empty

    [[nodiscard]] bool has(std::string_view option) const;
    /// The value of an option, or `otherwise` if it was not given; the last of several.
    [[nodiscard]] std::string_view value(std::string_view option,
                                         std::string_view otherwise = {}) const;
    /// Every value of an option, in the order given.
    [[nodiscard]] std::vector<std::string> values(std::string_view option) const;
};

[[nodiscard]] bool isHelp(std::string_view word);

/// Reads the words after a command's name. An option's value is the next word, or is joined to the
/// option by "="; after "--" all words are files. A request for help always succeeds, whatever else
/// is wrong. The error is a clause that says what is wrong.
[[nodiscard]] Result<Arguments> parse(const Command &command,
                                      std::span<const std::string_view> words);

/// The output of --help for a command: its usage, summary, options, details and exit statuses.
[[nodiscard]] std::string helpText(std::string_view program, const Command &command);

/// A line of a help text: a term, and from column 18 on its meaning.
[[nodiscard]] std::string helpLine(std::string_view term, std::string_view meaning);

} // namespace vramscope::cli
