// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/replay.h"

#include "core/analysis/recorded_requests.h"
#include "core/analysis/recorded_settings.h"
#include "core/analysis/recorded_start.h"
#include "core/analysis/rehearsal.h"
#include "core/base/format.h"

#include <algorithm>
#include <set>

namespace vramscope {

namespace {

/// A way in which the settings that a file tells may not be those that were in force.
struct Variant
{
    void (*apply)(AllocatorSettings &);
    const char *text; ///< a clause
};

constexpr Variant kVariants[] = {
    {[](AllocatorSettings &settings) { settings.prefersLeastGrowth = false; },
     "expandable blocks were chosen by size alone, so that the allocator is not PyTorch's own, "
     "which takes the block that can grow least"},
    {[](AllocatorSettings &settings) { settings.garbageCollectionThreshold = 0; },
     "no memory fraction was set that garbage_collection_threshold could act on"},
    {[](AllocatorSettings &settings) { settings.rules.expandable = !settings.rules.expandable; },
     "expandable_segments was another while the program ran than the file holds"},
    {[](AllocatorSettings &settings) {
         settings.privatePoolsExpand = !settings.privatePoolsExpand;
     },
     "private pools used expandable segments as another version of PyTorch does"},
};

/// One replay under settings that may be those of the recording.
class Attempt
{
public:
    Attempt(const Trace &trace, const DeviceTrace &device, const Allocations &allocations,
            const AddressSpace &space)
        : m_device(device)
        , m_allocations(allocations)
        , m_space(space)
        , m_stream(recordedRequests(trace, device, allocations, false))
    {
    }

    /// False when cancelled.
    bool run(const AllocatorSettings &settings, const Progress &progress);

    [[nodiscard]] const Replay &result() const { return m_result; }
    [[nodiscard]] std::int64_t guessedSizes() const { return m_guessedSizes; }

private:
    bool runOnce(const AllocatorSettings &settings, const Progress &progress);
    void serveOne(CachingAllocator &allocator, const AllocatorRequest &request,
                  const Rehearsal &rehearsal);
    [[nodiscard]] std::int64_t otherBlocks(const CachingAllocator &allocator) const;

