// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/replayed/address_space.h"
#include "core/base/progress.h"
#include "core/simulator/allocator_log.h"

#include <optional>
#include <string>

namespace vramscope {

/// Why a replay left the recording.
enum class ReplayEnd {
    Complete,        ///< it never did
    NothingRecorded, ///< no allocations among the events
    NoAddresses,     ///< the file holds sizes alone, with which nothing can be compared
    OtherAllocator,  ///< not the allocator that is modelled
    OtherSettings,   ///< settings were in force that the file does not tell
    Contradiction,   ///< events are missing, or the file contradicts itself
    UnknownSizes,    ///< blocks from before the recording are not told in full
    UnknownReach,    ///< how far expandable segments may grow is not told
    RestoredPool,    ///< in a private pool, which CUDA graphs restore from checkpoints
    Unexplained,
};

/// How far the simulated allocator, asked what the recorded program asked and given the addresses
/// that the driver gave, does what the recorded one did: event by event, address by address.
struct Replay
{
    ReplayEnd end = ReplayEnd::Complete;
    std::string reason;         ///< why it left the recording, a sentence; empty where it did not
    std::string difference;     ///< what was recorded and what was simulated there; or empty
    EventIndex events = 0;      ///< of the recording
    EventIndex exactEvents = 0; ///< the first event that differs; `events` where none does
    bool fromStart = false;     ///< nothing was held before the first event
    /// Blocks that end otherwise than the file lists them, after an exact replay: the file's own
    /// events end otherwise.
    std::int64_t otherBlocks = 0;
    AllocatorFigures figures; ///< as far as it is exact
    Bytes strandedAtPeak = 0; ///< when most was reserved, for the first time
    EventIndex peakEvent = -1;
    /// Bytes of the device for the allocator; -1 where neither a failure nor a rehearsal tells
    /// them.
    Bytes capacity = -1;

    [[nodiscard]] bool exact() const { return end == ReplayEnd::Complete; }
};

/// Replays a device's recording with the settings it was recorded with, from the state that `space`
/// finds before the first event. n log(free blocks), four times that where it differs: then ways
/// are tried in which versions and copies of PyTorch's allocator go apart. Nothing when `progress`
/// cancels.
[[nodiscard]] std::optional<Replay> replay(const Trace &trace, const DeviceTrace &device,
                                           const Allocations &allocations,
                                           const AddressSpace &space,
                                           const Progress &progress = {});

} // namespace vramscope
