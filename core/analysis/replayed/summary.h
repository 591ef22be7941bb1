// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/replayed/address_space.h"
#include "core/analysis/replayed/usage_curve.h"
#include "core/trace/trace.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace vramscope {

/// The figures of one device that `vramscope-cli trace` prints. Sizes are the allocator's.
struct DeviceSummary
{
    int device = 0;
    std::int64_t events = 0;
    std::int64_t segments = 0;
    std::int64_t blocks = 0;
    /// False if the recording has no segments although memory was in use: then the reserved bytes,
    /// and the figures at the end, are meaningless.
    bool isReservedKnown = true;
    Bytes reservedEnd = 0;
    Bytes allocatedEnd = 0; ///< allocated blocks, rounded
    Bytes activeEnd = 0;    ///< and those waiting for another stream
    Bytes requestedEnd = 0; ///< of the active ones
    Bytes baseline = 0;     ///< active before the first event
    Bytes baselineRequested = 0;
    Bytes peakActive = 0; ///< blocks in use, as torch.cuda.max_memory_allocated() counts them
    EventIndex peakActiveEvent = -1;
    Bytes peakRequested = 0; ///< highest sum of the live requests
    EventIndex peakRequestedEvent = -1;
    Bytes peakReserved = 0;
    std::array<std::int64_t, kActionCount> actions{}; ///< events by Action
    std::int64_t streams = 0;
    std::int64_t pools = 0;
    std::vector<OutOfMemoryEvent> outOfMemory;
    std::optional<std::int64_t>
        timeSpan;            ///< µs between the first and last event; none without timestamps
    std::int64_t stacks = 0; ///< distinct stacks of this device
    std::int64_t frames = 0; ///< distinct frames in them
};

/// The summary of one device of `trace`, in time linear in its events; `allocations`, with the
/// sizes of their blocks, and `curve` must be those of `device`.
[[nodiscard]] DeviceSummary summarize(const Trace &trace, const DeviceTrace &device,
                                      const Allocations &allocations, const UsageCurve &curve);

/// A way in which the history of a device contradicts itself: a sentence for people, and how often.
struct Inconsistency
{
    std::string text;
    std::int64_t count = 0;
    EventIndex first = -1; ///< the first such event, if any
};

/// Contradictions in a device's history, empty if all of it agrees: more active than reserved
/// bytes, and those found by the replay of the address space. Linear in the events.
[[nodiscard]] std::vector<Inconsistency> inconsistencies(const AddressSpace &space,
                                                         const UsageCurve &curve);

} // namespace vramscope
