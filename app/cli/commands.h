// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"

#include <array>

// Every command by the name in its constant, kPlanCommand; in the order of the help.
// clang-format off
#define VRAMSCOPE_COMMANDS(ROW) \
    ROW(Plan) ROW(Fit) ROW(Project) ROW(Import) ROW(Export) ROW(Trace) ROW(Profile) ROW(Live) \
    ROW(Peak) ROW(Stacks) ROW(Steps) ROW(Leaks) ROW(Oom) ROW(Replay) ROW(Reconcile) ROW(PlanFrom) \
    ROW(Diff) ROW(Summarize) ROW(Collect) ROW(Recipe) ROW(Presets) ROW(Validate) ROW(ServingLog) \
    ROW(Seeds) ROW(Weights) ROW(Completion)
// clang-format on

namespace vramscope::cli {

#define VRAMSCOPE_DECLARED(name) extern const Subcommand k##name##Command;
VRAMSCOPE_COMMANDS(VRAMSCOPE_DECLARED)

#define VRAMSCOPE_ADDRESS(name) &k##name##Command,
inline constexpr std::array kCommands{VRAMSCOPE_COMMANDS(VRAMSCOPE_ADDRESS)};

} // namespace vramscope::cli
