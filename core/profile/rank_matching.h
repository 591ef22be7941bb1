// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/rank_profiles.h"

#include <utility>
#include <vector>

namespace vramscope {

/// The collectives of several ranks matched, and how.
struct RankMatching
{
    std::vector<MatchedCollective> collectives; ///< by group, kind and index
    std::vector<CollectiveMatch> matches;       ///< by group and kind
};

/// Where the counts of a group and kind are equal, in order; else by sequence number, or aligned at
/// the end or the start, wherever sizes agree.
[[nodiscard]] RankMatching matchRanks(const std::vector<RankProfile> &ranks);

} // namespace vramscope
