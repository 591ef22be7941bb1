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

/// Allocations that used bytes of an allocation's place before and after it; kNoAllocation if none
/// was recorded.
struct AddressReuse
{
    AllocationIndex before = kNoAllocation; ///< the last one born before it
    AllocationIndex after = kNoAllocation;  ///< the first one born after it
};

/// The allocations that share a byte of address space with `allocation` and are its nearest in
/// order of birth. An allocation of no bytes shares its address. Fast if the place was reused soon,
/// linear in the allocations if it never was.
[[nodiscard]] AddressReuse addressReuse(const Allocations &allocations, AllocationIndex allocation);

} // namespace vramscope
