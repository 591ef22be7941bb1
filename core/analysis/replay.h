// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/address_space.h"
#include "core/analysis/recorded_requests.h"

#include <optional>
#include <string>

namespace vramscope {

/// Why a replay left the recording.
enum class ReplayEnd {
    Complete,        ///< it never did
    NothingRecorded, ///< no allocations among the events
    Overflowed,      ///< the recording lost events
    Skipped,         ///< kinds of events are missing in the recording
    UnknownSizes,    ///< blocks from before the recording are not told in full
    Contradiction,   ///< the file contradicts itself
    OtherAllocator,  ///< not the allocator that is modelled
    OtherSettings,   ///< settings that the file does not tell were in force
    Unexplained,
};

/// How far the simulated allocator, asked what the recorded program asked and given the addresses
/// that the driver gave, does what the recorded one did: event by event, address by address.
struct Replay
{
    ReplayEnd end = ReplayEnd::Complete;
    EventIndex events = 0;      ///< of the recording
    EventIndex exactEvents = 0; ///< that came out the same; the one after it is the first that not
    bool fromStart = false;     ///< nothing was held before the first event
    std::string reason;         ///< a sentence; empty where all is exact
    std::string difference;     ///< what was recorded there and what was simulated; or empty
    std::int64_t otherBlocks = 0; ///< that end otherwise than the file lists; after an exact replay
    bool endContradictsEvents = false; ///< … because the file's own events end otherwise
    AllocatorFigures figures;          ///< of what was exact
    Bytes strandedAtPeak = 0;
    EventIndex peakEvent = -1;
    Bytes capacity = kUnknownCapacity; ///< of the device for the allocator, where a failure tells

    [[nodiscard]] bool exact() const { return end == ReplayEnd::Complete; }
};

/// Replays a device's recording with the settings it was recorded with. n log(free blocks). Nothing
/// when `progress` cancels.
[[nodiscard]] std::optional<Replay> replay(const Trace &trace, const DeviceTrace &device,
                                           const Allocations &allocations,
                                           const AddressSpace &space,
                                           const Progress &progress = {});

} // namespace vramscope
