// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/findings/out_of_memory.h"
#include "core/analysis/replayed/curve_outline.h"
#include "core/analysis/replayed/summary.h"
#include "core/base/bytes.h"
#include "core/base/progress.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vramscope {

class Study;

/// The rank that the name of a recording tells: "rank0_memory_snapshot.pickle", "mem_rank_3.pkl",
/// "rank=12", "r7.pickle", "worker3.pt.trace.json", or its only number, as in "mem-7.pickle"; else
/// what the folder's name tells. Of several ranks in a name, that of the node ("local_rank1")
/// counts last.
[[nodiscard]] std::optional<int> rankOfName(std::string_view path);

/// A device of a recording that stands for one rank.
struct RankSource
{
    std::string file;
    int device = 0;
};

/// The rank of each source: by name where every name tells another, else by device where every
/// device is another, else in the order given.
[[nodiscard]] std::vector<int> rankNumbers(std::span<const RankSource> sources);

/// What one place in the program holds.
struct RankSite
{
    std::string name; ///< shortStackText() of its stack; its words are the file's
    Bytes bytes = 0;
    std::int64_t allocations = 0;
};

/// What is live at the peak of a rank, in a few kilobytes.
struct RankPeak
{
    std::vector<LiveKind> kinds; ///< by category, the most bytes first; they add up to the peak
    bool areKindsSure = false;   ///< areCategoriesSure()
    std::vector<RankSite> sites; ///< those that hold most, the most bytes first
    bool areSitesAll = true;     ///< else some that hold less are left out
};

/// What is kept of one rank of a run: figures, a small curve of its active bytes, and its peak.
struct Rank
{
    int number = 0;
    std::string file;       ///< the whole path
    std::size_t device = 0; ///< index into Trace::devices() of its file
    DeviceSummary summary;
    CurveOutline active;
    RankPeak peak;
    std::string failedIn; ///< stackProse() of the first request that failed; empty where none did
                          ///< or its stack was not recorded
};

/// What of a study is kept of a rank; nothing once `progress` asked to stop.
[[nodiscard]] std::optional<Rank> rankOf(const Study &study, const Progress &progress = {});

/// How far the same figure of several ranks lies apart.
struct Spread
{
    Bytes least = 0;
    Bytes median = 0;
    Bytes most = 0;
    double skew = 0;                   ///< (most - least) / median
    std::size_t typical = 0;           ///< index of the value nearest to the median
    std::vector<std::size_t> outliers; ///< indexes, the farthest from the median first
};

/// A value is an outlier where it lies farther from the median than so many standard deviations, as
/// estimated from the median absolute deviation, and than 1 % of the median and 16 MiB, so that
/// nearly equal ranks have none. Values must not be negative. Of no values all is 0.
[[nodiscard]] Spread spreadOf(std::span<const Bytes> values, double deviations = 3);

} // namespace vramscope
