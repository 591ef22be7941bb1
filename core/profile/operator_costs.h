// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/breakdown.h"

#include <cstdint>
#include <vector>

namespace vramscope {

/// What each operator of a profile took, by its row, in nanoseconds.
struct OperatorCosts
{
    std::vector<std::int64_t> hostSelf;    ///< its duration less that of its children, 0 at least
    std::vector<std::int64_t> waiting;     ///< of hostSelf: in calls that wait for the device
    std::vector<std::int64_t> deviceSelf;  ///< work that it launched, and none of its children
    std::vector<std::int64_t> deviceTotal; ///< the same of itself and all within it
    std::vector<std::int64_t> launches;    ///< pieces of work of itself and all within it
};

/// With the device times of these rows of work alone.
[[nodiscard]] OperatorCosts operatorCosts(const Profile &profile, WorkRows rows);

} // namespace vramscope
