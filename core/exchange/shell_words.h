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
    bool end = false; ///< no word: a command ends here
};

/// A script as its words and, as "NAME=value", what it gives its commands as environment or
/// defines.
struct ShellScript
{
    std::vector<ShellWord> words;
    std::vector<ShellWord> assignments;
};

/// The words of all commands of a script, in the order of the text: comments left out, lines
/// continued, and variables and arrays that the script itself defines put in, with whole-number
/// arithmetic. Nothing runs; what the script does not define stays as "$NAME". Where a script only
/// defines variables, their words. An error where the script is broken or expands beyond reason.
[[nodiscard]] Result<ShellScript> readShell(std::string_view script);
/// The words alone.
[[nodiscard]] Result<std::vector<ShellWord>> shellWords(std::string_view script);

} // namespace vramscope
