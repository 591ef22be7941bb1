// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/progress.h"
#include "core/simulator/caching_allocator.h"

#include <optional>
#include <span>
#include <vector>

namespace vramscope {

/// One call of the allocator, or an event that depends on time.
struct AllocatorRequest
{
    enum class Kind : std::uint8_t {
        Allocate,
        Free,         ///< for a block that no other stream uses
        RequestFree,  ///< for one that another stream still uses, which …
        CompleteFree, ///< … is done now
        AwaitedFree,  ///< … is done because a retry of the allocator waited for it
        EmptyCache,
        AbandonPool, ///< nothing uses this private pool again: it is returned with the cache
        EmptyPool,   ///< only a private pool's cached memory is returned, as when its MemPool ends
        Try,         ///< an allocation that failed in the recording: freed at once if it succeeds
    };
    Kind kind = Kind::Allocate;
    std::uint16_t stream = 0;
    std::uint16_t pool = 0;
    AllocationId allocation = 0;
    std::int32_t event = 0; ///< of the recording, or the moment of a plan
    Bytes size = 0;         ///< requested, not rounded
};

/// A program's requests to the allocator, in its order.
struct RequestStream
{
    std::vector<AllocatorRequest> requests;
    std::vector<std::int64_t> streams{0};           ///< the cudaStream_t of each stream number
    std::uint32_t allocations = 0;                  ///< numbers of allocations are below
    AddressOrder addresses = AddressOrder::Falling; ///< of the driver that serves them
};

/// The reserved bytes from an event on, until the next of these.
struct ReservedFrom
{
    std::int32_t event = 0; ///< of the request that changed it
    Bytes bytes = 0;
    bool operator==(const ReservedFrom &) const = default;
};

/// The outcome of a stream of requests under one configuration.
struct SimulationResult
{
    AllocatorFigures figures;           ///< at the end
    std::vector<ReservedFrom> reserved; ///< events ascending; one for each event that changes it
    Bytes strandedAtPeak = 0;           ///< when reserved bytes are highest, for the first time
    std::int32_t peakEvent = -1;
    /// The event of a request that did not fail in the recording; there the simulation ends. -1:
    /// before the first event.
    std::optional<std::int32_t> outOfMemoryEvent;
    std::int64_t failed = 0;  ///< requests that failed in the recording and fail here
    std::int64_t rescued = 0; ///< … and do not fail here

    /// Whether memory does not suffice although it did in the recording.
    [[nodiscard]] bool runsOut() const { return outOfMemoryEvent.has_value(); }
};

/// The bytes of a device for the allocator if they are unknown: more than any has.
inline constexpr Bytes kUnknownCapacity = AllocatorSettings::kMostCapacity;

/// Serves all requests from an empty start on a device with `capacity` bytes for the allocator:
/// exact under the rules of CachingAllocator, with addresses in the order of `stream`. n log(free
/// blocks). Nothing if `progress` cancels.
[[nodiscard]] std::optional<SimulationResult> simulate(const RequestStream &stream,
                                                       const AllocatorSettings &settings,
                                                       Bytes capacity,
                                                       const Progress &progress = {});

/// Simulates many settings on all threads, one result each in their order.
[[nodiscard]] std::optional<std::vector<SimulationResult>>
simulateAll(const RequestStream &stream, std::span<const AllocatorSettings> settings,
            Bytes capacity, const Progress &progress = {});

/// Serves one request. False if an allocation fails.
bool serve(CachingAllocator &allocator, const AllocatorRequest &request);

} // namespace vramscope
