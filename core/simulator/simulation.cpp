// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/simulator/simulation.h"

#include "core/base/ordered_jobs.h"

namespace vramscope {

namespace {

// Only the result of several requests of one event counts, not the steps between.
void note(std::vector<ReservedFrom> &curve, std::int32_t event, Bytes bytes)
{
    if (!curve.empty() && curve.back().bytes == bytes)
        return;
    if (!curve.empty() && curve.back().event == event)
        curve.back().bytes = bytes;
    else
        curve.push_back({event, bytes});
}

} // namespace

bool serve(CachingAllocator &allocator, const AllocatorRequest &request)
{
    switch (request.kind) {
    case AllocatorRequest::Kind::Allocate:
    case AllocatorRequest::Kind::Try:
        return allocator.allocate(request.allocation, request.size, request.stream, request.pool);
    case AllocatorRequest::Kind::Free:
        allocator.free(request.allocation);
        break;
    case AllocatorRequest::Kind::RequestFree:
        allocator.requestFree(request.allocation);
        break;
    case AllocatorRequest::Kind::CompleteFree:
    case AllocatorRequest::Kind::AwaitedFree:
        allocator.completeFree(request.allocation);
        break;
    case AllocatorRequest::Kind::EmptyCache:
        allocator.emptyCache();
        break;
    case AllocatorRequest::Kind::AbandonPool:
        allocator.abandonPool(request.pool);
        break;
    case AllocatorRequest::Kind::EmptyPool:
        allocator.emptyPool(request.pool);
        break;
    }
    return true;
}

std::optional<SimulationResult> simulate(const RequestStream &stream,
                                         const AllocatorSettings &settings, Bytes capacity,
                                         const Progress &progress)
{
    ModelDriver driver(capacity, stream.addresses);
    CachingAllocator allocator(settings, capacity, stream.streams, driver);
    SimulationResult result;
    Bytes peak = 0;
    for (std::size_t index = 0; index < stream.requests.size(); ++index) {
        if (!goesOn(progress, std::int64_t(index), std::int64_t(stream.requests.size()), 16'384))
            return std::nullopt;
        const AllocatorRequest &request = stream.requests[index];
        const bool served = serve(allocator, request);
        note(result.reserved, request.event, allocator.figures().reserved);
        if (allocator.figures().peakReserved > peak) {
            peak = allocator.figures().peakReserved;
            result.peakEvent = request.event;
            result.strandedAtPeak = allocator.figures().stranded();
        }
        if (request.kind == AllocatorRequest::Kind::Try) {
            ++(served ? result.rescued : result.failed);
            allocator.free(request.allocation);
        } else if (!served) {
            result.outOfMemoryEvent = request.event;
            break;
        }
    }
    result.figures = allocator.figures();
    return result;
}

std::optional<std::vector<SimulationResult>>
simulateAll(const RequestStream &stream, std::span<const AllocatorSettings> settings,
            Bytes capacity, const Progress &progress)
{
    std::vector<SimulationResult> results(settings.size());
    const bool done = runTogether(
        settings.size(),
        [&](std::size_t index, const Progress &share) {
            if (auto result = simulate(stream, settings[index], capacity, share))
                results[index] = *std::move(result);
        },
        progress);
    if (!done)
        return std::nullopt;
    return results;
}

} // namespace vramscope
