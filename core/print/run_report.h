// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "core/ranks/collect_runs.h"
#include "core/ranks/run_findings.h"

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace vramscope {

/// "77, 80 to 95 and 1 more".
[[nodiscard]] std::string rangesText(const std::vector<RankRange> &ranges);

/// What is wrong with the recordings of a run, a paragraph each, which stands before all else that
/// is said of it; empty where nothing is.
[[nodiscard]] std::string runProblemsText(const RankedRun &run);

/// How many ranks there are, which are missing or not usable, and why: sentences, each a line.
/// `redo`: parts that are missing themselves, null where none is.
[[nodiscard]] std::string coverageText(const RankedRun &run, const PartsToRedo *redo);

/// The lines that do the parts again that are missing, cut off or out of date: for any shell, and
/// for Slurm where its arrays reach that far. Each can be pasted. `out` is the folder of the parts;
/// where the folder of the recordings is not known, SNAPSHOTS stands for it.
[[nodiscard]] std::vector<std::string> redoLines(const PartsToRedo &redo,
                                                 const std::filesystem::path &out);

/// Which parts are missing, cut off and out of date, in sentences, then redoLines().
[[nodiscard]] std::string redoText(const PartsToRedo &redo, const std::filesystem::path &out);

/// What happened to a run, in paragraphs of one line each.
struct RunStory
{
    std::string failure;  ///< who ran out of memory first, or that none did
    std::string standing; ///< what differs there, and who failed beside it; may be empty
    std::vector<std::string> outliers; ///< who else stands out by its peak; or that none does
    std::string explained;             ///< what explains how the peaks differ; may be empty
};
[[nodiscard]] RunStory runStory(const RankedRun &run, const RunFindings &findings,
                                ByteUnit unit = ByteUnit::Binary);

/// Whether any rank left a snapshot: else nothing is said of memory.
[[nodiscard]] bool hasSnapshots(const RankedRun &run);

/// A run for people: coverage, who failed first, what stands out and why, the groups, and how the
/// ranks spent their time.
[[nodiscard]] std::string runText(const RankedRun &run, const RunFindings &findings,
                                  const PartsToRedo *redo, std::size_t most,
                                  ByteUnit unit = ByteUnit::Binary);

/// The same as one line of JSON: {"ranks","expected","missing":[[first,last]],"unusable":[{"file",
/// "rank","error"}],"not_recordings","earlier","numbered_by","peak_active":{"least","median",
/// "most","skew"},"peak_reserved","groups":[{"ranks":[[first,last]],
/// "alike","typical","peak_active":{"least","median","most"}}],"explained":[{"by","values","share"}],
/// "first_failure":{"rank","node","device","file","time_us","requested","device_free","cause",
/// "remedy","frames","beside","failed","failed_untimed"},"outliers":[{"rank","figure","value","median","group"}],
/// "differences":[{"rank","typical","comparison"}],"activity" as activityJson() has
/// it,"per_rank":[{"rank","file","device","node",
/// "group","peak_active","peak_active_event","peak_reserved","reserved_end","failures","profile" as
/// rankActivityJson() has it}],"problems"}. `most` sites of a comparison, 0: all.
[[nodiscard]] std::string runJson(const RankedRun &run, const RunFindings &findings,
                                  std::size_t most);

} // namespace vramscope
