// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/command_line/command.h"
#include "ui/offscreen/report_command.h"

#include <QString>

namespace vramscope {

/// What `vramscope report` takes.
extern const cli::Command kReportCommand;

/// Fills a request with arguments of `vramscope report`. Returns what is wrong with them, or
/// nothing.
[[nodiscard]] QString readArguments(const cli::Arguments &arguments, ReportRequest &request);

} // namespace vramscope
