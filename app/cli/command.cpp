// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command.h"

#include "core/base/format.h"

#include <algorithm>
#include <charconv>
#include <iostream>

namespace vramscope::cli {

namespace {

Error invalid(std::string detail)
{
    return {ErrorCode::Invalid, std::move(detail)};
}

const Option *findOption(const Command &command, std::string_view name)
{
    const auto found = std::ranges::find(command.options, name, &Option::name);
    return found == command.options.end() ? nullptr : &*found;
}

} // namespace

bool Arguments::has(std::string_view option) const
{
    return std::ranges::find(options, option, &Given::name) != options.end();
}

std::string_view Arguments::value(std::string_view option, std::string_view otherwise) const
{
    std::string_view last = otherwise;
    for (const Given &given : options) {
        if (given.name == option)
            last = given.value;
    }
    return last;
}

bool isHelp(std::string_view word)
{
    return word == "--help" || word == "-h";
}

bool asksForHelp(const Command &command, std::span<const char *const> words)
{
    for (std::size_t at = 0; at < words.size(); ++at) {
        const std::string_view word = words[at];
        if (word == "--")
            return false;
        if (isHelp(word))
            return true;
        const Option *option = findOption(command, word);
        if (option != nullptr && !option->value.empty())
            ++at; // its value, whatever that is
    }
    return false;
}

Result<Arguments> parseArguments(const Command &command, std::span<const char *const> words)
{
    Arguments arguments;
    bool onlyFiles = false; // after "--"
    for (std::size_t at = 0; at < words.size(); ++at) {
        const std::string_view word = words[at];
        if (word.empty())
            return invalid("an argument is empty, as of a variable without a value; give " +
                           std::string(command.operands));
        if (onlyFiles || !word.starts_with('-') || word == "-") {
            arguments.files.emplace_back(word);
            continue;
        }
        if (word == "--") {
            onlyFiles = true;
            continue;
        }
        const std::size_t equals = word.find('=');
        const bool joined = equals != std::string_view::npos; // --at=peak
        const std::string_view name = word.substr(0, equals);
        const Option *option = findOption(command, name);
        if (option == nullptr)
            return invalid("unknown option " + std::string(name));
        if (option->value.empty() && joined)
            return invalid(std::string(name) + " takes no value");
        if (!option->value.empty() && !option->repeats && arguments.has(name))
            return invalid(std::string(name) + " is given twice; give it once");
        if (option->value.empty())
            arguments.options.push_back({option->name, {}});
        else if (joined)
            arguments.options.push_back({option->name, word.substr(equals + 1)});
        else if (++at < words.size())
            arguments.options.push_back({option->name, words[at]});
        else
            return invalid(std::string(name) + " needs a value: " + std::string(option->value));
    }
    if (arguments.files.size() < command.leastFiles)
        return invalid("needs " + std::string(command.operands));
    if (arguments.files.size() > command.mostFiles)
        return invalid("unexpected argument " + arguments.files[command.mostFiles]);
    return arguments;
}

void complain(std::string_view subject, std::string_view text)
{
    std::cerr << "vramscope-cli: " << printable(subject) << ": " << printable(text) << '\n';
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

} // namespace vramscope::cli
