// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/profile.h"

#include <cstdint>
#include <span>
#include <vector>

namespace vramscope {

/// A piece of work whose recorded end is false, and the latest end that it can have had.
struct FalseDuration
{
    std::uint32_t row = 0; ///< of the work
    std::int64_t end = 0;  ///< where the next launch of its stream started
};

/// A stream runs one launch after the other, but for a short overlap from one kernel to the next
/// (programmatic dependent launch). Work inside which two later launches of its stream began and
/// ended therefore did not last as long as its event says: recorders on ROCm write such durations.
/// It ended at the next start at the latest, where Perfetto cuts it too. Kernels of one CUDA graph
/// share their launch, may run at once, and contradict nothing.
///
/// `work`: its starts, ends and lanes, by start and end. `correlation`: of each piece;
/// kNotStated: its launch is not known, and is taken for one of its own. By row.
[[nodiscard]] std::vector<FalseDuration> falseDurations(const WorkColumns &work,
                                                        std::span<const std::int64_t> correlation);

} // namespace vramscope
