// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/command_line/command.h"

#include "core/base/nearest.h"
#include "core/base/text.h"

#include <algorithm>

namespace vramscope::cli {

namespace {

constexpr std::string_view kHelp = "--help";

Error invalid(std::string detail)
{
    return {ErrorCode::Invalid, std::move(detail)};
}

const Option *findOption(const Command &command, std::string_view name)
{
    const auto found = std::ranges::find_if(command.options, [name](const Option &option) {
        return option.name == name || (!option.shortName.empty() && option.shortName == name);
    });
    return found == command.options.end() ? nullptr : &*found;
}

/// A word as an option, with a value joined to it.
struct OptionWord
{
    explicit OptionWord(std::string_view word)
        : name(word.substr(0, word.find('=')))
        , isJoined(name.size() < word.size())
        , value(isJoined ? word.substr(name.size() + 1) : std::string_view())
    {
    }
    std::string_view name;
    bool isJoined;
    std::string_view value;
};

bool isFile(std::string_view word)
{
    return !word.starts_with('-') || word == "-" || word.starts_with("- "); // a list in words
}

/// Whether --help is there as an option, neither as the value of another nor after "--".
bool asksForHelp(const Command &command, std::span<const std::string_view> words)
{
    for (std::size_t at = 0; at < words.size() && words[at] != "--"; ++at) {
        if (isHelp(words[at]))
            return true;
        const Option *option = findOption(command, words[at]);
        if (option != nullptr && !option->value.empty())
            ++at; // its value, whatever that is
    }
    return false;
}

/// The dashes do not count for the similarity of two names.
std::string unknownOption(const Command &command, std::string_view name)
{
    const auto letters = [](std::string_view option) {
        return option.substr(std::min(option.find_first_not_of('-'), option.size()));
    };
    std::vector<std::string_view> known{letters(kHelp)};
    for (const Option &option : command.options)
        known.push_back(letters(option.name));
    const std::string_view meant = nearest(letters(name), known);
    const std::string hint =
        meant.empty() ? std::string() : " (did you mean '--" + std::string(meant) + "'?)";
    return "there is no option " + std::string(name) + hint;
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

std::vector<std::string> Arguments::values(std::string_view option) const
{
    std::vector<std::string> all;
    for (const Given &given : options) {
        if (given.name == option)
            all.push_back(given.value);
    }
    return all;
}

bool isHelp(std::string_view word)
{
    return word == kHelp || word == "-h";
}

Result<Arguments> parse(const Command &command, std::span<const std::string_view> words)
{
    Arguments arguments;
    arguments.wantsHelp = asksForHelp(command, words);
    if (arguments.wantsHelp)
        return arguments;
    bool onlyFiles = false; // after "--"
    for (std::size_t at = 0; at < words.size(); ++at) {
        if (words[at].empty())
            return invalid("an argument is empty, as of a variable without a value" +
                           (command.operands.empty() ? std::string()
                                                     : "; give " + std::string(command.operands)));
        if (onlyFiles || isFile(words[at])) {
            arguments.files.emplace_back(words[at]);
            continue;
        }
        if (words[at] == "--") {
            onlyFiles = true;
            continue;
        }
        const OptionWord word(words[at]);
        const Option *option = findOption(command, word.name);
        if (option == nullptr)
            return invalid(unknownOption(command, word.name));
        const std::string name(option->name);
        const bool isFlag = option->value.empty();
        if (isFlag && word.isJoined)
            return invalid(name + " takes no value");
        if (!isFlag && !option->repeats && arguments.has(name))
            return invalid(name + " is given twice; give it once");
        if (!isFlag && !word.isJoined && ++at == words.size())
            return invalid(name + " needs a value: " + std::string(option->value));
        const std::string_view value = isFlag || word.isJoined ? word.value : words[at];
        arguments.options.push_back({option->name, std::string(value)});
    }
    if (arguments.files.size() < command.leastFiles)
        return invalid("needs " + std::string(command.operands));
    if (arguments.files.size() > command.mostFiles)
        return invalid("unexpected argument " + arguments.files[command.mostFiles]);
    return arguments;
}

std::string helpLine(std::string_view term, std::string_view meaning)
{
    constexpr std::size_t kColumn = 18;
    const std::size_t width = characters(term);
    const std::size_t gap = width + 2 < kColumn ? kColumn - width : 2;
    return "  " + std::string(term) + std::string(gap, ' ') + std::string(meaning) + '\n';
}

std::string helpText(std::string_view program, const Command &command)
{
    std::string text = "usage: " + std::string(program);
    for (const std::string_view part :
         {command.name, std::string_view("[OPTION…]"), command.operands})
        text += part.empty() ? "" : " " + std::string(part);
    text += "\n\n" + std::string(command.summary) + "\n\noptions:\n";
    for (const Option &option : command.options) {
        std::string term(option.shortName);
        term += (term.empty() ? "" : ", ") + std::string(option.name);
        term += option.value.empty() ? "" : " " + std::string(option.value);
        text += helpLine(term, option.help);
    }
    text += helpLine(kHelp, "this text");
    if (!command.details.empty())
        text += '\n' + std::string(command.details);
    return text + "\nexit status: 0 success, 1 a file cannot be used, 2 wrong arguments" +
           std::string(command.statuses) + '\n';
}

} // namespace vramscope::cli
