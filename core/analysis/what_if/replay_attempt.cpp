// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/what_if/replay_attempt.h"

#include "core/analysis/what_if/recorded_start.h"
#include "core/base/format.h"

#include <algorithm>
#include <cstdio>

namespace vramscope {

namespace {

// By AllocatorAction.
constexpr std::array kActions{Action::Alloc,        Action::FreeRequested, Action::FreeCompleted,
                              Action::SegmentAlloc, Action::SegmentFree,   Action::SegmentMap,
                              Action::SegmentUnmap, Action::OutOfMemory};

std::string eventText(Action action, std::uint64_t address, Bytes size)
{
    std::array<char, 32> place{};
    std::snprintf(place.data(), place.size(), "0x%llx", static_cast<unsigned long long>(address));
    std::string text = std::string(actionName(action)) + " of " + formatBytes(size);
    return action == Action::OutOfMemory ? text : text + " at " + place.data();
}

} // namespace

ReplayDriver::ReplayDriver(const DeviceTrace &device, const Allocations &allocations)
    : m_events(device.events)
    , m_allocations(allocations)
{
    for (const Action action : m_events.action)
        m_isRecorded[static_cast<std::size_t>(action)] = true;
    skip();
}

bool ReplayDriver::isReleasing() const
{
    const Action action = next();
    return action == Action::SegmentFree || action == Action::SegmentUnmap ||
           action == Action::FreeCompleted;
}

void ReplayDriver::finish()
{
    if (!m_failed && m_cursor < m_events.count())
        fail("nothing");
}

std::optional<std::uint64_t> ReplayDriver::allocate(Bytes size)
{
    if (!gives(Action::SegmentAlloc, size))
        return {};
    return m_events.address[static_cast<std::size_t>(m_cursor)];
}

std::optional<std::uint64_t> ReplayDriver::reserve(Bytes size)
{
    if (!gives(Action::SegmentMap, size))
        return {};
    return m_events.address[static_cast<std::size_t>(m_cursor)];
}

bool ReplayDriver::map(std::uint64_t, Bytes size)
{
    return gives(Action::SegmentMap, size);
}

// The device refuses if the recorded allocator went on as after a refusal; if it went on otherwise,
// it did not ask.
bool ReplayDriver::gives(Action action, Bytes size)
{
    const Action recorded = next();
    if (recorded == action)
        return true;
    if (!isReleasing() && recorded != Action::OutOfMemory)
        fail("a request to the driver for " + formatBytes(size));
    return false;
}

std::optional<bool> ReplayDriver::collects(std::uint64_t first)
{
    return next() == Action::SegmentFree &&
           m_events.address[static_cast<std::size_t>(m_cursor)] == first;
}

void ReplayDriver::order(std::vector<AllocationId> &waiting)
{
    std::ranges::sort(waiting, {}, [this](AllocationId id) { return m_allocations.death[id]; });
}

void ReplayDriver::record(const AllocatorEvent &event)
{
    const Action action = kActions[static_cast<std::size_t>(event.action)];
    const bool isAboutBlocks = action == Action::Alloc || action == Action::FreeRequested ||
                               action == Action::FreeCompleted;
    if (m_failed || (isAboutBlocks && !m_isRecorded[static_cast<std::size_t>(action)]))
        return;
    const auto at = static_cast<std::size_t>(m_cursor);
    const bool same = m_cursor < m_events.count() && m_events.action[at] == action &&
                      m_events.address[at] == event.address && m_events.size[at] == event.size;
    if (!same) {
        fail(eventText(action, event.address, event.size));
        return;
    }
    ++m_cursor;
    skip();
}

void ReplayDriver::fail(const std::string &simulated)
{
    if (m_failed)
        return;
    m_failed = true;
    const auto at = static_cast<std::size_t>(m_cursor);
    const std::string recorded =
        m_cursor < m_events.count()
            ? eventText(m_events.action[at], m_events.address[at], m_events.size[at])
            : "nothing";
    m_difference = "recorded: " + recorded + "; simulated: " + simulated;
}

// Skips events that are not the allocator's own.
void ReplayDriver::skip()
{
    while (m_cursor < m_events.count() && std::ranges::find(kActions, next()) == kActions.end())
        ++m_cursor;
}

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
