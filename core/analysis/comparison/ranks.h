// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/findings/out_of_memory.h"
#include "core/analysis/replayed/event_curve.h"
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

/// The rank in the name of a recording: "rank0_memory_snapshot.pickle", "mem_rank_3.pkl",
/// "rank=12", "r7.pickle", "worker3.pt.trace.json", or its only number, as in "mem-7.pickle"; else
/// from the folder's name. Among several ranks in a name, the rank within a node ("local_rank1")
/// has the lowest priority.
[[nodiscard]] std::optional<int> rankOfName(std::string_view path);

/// How far the values of one figure differ between ranks.
struct Spread
{
    Bytes least = 0;
    Bytes median = 0;
    Bytes most = 0;
    double skew = 0;                   ///< (most - least) / median
    std::size_t typical = 0;           ///< index of the value nearest to the median
    std::vector<std::size_t> outliers; ///< indexes, the farthest from the median first
};

/// A value is an outlier if it is farther from the median than `deviations` standard deviations, as
/// estimated from the median absolute deviation, and than 1 % of the median and 16 MiB, so that
/// nearly equal ranks have none. Values must not be negative. Without values all is 0.
[[nodiscard]] Spread spreadOf(std::span<const Bytes> values, double deviations = 3);

} // namespace vramscope
