// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/collectives.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace vramscope {

class ProfileStudy;
struct ProfileSteps;

/// One piece of communication, as far as it takes to match it with that of other ranks. Times are
/// nanoseconds from Profile::base().
struct RankCall
{
    std::int64_t start = 0;
    std::int64_t duration = 0;
    std::int64_t bytes = kNotStated; ///< as CollectiveCall::bytes
    std::int64_t groupSize = kNotStated;
    std::int64_t number = kNotStated; ///< "Seq"
    std::int32_t step = -1;           ///< of ProfileSteps::steps, which called it; -1: none
};

/// The calls of one group of ranks and one kind on a rank, in order.
struct CallRun
{
    std::string group; ///< as Collectives::groups names it
    CollectiveKind kind = CollectiveKind::Unknown;
    std::int64_t count = 0;      ///< of all of them
    std::vector<RankCall> calls; ///< the first ones
};

/// All communication of a rank: by group, then by the name of the kind; each pair once.
using RankCalls = std::vector<CallRun>;

/// The n of "ProfilerStep#n"; none of another name.
[[nodiscard]] std::optional<std::int64_t> numberOfStep(std::string_view name);

/// Of more than `most` calls in all the first ones of each run are kept, shared out as evenly as
/// the runs allow.
[[nodiscard]] RankCalls rankCalls(const ProfileStudy &study, const ProfileSteps &steps,
                                  std::size_t most = std::numeric_limits<std::size_t>::max());

} // namespace vramscope
