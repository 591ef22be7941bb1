// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/profile.h"

#include <cstdint>
#include <vector>

namespace vramscope {

/// How much work of a stream was launched and had not started, over time: +1 at a call, −1 at the
/// start of what it launched. Work without a recorded call, or with one after its start, is left
/// out.
struct QueueLength
{
    std::vector<std::int64_t> time;   ///< ascending, none twice
    std::vector<std::int64_t> length; ///< from that time on
    std::int64_t most = 0;
};

/// Of each lane of Profile::lanes().
[[nodiscard]] std::vector<QueueLength> queueLengths(const Profile &profile);

} // namespace vramscope
