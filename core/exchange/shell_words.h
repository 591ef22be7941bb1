// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace vramscope {

/// A word of a shell script after quotes and variables.
struct ShellWord
{
    std::string text;
    int line = 1;
    bool end = false; ///< not a word: a command ends here
};

/// A script as its words and, as "NAME=value", its environment variables and definitions.
struct ShellScript
{
    std::vector<ShellWord> words;
    std::vector<ShellWord> assignments;
};

/// The words of all commands of a script, in the order of the text: without comments, with
/// continued lines joined, and with variables and arrays of the script expanded, including
/// whole-number arithmetic. Nothing runs; names that the script does not define stay as "$NAME".
/// For a script that only defines variables, their words. An error if the script is broken or
/// expands beyond reason.
[[nodiscard]] Result<ShellScript> readShell(std::string_view script);
/// Only the words.
[[nodiscard]] Result<std::vector<ShellWord>> shellWords(std::string_view script);

} // namespace vramscope
