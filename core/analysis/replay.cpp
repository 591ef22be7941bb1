// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/replay.h"

#include "core/analysis/recorded_settings.h"
#include "core/analysis/recorded_start.h"
#include "core/base/format.h"

#include <algorithm>
#include <array>
#include <cstdio>

namespace vramscope {

namespace {

constexpr std::array kActions{Action::Alloc,        Action::FreeRequested, Action::FreeCompleted,
                              Action::SegmentAlloc, Action::SegmentFree,   Action::SegmentMap,
                              Action::SegmentUnmap, Action::OutOfMemory};

Action actionOf(AllocatorAction action)
{
    return kActions[static_cast<std::size_t>(action)];
}

bool isCompared(Action action)
{
    return std::ranges::find(kActions, action) != kActions.end();
}

std::string eventText(Action action, std::uint64_t address, Bytes size)
{
    std::array<char, 32> place{};
    std::snprintf(place.data(), place.size(), "0x%llx", static_cast<unsigned long long>(address));
    std::string text = std::string(actionName(action)) + " of " + formatBytes(size);
    return action == Action::OutOfMemory ? text : text + " at " + place.data();
}

/// A recording as the driver and the log of a simulated allocator: it gives the addresses that were
/// given, fails where the device failed, and holds every simulated event against the next recorded
/// one.
class Rehearsal : public Driver, public AllocatorLog
{
public:
    Rehearsal(const DeviceTrace &device, const Allocations &allocations)
        : m_events(device.events)
        , m_allocations(allocations)
    {
        for (const Action action : m_events.action)
            m_known[static_cast<std::size_t>(action)] = true;
        skip();
    }

    [[nodiscard]] bool failed() const { return m_failed; }
    [[nodiscard]] EventIndex cursor() const { return m_cursor; }
    [[nodiscard]] const std::string &difference() const { return m_difference; }
    [[nodiscard]] AllocatorAction simulated() const { return m_simulated; }

    /// The simulation is over; what was recorded after it is not simulated.
    void finish()
    {
        if (!m_failed && m_cursor < m_events.count())
            fail("nothing");
    }

    std::optional<std::uint64_t> allocate(Bytes size) override
    {
        if (next() == Action::SegmentAlloc)
            return address();
        refuse(AllocatorAction::SegmentAlloc, size);
        return {};
    }
    std::optional<std::uint64_t> reserve(Bytes size) override
    {
        if (next() == Action::SegmentMap)
            return address();
        refuse(AllocatorAction::SegmentMap, size);
        return {};
    }
    bool map(std::uint64_t, Bytes size) override
    {
        if (next() == Action::SegmentMap)
            return true;
        refuse(AllocatorAction::SegmentMap, size);
        return false;
    }
    void takeBack(Bytes) override {}
    void adopt(Bytes) override {}
    void order(std::vector<AllocationId> &waiting) override
    {
        std::ranges::sort(waiting, {}, [this](AllocationId id) { return m_allocations.death[id]; });
    }

    void record(const AllocatorEvent &event) override
    {
        const Action action = actionOf(event.action);
        if (m_failed || !m_known[static_cast<std::size_t>(action)])
            return;
        const auto at = static_cast<std::size_t>(m_cursor);
        const bool same = m_cursor < m_events.count() && m_events.action[at] == action &&
                          m_events.address[at] == event.address && m_events.size[at] == event.size;
        if (!same) {
            m_simulated = event.action;
            fail(eventText(action, event.address, event.size));
            return;
        }
        ++m_cursor;
        skip();
    }

private:
    [[nodiscard]] Action next() const
    {
        return m_cursor < m_events.count() ? m_events.action[static_cast<std::size_t>(m_cursor)]
                                           : Action::Other;
    }
    [[nodiscard]] std::uint64_t address() const
    {
        return m_events.address[static_cast<std::size_t>(m_cursor)];
    }

    // The driver refuses where the recorded allocator went on as after a refusal; where it went on
    // otherwise it did not ask.
    void refuse(AllocatorAction asked, Bytes size)
    {
        const Action recorded = next();
        const bool wasRefused =
            recorded == Action::SegmentFree || recorded == Action::SegmentUnmap ||
            recorded == Action::FreeCompleted || recorded == Action::OutOfMemory;
        if (m_failed || wasRefused)
            return;
        m_simulated = asked;
        fail("a request to the driver for " + formatBytes(size));
    }

    void fail(const std::string &simulated)
    {
        m_failed = true;
        const auto at = static_cast<std::size_t>(m_cursor);
        const std::string recorded =
            m_cursor < m_events.count()
                ? eventText(m_events.action[at], m_events.address[at], m_events.size[at])
                : "nothing";
        m_difference = "recorded: " + recorded + "; simulated: " + simulated;
    }

    void skip()
    {
        while (m_cursor < m_events.count() && !isCompared(next()))
            ++m_cursor;
    }

    const EventColumns &m_events;
    const Allocations &m_allocations;
    std::array<bool, kActionCount> m_known{};
    EventIndex m_cursor = 0;
    bool m_failed = false;
    AllocatorAction m_simulated{};
    std::string m_difference;
};

} // namespace

std::optional<Replay> replay(const Trace &trace, const DeviceTrace &device,
                             const Allocations &allocations, const AddressSpace &space,
                             const Progress &progress)
{
    constexpr std::size_t kReportRequests = 16384;
    const ConfiguredSettings configured = recordedSettings(trace);
    const RecordedStart start = recordedStart(device, allocations, space, configured.settings);
    const RequestStream stream = recordedRequests(trace, device, allocations, false);
    Rehearsal rehearsal(device, allocations);
    CachingAllocator allocator(configured.settings, kUnknownCapacity, stream.streams, rehearsal,
                               &rehearsal);
    for (const RecordedStart::Segment &segment : start.segments)
        allocator.addSegment(segment.segment, segment.blocks);
    Replay result;
    result.events = device.events.count();
    result.fromStart = start.segments.empty();
    for (std::size_t index = 0; index < stream.requests.size() && !rehearsal.failed(); ++index) {
        if (index % kReportRequests == 0 && progress &&
            !progress(static_cast<double>(index) / static_cast<double>(stream.requests.size())))
            return std::nullopt;
        const AllocatorRequest &request = stream.requests[index];
        if (request.kind == AllocatorRequest::Kind::AwaitedFree)
            continue;
        serve(allocator, request);
    }
    rehearsal.finish();
    result.exactEvents = rehearsal.cursor();
    result.difference = rehearsal.difference();
    if (rehearsal.failed())
        result.end = ReplayEnd::Unexplained;
    result.figures = allocator.figures();
    return result;
}

} // namespace vramscope
