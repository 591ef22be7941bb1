// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/bytes.h"

#include <cstdint>

namespace vramscope {

/// An entry of the allocator's history, in the words of its snapshots.
enum class AllocatorAction : std::uint8_t {
    Alloc,
    FreeRequested,
    FreeCompleted,
    SegmentAlloc,
    SegmentFree,
    SegmentMap,
    SegmentUnmap,
    OutOfMemory,
};

struct AllocatorEvent
{
    AllocatorAction action = AllocatorAction::Alloc;
    std::uint16_t stream = 0;
    std::uint64_t address = 0; ///< 0 when out of memory
    Bytes size = 0;            ///< requested; rounded when out of memory; for segments their memory
    bool operator==(const AllocatorEvent &) const = default;
};

/// Gets each event of a simulated allocator as it happens.
class AllocatorLog
{
public:
    AllocatorLog() = default;
    AllocatorLog(const AllocatorLog &) = delete;
    AllocatorLog &operator=(const AllocatorLog &) = delete;
    virtual ~AllocatorLog() = default;
    virtual void record(const AllocatorEvent &event) = 0;
};

/// The counts of torch.cuda.memory_stats(), with its names if it has them; bytes.
struct AllocatorFigures
{
    Bytes reserved = 0;
    Bytes allocated = 0;     ///< whole blocks
    Bytes active = 0;        ///< including those whose free waits for another stream
    Bytes requested = 0;     ///< of active blocks
    Bytes inactiveSplit = 0; ///< free, in segments that are partly in use; not expandable ones
    Bytes releasable = 0;    ///< free segments, and free pages of expandable ones
    Bytes peakReserved = 0;
    Bytes peakAllocated = 0;
    Bytes peakActive = 0;
    std::int64_t driverAllocations = 0; ///< cudaMalloc, or ranges that are mapped
    std::int64_t driverFrees = 0;       ///< cudaFree, or ranges that are unmapped
    std::int64_t retries = 0;           ///< after returning all cached memory
    std::int64_t synchronizations = 0;  ///< waits for all other streams
    std::int64_t outOfMemory = 0;

    /// Free, but pinned by blocks of the same segment or page.
    [[nodiscard]] Bytes stranded() const { return reserved - active - releasable; }
    bool operator==(const AllocatorFigures &) const = default;
};

} // namespace vramscope
