// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/what_if/recorded_requests.h"

#include "core/analysis/replayed/recorded_settings.h"
#include "core/analysis/replayed/segment_lives.h"

#include <algorithm>
#include <numeric>
#include <optional>

namespace vramscope {

PoolReleases::PoolReleases(const DeviceTrace &device, const Allocations &allocations, Bytes page)
{
    const EventIndex count = device.events.count();
    const SegmentLives lives(device, page);
    for (const SegmentLife &life : lives.all()) {
        if (life.pool != PoolId::Default && life.death < count)
            m_released.emplace(life.death, life.pool);
    }
    for (AllocationIndex at = 0; at < allocations.count(); ++at)
        use(allocations.pool[at], allocations.birth[at]);
    for (const OutOfMemoryEvent &failure : device.outOfMemory)
        use(device.events.pool[static_cast<std::size_t>(failure.event)], failure.event);
}

void PoolReleases::use(PoolId pool, EventIndex event)
{
    EventIndex &last = m_lastUse.try_emplace(pool, event).first->second;
    last = std::max(last, event);
}

PoolId PoolReleases::releasedAt(EventIndex event) const
{
    const auto found = m_released.find(event);
    return found == m_released.end() ? PoolId::Default : found->second;
}

bool PoolReleases::isUsedFrom(EventIndex event, PoolId pool) const
{
    const auto found = m_lastUse.find(pool);
    return found != m_lastUse.end() && found->second >= event;
}

namespace {

using RequestKind = AllocatorRequest::Kind;

class RequestReader
{
public:
    RequestReader(const DeviceTrace &device, const Allocations &allocations,
                  const PoolReleases *pools)
        : m_events(device.events)
        , m_allocations(allocations)
        , m_pools(pools)
        , m_count(device.events.count())
        , m_next(allocations.count())
    {
        m_asked.assign(static_cast<std::size_t>(m_count), kNoAllocation);
        m_ended.assign(static_cast<std::size_t>(m_count), kNoAllocation);
        for (AllocationIndex at = 0; at < allocations.count(); ++at) {
            note(m_asked, allocations.freeRequested[at], at);
            note(m_ended, allocations.death[at], at);
        }
    }

    void readEarlier()
    {
        std::vector<AllocationIndex> before(m_allocations.firstBornAfter(-1));
        std::iota(before.begin(), before.end(), AllocationIndex(0));
        std::ranges::stable_sort(before, {},
                                 [this](AllocationIndex at) { return m_allocations.address[at]; });
        for (const AllocationIndex at : before) {
            allocate(at, -1);
            if (m_allocations.freeRequested[at] < 0)
                add(RequestKind::RequestFree, at, -1);
        }
    }

    void readEvents()
    {
        m_born = m_allocations.firstBornAfter(-1);
        for (EventIndex event = 0; event < m_count; ++event)
            read(event);
    }

    std::vector<AllocatorRequest> requests;
    [[nodiscard]] std::uint32_t allocations() const { return m_next; }

private:
    void note(std::vector<AllocationIndex> &column, EventIndex event, AllocationIndex allocation)
    {
        if (event >= 0 && event < m_count)
            column[static_cast<std::size_t>(event)] = allocation;
    }

    [[nodiscard]] Action action(EventIndex event) const
    {
        return m_events.action[static_cast<std::size_t>(event)];
    }
    [[nodiscard]] StackId stack(EventIndex event) const
    {
        return m_events.stack[static_cast<std::size_t>(event)];
    }

