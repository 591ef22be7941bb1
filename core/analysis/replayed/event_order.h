// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/replayed/allocations.h"
#include "core/base/progress.h"

#include <optional>
#include <span>
#include <vector>

namespace vramscope {

/// What a list of events is sorted by.
enum class EventOrder { Event, Action, Size, Address, Stream, Stack };

/// The events that a list shows, in its order: those of the kept allocations (one entry each, 1 or
/// 0; empty: all events, those of segments too), sorted, equals by event. Null when `progress`
/// asked to stop.
[[nodiscard]] std::optional<std::vector<EventIndex>>
orderedEvents(const DeviceTrace &device, const Allocations &allocations,
              std::span<const std::uint8_t> kept, EventOrder order, bool descending,
              const Progress &progress = {});

/// The allocation that an event is about: that it makes, asks to free or frees; kNoAllocation for
/// other events. In time proportional to what lives then.
[[nodiscard]] AllocationIndex allocationOf(const DeviceTrace &device,
                                           const Allocations &allocations, EventIndex event);

} // namespace vramscope
