// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"
#include "core/ranks/collect_runs.h"
#include "core/trace/redaction.h"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace vramscope::cli {

/// Reads and joins the summaries that the operands name. Empty, after a complaint, if one is
/// unusable or there are no summaries; complainOfRuns() reports the rest.
[[nodiscard]] std::optional<CollectedRuns> readRuns(std::string_view command,
                                                    const Arguments &arguments,
                                                    const std::filesystem::path &except,
                                                    const WantedKinds &wanted);

/// Reports on standard error which files are damaged, which recordings changed and what is missing,
/// with the commands that redo it, and returns the exit status. `operand`: the folder of the parts,
/// or a file in it. `names`: null, or the names to hide.
int complainOfRuns(const CollectedRuns &runs, const std::string &operand,
                   const Redaction *names = nullptr);

} // namespace vramscope::cli
