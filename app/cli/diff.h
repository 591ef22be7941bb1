// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"
#include "app/cli/trace_sources.h"

#include <optional>
#include <string>
#include <vector>

// Shared parts of the diff command: two recordings (diff_two.cpp), two profiler traces
// (diff_profiles.cpp) and the ranks of a run, from recordings or from their summaries
// (diff_run.cpp).

namespace vramscope::cli {

/// Complains about a file; returns the exit status.
int complainOf(const std::string &file, const Error &error, bool redact);

/// Prints at most `most` sites (0: all). Both return the exit status.
int diffTwo(const std::vector<Source> &sources, const Arguments &arguments, std::size_t most);
/// The ranks of recordings, summarised here.
int diffRecordings(const std::vector<Source> &sources, const Arguments &arguments,
                   std::size_t most);

/// The summaries of a run, as files or a folder of its parts.
int diffRun(const Arguments &arguments, std::size_t most);

/// Two profiler traces; nothing if one of the files is not one.
[[nodiscard]] std::optional<int> diffProfiles(const std::vector<Source> &sources,
                                              const Arguments &arguments, std::size_t most);

} // namespace vramscope::cli
