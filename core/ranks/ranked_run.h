// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ranks/run_summary.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace vramscope {

/// Ranks from one number to another, both included.
struct RankRange
{
    std::int64_t first = 0;
    std::int64_t last = 0;
    bool operator==(const RankRange &) const = default;
};

/// How the ranks of a run got their numbers.
enum class NumberedBy {
    Names,   ///< the names of files and folders
    Devices, ///< every device is another: those of one file, say
    Order,   ///< neither tells: in the order of the files
};

/// The ranks of a run by number, and what is missing or wrong. Constant.
struct RankedRun
{
    std::vector<RankSummary> ranks; ///< usable ones, each number once, ascending; rank is known.
                                    ///< One with a snapshot and a profiler trace has both
    NumberedBy numberedBy = NumberedBy::Names;
    std::vector<RankSummary> earlier;  ///< further summaries of the same ranks: other iterations
    std::vector<RankSummary> unusable; ///< meant to be recordings
    std::int64_t others = 0;           ///< files that are no recordings
    std::int64_t expected = 0;         ///< ranks of the run; where nobody says: up to the largest
    bool isExpectedGiven = false;
    std::vector<RankRange> missing;    ///< of which there is no file at all
    std::vector<std::string> problems; ///< sentences
    bool areCurvesRead = true;         ///< else no rank has one yet; see readRunFigures()

    /// The stacks of all sites, without devices, and which is whose.
    std::shared_ptr<const Trace> stacks;
    std::unordered_map<SiteId, StackId> stackOf;

    /// The stack of a site; one that says so where it is not known.
    [[nodiscard]] StackId stack(SiteId site) const;
    StackId unknownStack = StackId::None;
    StackId restStack = StackId::None; ///< stands for all sites that are not listed
};

/// `ranks`: how many the run has, where that is known otherwise than by its parts. Of several
/// recordings of a rank the latest counts, by the time of its last event, else by its file's.
[[nodiscard]] RankedRun rankedRun(const RunSummary &run, std::optional<std::int64_t> ranks = {});

/// The numbers below `expected` that are in none of the lists, which ascend.
[[nodiscard]] std::vector<RankRange> missingRanks(const std::vector<std::int64_t> &there,
                                                  std::int64_t expected);

} // namespace vramscope
