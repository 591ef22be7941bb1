// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/profile.h"

#include <cstdint>
#include <optional>

namespace vramscope {

/// A breakdown as HolisticTraceAnalysis gives it, for people who compare with it. Its quirks are
/// kept: whatever states a stream counts, a wait or a compiled operator of the host included; its
/// own list of names decides what communicates; with several steps only what was called before the
/// last one begins; where times have fractions of microseconds, starts are rounded up and ends
/// down, so that idle time grows and nonCompute may be negative.
struct HtaBreakdown
{
    std::int64_t kernelTime = 0; ///< the span, idle included, as HTA calls it
    std::int64_t idle = 0;
    std::int64_t compute = 0;
    std::int64_t nonCompute = 0; ///< kernelTime − idle − compute: communication and copies
    std::int64_t communication = 0;
    std::int64_t overlapped = 0; ///< communication while something computed
};

/// None where nothing counts.
[[nodiscard]] std::optional<HtaBreakdown> asHta(const Profile &profile);

} // namespace vramscope
