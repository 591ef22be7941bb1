// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/run_table.h"
#include "core/ranks/run_study.h"
#include "core/table/table.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

// The tables of the ranks of a run, whether they left snapshots, profiler traces or both. What a
// table is made of must outlive it.

namespace vramscope {

/// "out of memory", "outlier +3.00 GiB", the first problem of its recording; empty for most ranks.
[[nodiscard]] std::string remarkOf(const RunStudy &study, std::size_t rank,
                                   ByteUnit unit = ByteUnit::Binary);

/// A row of the table of ranks: a rank, or one of the devices of its profiler trace.
struct RankRow
{
    std::size_t rank = 0; ///< of RankedRun::ranks, where the row leads to
    std::int64_t device = 0;
    std::optional<TimeBreakdown> times; ///< none: not known
};
/// A row for every rank, by number.
[[nodiscard]] std::vector<RankRow> rankRows(const RunStudy &study);
/// Ranks with their figures of memory and of time. Columns with a dot in their key and "_share"
/// have the times of the profiler trace.
[[nodiscard]] DataTable ranksTable(const RunStudy &study, std::vector<RankRow> rows,
                                   ByteUnit unit = ByteUnit::Binary);

/// Ranks that are outliers by their memory, the farthest first.
[[nodiscard]] DataTable outliersTable(const RunStudy &study);
/// The groups of similar ranks that left snapshots.
[[nodiscard]] DataTable groupsTable(const RunStudy &study);

/// "3"; "3?" of a profiler trace that states no rank; what part of a recording it is.
[[nodiscard]] std::string numberText(const RankProfile &rank);
/// The collectives that were matched over ranks.
[[nodiscard]] DataTable collectivesTable(const RankProfiles &ranks);
/// How the calls of each group and kind were matched.
[[nodiscard]] DataTable matchesTable(const RankProfiles &ranks);

/// "Compute should be more than 97 % of the span, and …": what a run should reach.
[[nodiscard]] std::string runTargetsText();
/// Runs next to each other, with the targets that they reach.
[[nodiscard]] DataTable runsTable(std::vector<RunRow> rows);

} // namespace vramscope