    void read(EventIndex event)
    {
        const auto at = static_cast<std::size_t>(event);
        switch (action(event)) {
        case Action::Alloc:
            if (m_ended[at] != kNoAllocation) { // its free is missing
                add(RequestKind::Free, m_ended[at], event);
                add(RequestKind::CompleteFree, m_ended[at], event);
            }
            if (m_born < m_allocations.count() && m_allocations.birth[m_born] == event)
                allocate(m_born++, event);
            break;
        case Action::FreeRequested:
            if (const AllocationIndex asked = m_asked[at]; asked != kNoAllocation)
                add(isDelayed(asked) ? RequestKind::RequestFree : RequestKind::Free, asked, event);
            break;
        case Action::FreeCompleted:
            readCompletion(event);
            break;
        case Action::SegmentFree:
        case Action::SegmentUnmap:
            if (event >= m_released)
                readRelease(event);
            break;
        case Action::OutOfMemory:
            requests.push_back({.kind = RequestKind::Try,
                                .stream = static_cast<std::uint16_t>(m_events.stream[at]),
                                .pool = static_cast<std::uint16_t>(m_events.pool[at]),
                                .allocation = m_next++,
                                .event = event,
                                .size = m_events.size[at]});
            break;
        default:
            break;
        }
    }

    // The allocator completes a free immediately, and with the same stack, unless another stream
    // uses the block.
    [[nodiscard]] bool isDelayed(AllocationIndex allocation) const
    {
        const EventIndex asked = m_allocations.freeRequested[allocation];
        const EventIndex ended = m_allocations.death[allocation];
        return asked < 0 || ended > asked + 1 || ended >= m_count ||
               (ended > asked && stack(ended) != stack(asked));
    }

    void readCompletion(EventIndex event)
    {
        const AllocationIndex ended = m_ended[static_cast<std::size_t>(event)];
        if (ended == kNoAllocation)
            return;
        if (m_allocations.freeRequested[ended] == event) // requests are not recorded
            add(RequestKind::Free, ended, event);
        else if (isDelayed(ended))
            add(isAwaited(event) ? RequestKind::AwaitedFree : RequestKind::CompleteFree, ended,
                event);
    }

    // Events that the allocator may record before its current operation is done.
    [[nodiscard]] bool isAside(EventIndex event) const
    {
        switch (action(event)) {
        case Action::SegmentFree:
        case Action::SegmentUnmap:
        case Action::Snapshot:
        case Action::UserDefined:
        case Action::Annotate:
        case Action::Other:
            return true;
        case Action::FreeCompleted: {
            const AllocationIndex ended = m_ended[static_cast<std::size_t>(event)];
            return ended != kNoAllocation && isDelayed(ended);
        }
        default:
            return false;
        }
    }

    // The first event from `event` on that is not aside; many calls are for the same run.
    EventIndex runEnd(EventIndex event)
    {
        if (event < m_runEnd)
            return m_runEnd;
        for (m_runEnd = event; m_runEnd < m_count && isAside(m_runEnd);)
            ++m_runEnd;
        return m_runEnd;
    }

    // Memory that the allocator returns while it serves a request is recorded with the stack of the
    // request; otherwise the program has emptied the cache.
    bool belongsToRequest(EventIndex event)
    {
        const EventIndex end = runEnd(event);
        if (end == m_count)
            return false;
        const Action next = action(end);
        // If earlier mappings are enough after all, no new memory is requested.
        return stack(end) == stack(event) &&
               (next == Action::SegmentAlloc || next == Action::SegmentMap ||
                next == Action::OutOfMemory ||
                (next == Action::Alloc && stack(end) != StackId::None));
    }

    // Reads the memory returned at once from `event` on: for a request, or because the program
    // empties the cache or one pool. The default pool comes before unused ones.
    void readRelease(EventIndex event)
    {
        const bool isForRequest = belongsToRequest(event);
        bool isWhole = false;
        std::vector<PoolId> pools;
        for (m_released = event; m_released < m_count && isRelease(m_released) &&
                                 belongsToRequest(m_released) == isForRequest;
             ++m_released) {
            const PoolId pool =
                m_pools != nullptr ? m_pools->releasedAt(m_released) : PoolId::Default;
            const bool isDefault = pool == PoolId::Default;
            if (isDefault && !pools.empty())
                break;
            isWhole = isWhole || isDefault;
            if (!isDefault && std::ranges::find(pools, pool) == pools.end())
                pools.push_back(pool);
        }
        for (const PoolId pool : pools) {
            if (m_pools != nullptr && !m_pools->isUsedFrom(event, pool))
                add(RequestKind::AbandonPool, pool, event);
        }
        if (isForRequest) {
            m_releasedFor = runEnd(event);
        } else if (isWhole) {
            add(RequestKind::EmptyCache, PoolId::Default, event);
        } else {
            for (const PoolId pool : pools)
                add(RequestKind::EmptyPool, pool, event);
        }
    }

