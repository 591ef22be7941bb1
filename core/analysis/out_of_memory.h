// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/fragmentation.h"
#include "core/analysis/live_groups.h"
#include "core/analysis/usage_curve.h"

#include <vector>

namespace vramscope {

/// Why a request failed, in the order in which the possibilities are tried.
enum class OutOfMemoryCause {
    Unknown,    ///< the file does not say what the device had left
    Limit,      ///< the device had room: a memory fraction, or a driver call that failed otherwise
    Fragmented, ///< free memory and what the device had left were enough together, not in one piece
    Elsewhere,  ///< enough was free, but for other pools, streams or sizes
    Full,       ///< all free memory together would not have been enough
};

/// One change that would have let the request succeed, or not.
struct Remedy
{
    enum class Kind {
        ExpandableSegments, ///< stranded memory of plain segments becomes usable
        FreeBlocks,         ///< one stack's blocks were freed before
        SmallerRequest,     ///< at most `bytes` would still have been served
        MoreMemory,         ///< the device, or the limit, had to be larger by `bytes`
    };
    Kind kind = Kind::MoreMemory;
    Bytes bytes = 0;               ///< that it makes available, or that are wanted
    bool enough = true;            ///< for the request that failed
    StackId stack = StackId::None; ///< FreeBlocks
};

/// Memory that went back to the device in one go: a retry of the allocator, or empty_cache().
struct Release
{
    EventIndex first = -1; ///< -1: there was none
    EventIndex last = -1;
    Bytes bytes = 0;
};

/// A failed request and the memory that it met.
struct OutOfMemoryReport
{
    EventIndex event = 0;
    Bytes requested = 0;   ///< rounded, as the file tells it
    Bytes needed = 0;      ///< what the driver had to give: a segment, or whole pages
    Bytes deviceFree = -1; ///< what the device had left; -1: not told
    StackId stack = StackId::None;
    StreamId stream{};
    bool large = true; ///< the pool it would have been served from
    OutOfMemoryCause cause = OutOfMemoryCause::Unknown;
    Bytes shortage = 0;     ///< of `needed`, what the device did not have
    Release lastRelease;    ///< the last one before the failure
    Bands bands;            ///< at the failure
    Bytes freeForIt = 0;    ///< free bytes of the pool and stream that were asked
    Bytes largestForIt = 0; ///< the largest hole among them
    std::int64_t liveBlocks = 0;
    std::vector<LiveGroup> live;  ///< alive at the failure, by stack
    Fragmentation fragmentation;  ///< at the failure
    std::vector<Remedy> remedies; ///< what is enough first, the least effort first
};

/// Explains the failure `index` of device.outOfMemory. Rules: out_of_memory.cpp.
[[nodiscard]] OutOfMemoryReport explainOutOfMemory(const DeviceTrace &device, std::size_t index,
                                                   const Allocations &allocations,
                                                   const AddressSpace &space,
                                                   const AllocatorRules &rules);

} // namespace vramscope
