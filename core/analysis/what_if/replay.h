// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/replayed/address_space.h"
#include "core/base/progress.h"
#include "core/simulator/allocator_log.h"

#include <optional>
#include <string>

namespace vramscope {

/// Why a replay diverged from the recording.
enum class ReplayEnd {
    Complete,        ///< it never did
    NothingRecorded, ///< no allocations among the events
    NoAddresses,     ///< the file has only sizes, which cannot be compared
    OtherAllocator,  ///< not the allocator that is modelled
    OtherSettings,   ///< settings were in force that the file does not record
    Contradiction,   ///< events are missing, or the file contradicts itself
    UnknownSizes,    ///< blocks from before the recording are incomplete
    UnknownReach,    ///< how far expandable segments may grow is unknown
    RestoredPool,    ///< in a private pool, which CUDA graphs restore from checkpoints
    Unexplained,
};

/// How far the simulated allocator, given the recorded program's requests and the driver's
/// addresses, does what the recorded one did: event by event, address by address.
struct Replay
{
    ReplayEnd end = ReplayEnd::Complete;
    std::string reason;         ///< why it diverged, a sentence; empty if it did not
    std::string difference;     ///< the recorded and the simulated event there, if it differs
    EventIndex events = 0;      ///< of the recording
    EventIndex exactEvents = 0; ///< the first event that differs; `events` if none does
    bool fromStart = false;     ///< nothing was allocated before the first event
    /// Blocks whose end differs from the file's list after an exact replay: the file's own events
    /// end differently.
    std::int64_t otherBlocks = 0;
    AllocatorFigures figures; ///< as far as it is exact
    Bytes strandedAtPeak = 0; ///< when reserved bytes are highest, for the first time
    EventIndex peakEvent = -1;
    /// Bytes of the device for the allocator; -1 if neither a failure nor a rehearsal gives them.
    Bytes capacity = -1;

    [[nodiscard]] bool exact() const { return end == ReplayEnd::Complete; }
};

/// Replays a device's recording with the settings it was recorded with, from the state that `space`
/// finds before the first event. n log(free blocks), four times that if it differs: then known
/// variations between versions and copies of PyTorch's allocator are tried. Nothing if `progress`
/// cancels.
[[nodiscard]] std::optional<Replay> replay(const Trace &trace, const DeviceTrace &device,
                                           const Allocations &allocations,
                                           const AddressSpace &space,
                                           const Progress &progress = {});

} // namespace vramscope
