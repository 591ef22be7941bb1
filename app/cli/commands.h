// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"

#include <span>

namespace vramscope::cli {

/// All commands, in the order of the help.
[[nodiscard]] std::span<const Subcommand *const> subcommands();

extern const Subcommand kCollectCommand;
extern const Subcommand kCompletionCommand;
extern const Subcommand kDiffCommand;
extern const Subcommand kExportCommand;
extern const Subcommand kFitCommand;
extern const Subcommand kImportCommand;
extern const Subcommand kLeaksCommand;
extern const Subcommand kLiveCommand;
extern const Subcommand kOomCommand;
extern const Subcommand kPeakCommand;
extern const Subcommand kPlanCommand;
extern const Subcommand kPlanFromCommand;
extern const Subcommand kPresetsCommand;
extern const Subcommand kRecipeCommand;
extern const Subcommand kProfileCommand;
extern const Subcommand kProjectCommand;
extern const Subcommand kReplayCommand;
extern const Subcommand kReconcileCommand;
extern const Subcommand kSeedsCommand;
extern const Subcommand kServingLogCommand;
extern const Subcommand kStacksCommand;
extern const Subcommand kStepsCommand;
extern const Subcommand kSummarizeCommand;
extern const Subcommand kTraceCommand;
extern const Subcommand kValidateCommand;
extern const Subcommand kWeightsCommand;

} // namespace vramscope::cli
