// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/replayed/allocations.h"
#include "core/base/progress.h"

#include <optional>
#include <span>
#include <vector>

namespace vramscope {

/// The sort key of a list of events.
enum class EventOrder { Event, Action, Size, Address, Stream, Stack };

/// The events of a list, in its order: those of the kept allocations (one entry each, 1 or 0;
/// empty: all events, including those of segments), sorted, equals by event. Nothing if `progress`
/// asked to stop.
[[nodiscard]] std::optional<std::vector<EventIndex>>
orderedEvents(const DeviceTrace &device, const Allocations &allocations,
              std::span<const std::uint8_t> kept, EventOrder order, bool descending,
              const Progress &progress = {});

/// The allocation of an event that makes it, requests its free or frees it; kNoAllocation for other
/// events. In time proportional to the number alive then.
[[nodiscard]] AllocationIndex allocationOf(const DeviceTrace &device,
                                           const Allocations &allocations, EventIndex event);

} // namespace vramscope