    const DeviceTrace &m_device;
    const Allocations &m_allocations;
    const AddressSpace &m_space;
    RequestStream m_stream;
    Replay m_result;
    std::int64_t m_guessedSizes = 0;
    // Awaited frees that were noticed before the request; the first other one before the request
    // that the replay ended at.
    std::set<std::size_t> m_noticed;
    std::optional<std::size_t> m_awaitedBefore;
};

// Whether frees were noticed before the allocator looked for memory, or waited for when it had
// found none, shows only in what it does then: where the replay leaves the recording, the other is
// tried, for all that stand side by side.
bool Attempt::run(const AllocatorSettings &settings, const Progress &progress)
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

bool Attempt::runOnce(const AllocatorSettings &settings, const Progress &progress)
{
    constexpr std::size_t kReportRequests = 16384; // a few milliseconds of work
    const RecordedStart start = recordedStart(m_device, m_allocations, m_space, settings);
    m_guessedSizes = start.guessedSizes;
    Rehearsal rehearsal(m_device, m_allocations, m_space.segments());
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
        if (index % kReportRequests == 0 && progress &&
            !progress(static_cast<double>(index) / static_cast<double>(count)))
            return false;
        const AllocatorRequest &request = m_stream.requests[index];
        if (request.kind == AllocatorRequest::Kind::AwaitedFree && !m_noticed.contains(index)) {
            m_awaitedBefore = m_awaitedBefore.value_or(index); // the retry itself waits for it
            continue;
        }
        serveOne(allocator, request, rehearsal);
        if (!rehearsal.failed() && request.kind != AllocatorRequest::Kind::AwaitedFree)
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

void Attempt::serveOne(CachingAllocator &allocator, const AllocatorRequest &request,
                       const Rehearsal &rehearsal)
{
    allocator.setAbandonedPools(rehearsal.poolsReleased());
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
        std::ranges::find(m_device.outOfMemory, request.event, &OutOfMemoryEvent::event);
    if (failure != m_device.outOfMemory.end() && failure->deviceFree >= 0)
        m_result.capacity = wrappingSum(failure->deviceFree, m_result.figures.reserved);
}

// Blocks in only one of the simulated end and the end that the file lists.
std::int64_t Attempt::otherBlocks(const CachingAllocator &allocator) const
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

struct Explanation
{
    ReplayEnd end = ReplayEnd::Unexplained;
    std::string reason;
};

/// Why the replay differs, what is certain before what is likely.
Explanation explain(const DeviceTrace &device, const AddressSpace &space,
                    const ConfiguredSettings &configured, const Attempt &attempt)
{
    const Consistency &odd = space.consistency();
    for (const SettingIssue &issue : configured.issues) {
        if (issue.key == "backend")
            return {ReplayEnd::OtherAllocator, issue.text};
    }
    if (odd.contradictorySegments > 0)
        return {ReplayEnd::Contradiction,
                "segment events contradict the segments at the end: events were lost, or some "
                "kinds of them were not recorded"};
    if (odd.unplaced > 0)
        return {ReplayEnd::Contradiction,
                formatCount(odd.unplaced) +
                    " allocations lie where the file shows no free memory of the allocator"};
    const EventIndex at = attempt.result().exactEvents;
    const bool ended = at >= device.events.count();
    const auto place = static_cast<std::size_t>(at);
    const Action action = ended ? Action::Other : device.events.action[place];
    const bool isGarbage = action == Action::SegmentFree || action == Action::SegmentAlloc;
    if (configured.settings.garbageCollectionThreshold > 0 &&
        (isGarbage || !attempt.result().fromStart))
        return {ReplayEnd::OtherSettings,
                "garbage_collection_threshold acts on the age of free memory and on a share of the "
                "device, which the file does not tell"};
    if (configured.settings.failsBeforeDriver && action == Action::OutOfMemory)
        return {ReplayEnd::OtherSettings,
                "throw_on_cudamalloc_oom gives up at a share of the device, which the file does "
                "not tell"};
    if (!ended && device.events.pool[place] != PoolId::Default)
        return {ReplayEnd::RestoredPool,
                "it is in a private pool, and CUDA graphs restore those from checkpoints, which "
                "are not recorded"};
    if (attempt.guessedSizes() > 0)
        return {ReplayEnd::UnknownSizes,
                "recording began while the program ran, and of " +
                    formatCount(attempt.guessedSizes()) +
                    " blocks from before it, which are freed in it, the file tells the request but "
                    "not the size"};
    return {ReplayEnd::Unexplained,
            "the recorded allocator did otherwise than PyTorch's rules say, and nothing in the "
            "file explains it"};
}

} // namespace

std::optional<Replay> replay(const Trace &trace, const DeviceTrace &device,
                             const Allocations &allocations, const AddressSpace &space,
                             const Progress &progress)
{
    const ConfiguredSettings configured = recordedSettings(trace);
    Attempt attempt(trace, device, allocations, space);
    if (!attempt.run(configured.settings, progress))
        return std::nullopt;
    Replay result = attempt.result();
    if (std::ranges::find(device.events.action, Action::Alloc) == device.events.action.end()) {
        result.end = ReplayEnd::NothingRecorded;
        result.reason = "the recording holds no allocations";
        return result;
    }
    if (result.exact())
        return result;
    const Explanation why = explain(device, space, configured, attempt);
    result.end = why.end;
    result.reason = why.reason;
    if (why.end == ReplayEnd::OtherAllocator || why.end == ReplayEnd::Contradiction)
        return result;
    EventIndex farthest = result.exactEvents;
    for (const Variant &variant : kVariants) {
        AllocatorSettings settings = configured.settings;
        variant.apply(settings);
        if (!attempt.run(settings, progress))
            return std::nullopt;
        const Replay &other = attempt.result();
        if (other.exactEvents <= farthest && !other.exact())
            continue;
        farthest = other.exactEvents;
        result.end = ReplayEnd::OtherSettings;
        result.reason =
            std::string(variant.text) + "; so understood it is exact " +
            (other.exact() ? "to the end" : "up to event " + formatCount(other.exactEvents));
        if (other.exact())
            break;
    }
    return result;
}

} // namespace vramscope
