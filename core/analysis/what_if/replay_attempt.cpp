// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/what_if/replay_attempt.h"

#include "core/analysis/what_if/recorded_start.h"

#include <algorithm>

namespace vramscope {

ReplayAttempt::ReplayAttempt(const Trace &trace, const DeviceTrace &device,
                             const Allocations &allocations, const AddressSpace &space)
    : m_device(device)
    , m_allocations(allocations)
    , m_space(space)
    , m_stream(recordedRequests(trace, device, allocations, false))
{
}

// Whether frees were noticed before the allocator looked for memory, or awaited when it had found
// none, shows only in its next actions: if the replay diverges, the other way is tried, for all
// consecutive frees.
bool ReplayAttempt::run(const AllocatorSettings &settings, const Progress &progress)
{
    constexpr std::size_t kMostTurns = 64;
    m_noticed.clear();
    Replay farthest;
    for (std::size_t turn = 0;; ++turn) {
        if (!runOnce(settings, progress))
            return false;
        const bool farther = turn == 0 || m_result.exactEvents > farthest.exactEvents;
        if (!farther || m_result.exact() || turn == kMostTurns || !m_awaitedBefore) {
            m_result = farther ? m_result : farthest;
            return true;
        }
        farthest = m_result;
        std::size_t index = *m_awaitedBefore;
        do {
            m_noticed.insert(index++);
        } while (index < m_stream.requests.size() &&
                 m_stream.requests[index].kind == AllocatorRequest::Kind::AwaitedFree &&
                 m_stream.requests[index].event == m_stream.requests[index - 1].event + 1);
    }
}

bool ReplayAttempt::runOnce(const AllocatorSettings &settings, const Progress &progress)
{
    const RecordedStart start = recordedStart(m_device, m_allocations, m_space, settings);
    m_guessedSizes = start.guessedSizes;
    ReplayDriver rehearsal(m_device, m_allocations);
    CachingAllocator allocator(settings, AllocatorSettings::kMostCapacity, m_stream.streams,
                               rehearsal, &rehearsal);
    for (const RecordedStart::Segment &segment : start.segments)
        allocator.addSegment(segment.segment, segment.blocks);
    m_result = {};
    m_result.events = m_device.events.count();
    m_result.fromStart = start.segments.empty();
    m_result.figures = allocator.figures();
    m_result.strandedAtPeak = allocator.figures().stranded();
    m_awaitedBefore.reset();
    const auto count = m_stream.requests.size();
    for (std::size_t index = 0; index < count && !rehearsal.failed(); ++index) {
        if (!goesOn(progress, std::int64_t(index), std::int64_t(count), 16'384))
            return false;
        const AllocatorRequest &request = m_stream.requests[index];
        if (request.kind == AllocatorRequest::Kind::AwaitedFree && !m_noticed.contains(index)) {
            m_awaitedBefore = m_awaitedBefore.value_or(index); // the retry itself waits for it
            continue;
        }
        serveOne(allocator, request, rehearsal);
        using Kind = AllocatorRequest::Kind;
        if (!rehearsal.failed() && request.kind != Kind::AwaitedFree &&
            request.kind != Kind::AbandonPool)
            m_awaitedBefore.reset();
    }
    rehearsal.finish();
    m_result.exactEvents = rehearsal.cursor();
    m_result.difference = rehearsal.difference();
    if (rehearsal.failed())
        m_result.end = ReplayEnd::Unexplained;
    else
        m_result.otherBlocks = otherBlocks(allocator);
    return true;
}

void ReplayAttempt::serveOne(CachingAllocator &allocator, const AllocatorRequest &request,
                             const ReplayDriver &rehearsal)
{
    serve(allocator, request);
    if (rehearsal.failed())
        return;
    if (allocator.figures().peakReserved > m_result.figures.peakReserved) {
        m_result.peakEvent = request.event;
        m_result.strandedAtPeak = allocator.figures().stranded();
    }
    m_result.figures = allocator.figures();
    const bool told = request.kind == AllocatorRequest::Kind::Try && m_result.capacity < 0;
    if (!told)
        return;
    const auto failure =
        std::ranges::lower_bound(m_device.outOfMemory, request.event, {}, &OutOfMemoryEvent::event);
    if (failure != m_device.outOfMemory.end() && failure->event == request.event &&
        failure->deviceFree >= 0)
        m_result.capacity = wrappingSum(failure->deviceFree, m_result.figures.reserved);
}

// Blocks in only one of the simulated end and the file's list of the end.
std::int64_t ReplayAttempt::otherBlocks(const CachingAllocator &allocator) const
{
    std::vector<PlacedBlock> blocks = allocator.blocks();
    std::erase_if(blocks,
                  [](const PlacedBlock &block) { return block.state == SimulatedState::Unmapped; });
    std::vector<FinalBlock> listed(m_device.blocks);
    std::ranges::stable_sort(listed, {}, &FinalBlock::address);
    const auto same = [](const PlacedBlock &one, const FinalBlock &other) {
        const auto state = one.state == SimulatedState::Free        ? BlockState::Inactive
                           : one.state == SimulatedState::Allocated ? BlockState::Allocated
                                                                    : BlockState::PendingFree;
        return one.size == other.size && one.requested == other.requested && state == other.state;
    };
    std::int64_t others = 0;
    auto mine = blocks.begin();
    auto theirs = listed.begin();
    while (mine != blocks.end() || theirs != listed.end()) {
        const bool first =
            theirs == listed.end() || (mine != blocks.end() && mine->address < theirs->address);
        const bool second =
            mine == blocks.end() || (theirs != listed.end() && theirs->address < mine->address);
        others += first || second || !same(*mine, *theirs) ? 1 : 0;
        mine += second ? 0 : 1;
        theirs += first ? 0 : 1;
    }
    return others;
}

} // namespace vramscope
