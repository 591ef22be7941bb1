// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"

#include <limits>

namespace vramscope::cli {

inline constexpr std::size_t kAnyNumber = std::numeric_limits<std::size_t>::max();

extern const Command kDiffCommand;
extern const Command kExportCommand;
extern const Command kFitCommand;
extern const Command kImportCommand;
extern const Command kLeaksCommand;
extern const Command kLiveCommand;
extern const Command kOomCommand;
extern const Command kPeakCommand;
extern const Command kPlanCommand;
extern const Command kPresetsCommand;
extern const Command kRecipeCommand;
extern const Command kReplayCommand;
extern const Command kReconcileCommand;
extern const Command kSeedsCommand;
extern const Command kStacksCommand;
extern const Command kStepsCommand;
extern const Command kTraceCommand;
extern const Command kValidateCommand;

} // namespace vramscope::cli
