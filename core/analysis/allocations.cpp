// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/allocations.h"

#include "core/analysis/address_map.h"
#include "core/analysis/final_state.h"

#include <algorithm>

namespace vramscope {

namespace {

// Lifetimes as the events tell them; allocations that were there before are known only by their
// end.
struct Lifetimes
{
    struct Span
    {
        EventIndex birth;
        EventIndex freeRequested;
        EventIndex death;
    };
    std::vector<Span> recorded; // by birth
    std::vector<Span> earlier;  // freed, but never allocated in the trace; by death
    // At the end: live allocations (index into recorded), and requests to free what was there
    // before that were never completed (complement of the event).
    AddressMap open;
};

// What ends an allocation: the completion of its free; the request where a trace (skip_actions)
// records no completions.
Action leaveAction(const EventColumns &events)
{
    return std::ranges::find(events.action, Action::FreeCompleted) != events.action.end()
               ? Action::FreeCompleted
               : Action::FreeRequested;
}

void end(Lifetimes::Span &span, EventIndex at)
{
    span.death = at;
    span.freeRequested = std::min(span.freeRequested, at);
}

Lifetimes replay(const EventColumns &events)
{
    const Action leave = leaveAction(events);
    const EventIndex count = events.count();
    Lifetimes lives;
    lives.recorded.reserve(
        static_cast<std::size_t>(std::ranges::count(events.action, Action::Alloc)));
    for (EventIndex event = 0; event < count; ++event) {
        const auto at = static_cast<std::size_t>(event);
        const Action action = events.action[at];
        if (action == Action::Alloc) {
            const auto index = static_cast<std::int32_t>(lives.recorded.size());
            lives.recorded.push_back({event, count, count});
            const std::int32_t former = lives.open.exchange(events.address[at], index);
            if (former >= 0) // its free is missing in the trace
                end(lives.recorded[static_cast<std::size_t>(former)], event);
        } else if (action == leave) {
            const std::int32_t known = lives.open.take(events.address[at]);
            if (known >= 0)
                end(lives.recorded[static_cast<std::size_t>(known)], event);
            else
                lives.earlier.push_back({-1, known == AddressMap::kNone ? event : ~known, event});
        } else if (action == Action::FreeRequested) {
            const std::int32_t known = lives.open.find(events.address[at]);
            if (known >= 0)
                lives.recorded[static_cast<std::size_t>(known)].freeRequested = event;
            else
                lives.open.exchange(events.address[at], ~event);
        }
    }
    return lives;
}

bool isFree(Action action)
{
    return action == Action::FreeRequested || action == Action::FreeCompleted;
}

} // namespace

/// Alive before the first event is what is freed without having been allocated in the trace (its
/// size is that of the free), and what is in use at the end without its allocation being in the
/// trace. The latter come first, by address, then the former, the last freed first: stacked in this
/// order, nothing below what goes away ever moves. An allocation at an address that is in use ends
/// the earlier one.
Allocations::Allocations(const DeviceTrace &trace)
{
    const EventColumns &events = trace.events;
    const EventIndex eventCount = events.count();
    const Lifetimes lives = replay(events);
    std::vector<ActiveBlock> stays = activeBlocks(trace);
    std::erase_if(stays, [&](const ActiveBlock &active) {
        return lives.open.find(active.block.address) >= 0;
    });
    reserve(stays.size() + lives.earlier.size() + lives.recorded.size());

    for (const ActiveBlock &active : stays) {
        const std::int32_t request = lives.open.find(active.block.address);
        birth.push_back(-1);
        death.push_back(eventCount);
        freeRequested.push_back(request == AddressMap::kNone ? eventCount : ~request);
        size.push_back(active.block.requested);
        address.push_back(active.block.address);
        stack.push_back(active.block.stack);
        stream.push_back(active.stream);
        pool.push_back(active.pool);
    }
    const auto append = [&](const Lifetimes::Span &span, EventIndex source) {
        const auto at = static_cast<std::size_t>(source);
        birth.push_back(span.birth);
        death.push_back(span.death);
        freeRequested.push_back(span.freeRequested);
        size.push_back(events.size[at]);
        address.push_back(events.address[at]);
        stack.push_back(events.stack[at]);
        stream.push_back(events.stream[at]);
        pool.push_back(events.pool[at]);
    };
    for (auto span = lives.earlier.rbegin(); span != lives.earlier.rend(); ++span)
        append(*span, span->death);
    for (const Lifetimes::Span &span : lives.recorded)
        append(span, span.birth);

    for (const EventIndex request : freeRequested) {
        const auto at = static_cast<std::size_t>(request);
        const bool freed = request < eventCount && isFree(events.action[at]);
        freeStack.push_back(freed ? events.stack[at] : StackId::None);
    }
    m_deaths = MaxTree<EventIndex>(death);
}

void Allocations::reserve(std::size_t total)
{
    birth.reserve(total);
    death.reserve(total);
    freeRequested.reserve(total);
    size.reserve(total);
    address.reserve(total);
    stack.reserve(total);
    freeStack.reserve(total);
    stream.reserve(total);
    pool.reserve(total);
}

std::vector<AllocationIndex> Allocations::liveAfter(EventIndex event) const
{
    return overlapping(event, event);
}

std::vector<AllocationIndex> Allocations::overlapping(EventIndex first, EventIndex last) const
{
    std::vector<AllocationIndex> found;
    m_deaths.forEachAbove(0, firstBornAfter(last), first, [&](std::size_t index) {
        found.push_back(static_cast<AllocationIndex>(index));
    });
    return found;
}

AllocationIndex Allocations::firstBornAfter(EventIndex event) const
{
    return static_cast<AllocationIndex>(std::ranges::upper_bound(birth, event) - birth.begin());
}

} // namespace vramscope
