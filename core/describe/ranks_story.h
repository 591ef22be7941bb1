// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "core/ranks/run_study.h"

#include <string>
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

/// What happened to a run, in paragraphs of one line each. Sentences about memory need snapshots,
/// those about time need profiler traces.
struct RunStory
{
    std::string failure;  ///< who ran out of memory first, or that none did
    std::string standing; ///< how that rank compares with others, and who else failed; may be empty
    std::vector<std::string> outliers; ///< other outliers by their peak, or "No outliers."
    std::string explained;             ///< what explains how the peaks differ; may be empty
    /// How the ranks spent their time. The first one says who is late, that none is, or that it is
    /// not known.
    std::vector<std::string> times;
    std::vector<std::string> remarks; ///< what of their time is not known, or only in part
};
[[nodiscard]] RunStory runStory(const RunStudy &study, ByteUnit unit = ByteUnit::Binary);

} // namespace vramscope
