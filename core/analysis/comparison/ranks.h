// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/replayed/curve_outline.h"
#include "core/analysis/replayed/summary.h"
#include "core/base/bytes.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vramscope {

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

/// What is kept of one rank of a run: figures and a small curve of its active bytes.
struct Rank
{
    int number = 0;
    std::string file;       ///< the whole path
    std::size_t device = 0; ///< index into Trace::devices() of its file
    DeviceSummary summary;
    CurveOutline active;
};

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

/// A value is an outlier where it lies farther from the median than three standard deviations, as
/// estimated from the median absolute deviation, and than 1 % of the median and 16 MiB, so that
/// nearly equal ranks have none. Values must not be negative. Of no values all is 0.
[[nodiscard]] Spread spreadOf(std::span<const Bytes> values);

} // namespace vramscope
