// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/breakdown.h"

#include <cstdint>
#include <vector>

namespace vramscope {

/// Of each piece of work the time, in nanoseconds, in which nothing on its device hid it:
/// communication while nothing computed, copies and fills while nothing computed or communicated,
/// compute always. Work that runs at once counts each, so sums may exceed those of a breakdown.
[[nodiscard]] std::vector<std::int64_t> exposedTimes(const Profile &profile,
                                                     const WorkClasses &classes);

} // namespace vramscope
