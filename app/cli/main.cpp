// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "core/base/large_pages.h"
#include "core/base/memory.h"
#include "core/base/nearest.h"
#include "core/base/platform.h"

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <new>
#include <string>
#include <vector>

using namespace vramscope;
using namespace vramscope::cli;

namespace {

void printHelp(std::ostream &out)
{
    out << "vramscope-cli plans and inspects GPU memory.\n\n"
           "usage: vramscope-cli COMMAND [OPTION…] [FILE…]\n\ncommands:\n";
    for (const Subcommand *each : kCommands)
        out << helpLine(each->command.name, each->command.summary);
    out << '\n'
        << helpLine("help COMMAND", "what a command takes, as COMMAND --help does")
        << helpLine("--version", "the version of this program");
}

/// Runs it, and reports if memory ran out.
int runOrComplain(const Subcommand &subcommand, const Arguments &arguments)
{
    try {
        return subcommand.run(arguments);
    } catch (const std::bad_alloc &) {
        return unusable(subcommand.command.name, notEnoughMemory().text());
    }
}

int runCommand(const Subcommand &subcommand, std::span<const std::string_view> words)
{
    const Command &command = subcommand.command;
    const Result<Arguments> arguments = parse(command, words);
    if (!arguments.ok())
        return badArguments(command.name, arguments.error().text() + "; see vramscope-cli " +
                                              std::string(command.name) + " --help");
    if (arguments->wantsHelp) {
        std::cout << helpText("vramscope-cli", command);
        return kSuccess;
    }
    const int status = runOrComplain(subcommand, *arguments);
    if (!std::cout.flush()) { // a full disk must not look like success
        return unusable(command.name, "the output could not be written; check the disk it goes to");
    }
    return status;
}

/// The error for an unknown command.
std::string unknownCommand(std::string_view name)
{
    std::vector<std::string_view> known{"help"};
    for (const Subcommand *each : kCommands)
        known.push_back(each->command.name);
    return "no such command" + didYouMean(name, known) + "; see vramscope-cli --help";
}

const Subcommand *findCommand(std::string_view name)
{
    const auto found = std::ranges::find(kCommands, name,
                                         [](const Subcommand *each) { return each->command.name; });
    return found == kCommands.end() ? nullptr : *found;
}

/// Runs "help COMMAND…", or help alone.
int help(std::span<const std::string_view> names)
{
    if (names.empty() || isHelp(names.front())) {
        printHelp(std::cout);
        return kSuccess;
    }
    for (const std::string_view name : names) {
        const Subcommand *subcommand = findCommand(name);
        if (!subcommand)
            return badArguments(name, unknownCommand(name));
        std::cout << helpText("vramscope-cli", subcommand->command);
    }
    return kSuccess;
}

int runProgram(std::span<const std::string_view> words)
{
    if (words.empty()) {
        printHelp(std::cerr);
        return kBadArguments;
    }
    const std::string_view first = words.front();
    if (isHelp(first) || first == "help")
        return help(words.subspan(1));
    if (first == "--version") {
        std::cout << "vramscope-cli " VRAMSCOPE_VERSION_TEXT "\n";
        return kSuccess;
    }
    const Subcommand *subcommand = findCommand(first);
    if (!subcommand)
        return badArguments(first, unknownCommand(first));
    return runCommand(*subcommand, words.subspan(1));
}

} // namespace

int main(int argc, char *argv[])
{
    keepFreedMemory();
    try {
        const std::vector<std::string> arguments = programArguments(argc, argv);
        const std::vector<std::string_view> words(arguments.begin(), arguments.end());
        return runProgram(words);
    } catch (const std::bad_alloc &) { // before a command began
        std::fputs("vramscope-cli: There is not enough memory to start. Close other programs, or "
                   "use a machine with more memory.\n",
                   stderr);
        return kUnusableFile;
    }
}
