// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/replayed/allocations.h"
#include "core/analysis/replayed/event_curve.h"

#include <memory>
#include <vector>

namespace vramscope {

/// The allocations of one pool and stream, separated from the others.
struct AllocationLane
{
    PoolId pool = PoolId::Default;
    StreamId stream{};
    std::size_t others = 0; ///< above 0: the number of further pools and streams, combined
    std::vector<AllocationIndex> allocations; ///< ascending
    std::unique_ptr<const Lifetimes> lives;   ///< of `allocations`, in their order
    std::unique_ptr<const EventCurve> curve;  ///< of `lives`
};

/// The pools and streams with most allocations each in a lane, all others together in the last;
/// empty if there would be only one. `events` is the number of events of the device.
[[nodiscard]] std::vector<AllocationLane> allocationLanes(const Allocations &allocations,
                                                          EventIndex events);

} // namespace vramscope