    [[nodiscard]] bool isRelease(EventIndex event) const
    {
        return action(event) == Action::SegmentFree || action(event) == Action::SegmentUnmap;
    }

    // Whether it is a completion that a failing request awaits before it tries once more.
    bool isAwaited(EventIndex event)
    {
        const EventIndex end = runEnd(event);
        if (m_releasedFor == end) // first large segments, then awaited frees
            return true;
        m_release = std::max(m_release, event);
        while (m_release < end && !isRelease(m_release))
            ++m_release;
        if (m_release < end)
            return belongsToRequest(m_release);
        return end < m_count && action(end) == Action::OutOfMemory && stack(end) == stack(event) &&
               m_events.pool[static_cast<std::size_t>(end)] == PoolId::Default;
    }

    void allocate(AllocationIndex at, EventIndex event)
    {
        requests.push_back({.kind = RequestKind::Allocate,
                            .stream = static_cast<std::uint16_t>(m_allocations.stream[at]),
                            .pool = static_cast<std::uint16_t>(m_allocations.pool[at]),
                            .allocation = at,
                            .event = event,
                            .size = m_allocations.requested[at]});
    }

    void add(RequestKind kind, AllocationIndex allocation, EventIndex event)
    {
        requests.push_back({.kind = kind, .allocation = allocation, .event = event});
    }

    void add(RequestKind kind, PoolId pool, EventIndex event)
    {
        requests.push_back(
            {.kind = kind, .pool = static_cast<std::uint16_t>(pool), .event = event});
    }

    const EventColumns &m_events;
    const Allocations &m_allocations;
    const PoolReleases *m_pools; // null if all memory is in the default one
    EventIndex m_count;
    std::uint32_t m_next; // number of the next failed request
    AllocationIndex m_born = 0;
    EventIndex m_runEnd = 0;
    EventIndex m_release = 0;
    EventIndex m_releasedFor = -1; // the end of a run in which memory was returned for a request
    EventIndex m_released = 0;     // returns before it are already read
    std::vector<AllocationIndex> m_asked; // by event
    std::vector<AllocationIndex> m_ended;
};

} // namespace

AddressOrder recordedOrder(const DeviceTrace &device)
{
    const EventColumns &events = device.events;
    std::uint64_t highest = 0;
    std::int64_t segments = 0;
    std::int64_t above = 0;
    for (EventIndex event = 0; event < events.count(); ++event) {
        const auto at = static_cast<std::size_t>(event);
        if (events.action[at] != Action::SegmentAlloc)
            continue;
        above += events.address[at] > highest ? 1 : 0;
        highest = std::max(highest, events.address[at]);
        ++segments;
    }
    return segments > 2 && 2 * above > segments ? AddressOrder::Rising : AddressOrder::Falling;
}

RequestStream recordedRequests(const Trace &trace, const DeviceTrace &device,
                               const Allocations &allocations, bool earlier)
{
    std::optional<PoolReleases> pools;
    if (trace.pools().size() > 1)
        pools.emplace(device, allocations, recordedSettings(trace).settings.rules.largeSegment);
    RequestReader reader(device, allocations, pools ? &*pools : nullptr);
    if (earlier)
        reader.readEarlier();
    reader.readEvents();
    RequestStream stream;
    stream.requests = std::move(reader.requests);
    stream.streams.assign(trace.streams().begin(), trace.streams().end());
    if (stream.streams.empty())
        stream.streams.push_back(0);
    stream.allocations = reader.allocations();
    stream.addresses = recordedOrder(device);
    return stream;
}

} // namespace vramscope
