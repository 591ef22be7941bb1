// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/what_if/replay_driver.h"

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

} // namespace vramscope
