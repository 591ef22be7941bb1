// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "core/base/memory.h"

#include <algorithm>
#include <array>
#include <iostream>
#include <new>

using namespace vramscope;
using namespace vramscope::cli;

namespace {

// Every command has a row here.
const std::array kCommands{
    &kPlanCommand,    &kFitCommand,      &kImportCommand,    &kExportCommand, &kTraceCommand,
    &kLiveCommand,    &kPeakCommand,     &kStacksCommand,    &kStepsCommand,  &kLeaksCommand,
    &kOomCommand,     &kReplayCommand,   &kReconcileCommand, &kDiffCommand,   &kRecipeCommand,
    &kPresetsCommand, &kValidateCommand, &kSeedsCommand,
};

void printColumns(std::ostream &out, std::string_view left, std::string_view right)
{
    constexpr std::size_t kWidth = 18;
    const std::size_t gap = left.size() + 2 < kWidth ? kWidth - left.size() : 2;
    out << "  " << left << std::string(gap, ' ') << right << '\n';
}

void printHelp(std::ostream &out)
{
    out << "vramscope-cli plans and inspects GPU memory.\n\n"
           "usage: vramscope-cli COMMAND [OPTION…] [FILE…]\n\ncommands:\n";
    for (const Command *command : kCommands)
        printColumns(out, command->name, command->summary);
    out << "\n";
    printColumns(out, "COMMAND --help", "what a command takes");
    printColumns(out, "--version", "the version of this program");
}

void printHelp(std::ostream &out, const Command &command)
{
    out << "usage: vramscope-cli " << command.name << " [OPTION…]";
    if (!command.operands.empty())
        out << ' ' << command.operands;
    out << "\n\n" << command.summary << "\n\noptions:\n";
    for (const Option &option : command.options) {
        const std::string left = option.value.empty()
                                     ? std::string(option.name)
                                     : std::string(option.name) + " " + std::string(option.value);
        printColumns(out, left, option.help);
    }
    printColumns(out, "--help", "this text");
    out << "\nexit status: 0 success, 1 a file cannot be used, 2 wrong arguments\n";
}

/// Runs it; says so where there was no memory for it.
int runOrComplain(const Command &command, const Arguments &arguments)
{
    try {
        return command.run(arguments);
    } catch (const std::bad_alloc &) {
        complain(command.name, notEnoughMemory().text());
        return kUnusableFile;
    }
}

int runCommand(const Command &command, std::span<const char *const> words)
{
    if (asksForHelp(command, words)) {
        printHelp(std::cout, command);
        return kSuccess;
    }
    const Result<Arguments> arguments = parseArguments(command, words);
    if (!arguments.ok()) {
        complain(command.name, arguments.error().text() + "; see vramscope-cli " +
                                   std::string(command.name) + " --help");
        return kBadArguments;
    }
    const int status = runOrComplain(command, *arguments);
    if (!std::cout.flush()) { // a full disk must not look like success
        complain(command.name, "the output could not be written; check the disk it goes to");
        return kUnusableFile;
    }
    return status;
}

} // namespace

int main(int argc, char *argv[])
{
    const std::span<const char *const> words(argv + 1,
                                             argc > 0 ? static_cast<std::size_t>(argc - 1) : 0);
    if (words.empty()) {
        printHelp(std::cerr);
        return kBadArguments;
    }
    const std::string_view first = words.front();
    if (isHelp(first) || first == "help") {
        printHelp(std::cout);
        return kSuccess;
    }
    if (first == "--version") {
        std::cout << "vramscope-cli " VRAMSCOPE_VERSION "\n";
        return kSuccess;
    }
    const auto command = std::ranges::find(kCommands, first, &Command::name);
    if (command == kCommands.end()) {
        complain(first, "no such command; see vramscope-cli --help");
        return kBadArguments;
    }
    return runCommand(**command, words.subspan(1));
}
