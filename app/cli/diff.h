// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"
#include "app/cli/trace_sources.h"
#include "core/base/format.h"
#include "core/print/compare_report.h"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

// Shared parts of the diff command: two recordings (diff_two.cpp), two profiler traces
// (diff_profiles.cpp) and the ranks of a run, from recordings or from their summaries
// (diff_run.cpp).

namespace vramscope::cli {

/// A recording that was read, and how to print it.
struct Opened
{
    std::shared_ptr<const Trace> trace;
    ShownTrace shown;
};

/// With --redact, rewrites the output of each; names found in one are removed from all.
void show(std::span<Opened *const> opened, bool redact);

/// Complains about a file; returns the exit status.
int complainOf(const std::string &file, const Error &error, bool redact);

/// Prints one of the two, depending on --json.
void print(const Arguments &arguments, const std::string &json, const std::string &text);

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
