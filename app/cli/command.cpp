// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command.h"

#include "core/base/format.h"

#include <charconv>
#include <iostream>

namespace vramscope::cli {

void complain(std::string_view subject, std::string_view text)
{
    std::cerr << "vramscope-cli: " << printable(subject) << ": " << printable(text) << '\n';
}

int badArguments(std::string_view command, std::string_view text)
{
    complain(command, text);
    return kBadArguments;
}

int unusable(std::string_view subject, std::string_view text)
{
    complain(subject, text);
    return kUnusableFile;
}

Result<int> wholeNumber(std::string_view text, int least)
{
    int number = 0;
    const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (status != std::errc() || end != text.data() + text.size() || number < least)
        return invalid("\"" + std::string(text) + "\" is not a whole number of at least " +
                       std::to_string(least));
    return number;
}

Result<std::optional<int>> numberOption(const Arguments &arguments, std::string_view option,
                                        int least)
{
    if (!arguments.has(option))
        return std::optional<int>();
    const Result<int> number = wholeNumber(arguments.value(option), least);
    if (!number.ok())
        return invalid(std::string(option) + ": " + number.error().detail);
    return std::optional<int>(*number);
}

} // namespace vramscope::cli
