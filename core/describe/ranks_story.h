// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/finding.h"
#include "core/base/format.h"
#include "core/ranks/run_study.h"

#include <string>
#include <string_view>
#include <vector>

// Sentences about the ranks of a run, which terminal, window, report and slides show.

namespace vramscope {

/// "rank 1733 (node0216)"; of a recording of several "GPU 1 of process 4321".
[[nodiscard]] std::string rankTitle(const RunStudy &study, std::size_t rank);

/// The numbers of some ranks, which ascend.
[[nodiscard]] std::vector<RankRange> rankRangesOf(const RankedRun &run,
                                                  const std::vector<std::size_t> &ranks);
[[nodiscard]] std::int64_t ranksInRanges(const std::vector<RankRange> &ranges);
/// "77, 80 to 95 and 1 more".
[[nodiscard]] std::string rangesText(const std::vector<RankRange> &ranges);

/// What a finding of a run is about, Finding::kind; the other findings are about memory.
inline constexpr std::string_view kTimeFinding = "time";

/// What happened to a run: who ran out of memory first, else the outlier by its peak, else how far
/// the peaks lie apart; without snapshots, which rank is late. Sentences about memory need
/// snapshots, those about time need profiler traces. The first one about time says who is late,
/// that none is, or that it is not known.
[[nodiscard]] Story runStory(const RunStudy &study, ByteUnit unit = ByteUnit::Binary);
/// The same of time alone.
[[nodiscard]] Story timeStory(const RunStudy &study);

} // namespace vramscope
