// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/command_line/completion.h"

#include <algorithm>
#include <array>

namespace vramscope::cli {

namespace {

constexpr std::array<std::string_view, 3> kShells = {"bash", "zsh", "fish"};

constexpr std::string_view kNotice = "# Generated from the table of commands; do not edit.\n";

std::string shellQuoted(std::string_view text)
{
    std::string result = "'";
    for (const char c : text) {
        if (c == '\'')
            result += R"('\'')";
        else
            result += c;
    }
    return result + '\'';
}

/// "vramscope-cli" as the name of a function.
std::string functionName(std::string_view program)
{
    std::string name = '_' + std::string(program);
    std::ranges::replace(name, '-', '_');
    return name;
}

/// "bash|zsh|fish" as "bash zsh fish"; empty if the operands are files.
std::string operandWords(const Command &command)
{
    std::string words(command.operands);
    if (words.find('|') == words.npos)
        return {};
    std::ranges::replace(words, '|', ' ');
    return words;
}

/// The values of an option, separated by blanks.
std::string valueWords(const Option &option)
{
    std::string words;
    for (const std::string_view word : option.words)
        words += (words.empty() ? "" : " ") + std::string(word);
    return words;
}

std::string commandNames(std::span<const Command> commands)
{
    std::string names;
    for (const Command &command : commands)
        names += std::string(command.name) + ' ';
    return names + "help";
}

/// The names of a command's options: all, or only those with a value.
std::string optionNames(const Command &command, bool withValue)
{
    std::string names;
    for (const Option &option : command.options) {
        if (withValue && option.value.empty())
            continue;
        for (const std::string_view name : {option.shortName, option.name})
            names += name.empty() ? "" : std::string(name) + ' ';
    }
    return withValue ? names : names + "--help";
}

// An empty COMPREPLY means file names.
std::string bashScript(std::string_view program, std::span<const Command> commands)
{
    const std::string name = functionName(program);
    std::string text = std::string(kNotice) + name + R"(()
{
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
    local commands=')" +
                       commandNames(commands) +
                       R"(' options='' values='' operands=''
    COMPREPLY=()
    if ((COMP_CWORD == 1)); then
        mapfile -t COMPREPLY < <(compgen -W "$commands --help --version" -- "$word")
        return
    fi
    case ${COMP_WORDS[1]} in
    help) operands=$commands ;;
)";
    for (const Command &command : commands)
        text += "    " + std::string(command.name) +
                ") options=" + shellQuoted(optionNames(command, false)) +
                " values=" + shellQuoted(optionNames(command, true)) +
                " operands=" + shellQuoted(operandWords(command)) + " ;;\n";
    text += R"(    esac
    case "${COMP_WORDS[1]} $before" in
)";
    for (const Command &command : commands) {
        for (const Option &option : command.options) {
            if (!option.words.empty())
                text += "    " +
                        shellQuoted(std::string(command.name) + ' ' + std::string(option.name)) +
                        ") mapfile -t COMPREPLY < <(compgen -W " + shellQuoted(valueWords(option)) +
                        " -- \"$word\"); return ;;\n";
        }
    }
    return text + R"(    esac
    if [[ " $values" == *" $before "* ]]; then
        return
    elif [[ $word == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$options" -- "$word")
    elif [[ -n $operands ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$operands" -- "$word")
    fi
}
complete -o default -F )" +
           name + ' ' + std::string(program) + '\n';
}

/// A text inside "[…]" of _arguments, where ']' and ':' are special.
std::string zshText(std::string_view text)
{
    std::string result;
    for (const char c : text) {
        if (c == ']' || c == '[' || c == ':' || c == '\\')
            result += '\\';
        result += c;
    }
    return result;
}

std::string zshOption(const Option &option, std::string_view name)
{
    std::string spec = option.repeats ? "*" : "";
    spec += std::string(name) + '[' + zshText(option.help) + ']';
    if (!option.value.empty())
        spec += ':' + zshText(option.value) +
                (option.words.empty() ? ":_files" : ":(" + valueWords(option) + ')');
    return ' ' + shellQuoted(spec);
}

std::string zshScript(std::string_view program, std::span<const Command> commands)
{
    std::string text = "#compdef " + std::string(program) + '\n' + std::string(kNotice) +
                       "local -a commands\ncommands=(\n";
    for (const Command &command : commands)
        text += "    " +
                shellQuoted(std::string(command.name) + ':' + std::string(command.summary)) + '\n';
    text += R"(    'help:What a command takes.'
)
if ((CURRENT == 2)); then
    _describe command commands
    return
fi
shift words
((CURRENT--))
case $words[1] in
help) _describe command commands ;;
)";
    for (const Command &command : commands) {
        text += std::string(command.name) + ") _arguments";
        for (const Option &option : command.options) {
            text += zshOption(option, option.name);
            if (!option.shortName.empty())
                text += zshOption(option, option.shortName);
        }
        const std::string operands = operandWords(command);
        text += " '--help[this text]' " +
                shellQuoted(operands.empty() ? "*:file:_files" : "1:word:(" + operands + ')') +
                " ;;\n";
    }
    return text + "esac\n";
}

std::string fishScript(std::string_view program, std::span<const Command> commands)
{
    const std::string complete = "complete -c " + std::string(program);
    std::string text(kNotice);
    const auto first = [&](std::string_view name, std::string_view summary) {
        text += complete + " -n __fish_use_subcommand -f -a " + std::string(name) + " -d " +
                shellQuoted(summary) + '\n';
    };
    for (const Command &command : commands)
        first(command.name, command.summary);
    first("help", "What a command takes.");
    text += complete + " -n '__fish_seen_subcommand_from help' -f -a " +
            shellQuoted(commandNames(commands)) + '\n';
    for (const Command &command : commands) {
        const std::string behind =
            complete + " -n '__fish_seen_subcommand_from " + std::string(command.name) + "'";
        for (const Option &option : command.options) {
            text += behind + " -l " + std::string(option.name.substr(2));
            if (!option.shortName.empty())
                text += " -s " + std::string(option.shortName.substr(1));
            if (!option.words.empty())
                text += " -f -a " + shellQuoted(valueWords(option));
            text += (option.value.empty() ? " -d " : " -r -d ") + shellQuoted(option.help) + '\n';
        }
        if (const std::string operands = operandWords(command); !operands.empty())
            text += behind + " -f -a " + shellQuoted(operands) + '\n';
    }
    return text;
}

} // namespace

std::optional<Shell> shellNamed(std::string_view name)
{
    const auto found = std::ranges::find(kShells, name);
    return found == kShells.end() ? std::nullopt
                                  : std::optional(static_cast<Shell>(found - kShells.begin()));
}

std::string completionScript(Shell shell, std::string_view program,
                             std::span<const Command> commands)
{
    switch (shell) {
    case Shell::Bash:
        return bashScript(program, commands);
    case Shell::Zsh:
        return zshScript(program, commands);
    case Shell::Fish:
        return fishScript(program, commands);
    }
    return {};
}

} // namespace vramscope::cli
