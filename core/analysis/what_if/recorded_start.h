// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/replayed/address_space.h"
#include "core/simulator/caching_allocator.h"

namespace vramscope {

/// Memory that a recorded allocator had before the first event, for a simulated one.
struct RecordedStart
{
    struct Segment
    {
        EarlierSegment segment;
        std::vector<EarlierBlock> blocks;
    };
    std::vector<Segment> segments;
    /// Large blocks of plain segments whose size the file does not have: they are freed in the
    /// recording, and their bytes beyond the request follow from the rules alone.
    std::int64_t guessedSizes = 0;
};

/// The state that AddressSpace finds before the first event. The pages of an expandable segment are
/// within the addresses that it was ever recorded to use, followed by all that it could still grow
/// to.
[[nodiscard]] RecordedStart recordedStart(const DeviceTrace &device, const Allocations &allocations,
                                          const AddressSpace &space,
                                          const AllocatorSettings &settings);

} // namespace vramscope
