// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/comparison/ranks.h"
#include "core/print/compare_report.h"

#include <string>
#include <vector>

namespace vramscope {

/// An outlier among ranks, compared with the one nearest to the median.
struct RankDifference
{
    std::size_t rank = 0; ///< index into RankReport::ranks
    ShownTrace typical;
    ShownTrace outlier;
    Comparison comparison; ///< A is the typical one
};

/// The ranks of a run, with what explains those that stand out.
struct RankReport
{
    std::vector<Rank> ranks; ///< by number
    Spread active;           ///< of the peaks of active bytes
    Spread reserved;
    std::vector<RankDifference> differences;
};

/// One line of JSON: {"ranks":[{"rank","file","device","peak_active","peak_active_event",
/// "peak_reserved","reserved_end","oom"}],"peak_active":{"least","median","most","skew",
/// "outliers"},"peak_reserved":{…},"differences":[{"rank","typical","comparison"}]}; outliers are
/// ranks, the farthest first.
[[nodiscard]] std::string ranksJson(const RankReport &report, std::size_t most);
[[nodiscard]] std::string ranksText(const RankReport &report, std::size_t most,
                                    ByteUnit unit = ByteUnit::Binary);

} // namespace vramscope
