// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "core/command_line/completion.h"

#include <iostream>
#include <vector>

namespace vramscope::cli {

namespace {

int runCompletion(const Arguments &arguments)
{
    const std::string &name = arguments.files.front();
    const std::optional<Shell> shell = shellNamed(name);
    if (!shell)
        return badArguments("completion", "there is no completion for " + name +
                                              "; there is one for bash, zsh and fish");
    std::vector<Command> known;
    known.reserve(std::size(kCommands));
    for (const Subcommand *each : kCommands)
        known.push_back(each->command);
    std::cout << completionScript(*shell, "vramscope-cli", known);
    return kSuccess;
}

constexpr std::string_view kCompletionDetails =
    R"(The packages install these scripts. By hand:
  bash            source <(vramscope-cli completion bash)
  zsh             vramscope-cli completion zsh > ~/.zfunc/_vramscope-cli
  fish            vramscope-cli completion fish > ~/.config/fish/completions/vramscope-cli.fish
)";

} // namespace

const Subcommand kCompletionCommand{{"completion",
                                     "bash|zsh|fish",
                                     "A script with which a shell completes commands and options.",
                                     1,
                                     1,
                                     {},
                                     kCompletionDetails},
                                    runCompletion};

} // namespace vramscope::cli
