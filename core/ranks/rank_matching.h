// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ranks/rank_comparison.h"

#include <span>
#include <vector>

namespace vramscope {

/// The collectives of several ranks matched, and how. Ranks that are cut have none.
struct RankMatching
{
    std::vector<MatchedCollective> collectives; ///< by group, kind and index
    std::vector<CollectiveMatch> matches;       ///< by group and kind
};

/// Where the counts of a group and kind are equal, in order; else by sequence number, or aligned at
/// the end or the start, wherever sizes agree. Of runs that are not kept whole no more than all
/// ranks keep, and only in order or by number.
[[nodiscard]] RankMatching matchRanks(std::span<const ComparedRank> ranks);

/// The k-th call of a group and kind on every rank that has one, whatever the counts.
[[nodiscard]] std::vector<MatchedCollective> matchedInOrder(std::span<const ComparedRank> ranks);

} // namespace vramscope
