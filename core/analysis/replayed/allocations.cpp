// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/replayed/allocations.h"

#include "core/analysis/replayed/address_map.h"
#include "core/analysis/replayed/segment_lives.h"
#include "core/base/large_pages.h"

#include <algorithm>
#include <cassert>
#include <optional>
#include <utility>

namespace vramscope {

namespace {

// Lifetimes from the events; allocations from before the recording are known only by their end.
struct Replayed
{
    struct Span
    {
        EventIndex birth;
        EventIndex freeRequested;
        EventIndex death;
    };
    std::vector<Span> recorded; // by birth
    std::vector<Span> earlier;  // freed, but never allocated in the trace; by death
    // At the end: live allocations (index into recorded), and uncompleted requests to free earlier
    // allocations (complement of the event).
    AddressMap open;
};

// The action that ends an allocation: the completion of its free; the request if a trace
// (skip_actions) records no completions.
Action leaveAction(const EventColumns &events)
{
    return std::ranges::find(events.action, Action::FreeCompleted) != events.action.end()
               ? Action::FreeCompleted
               : Action::FreeRequested;
}

void end(Replayed::Span &span, EventIndex at)
{
    span.death = at;
    span.freeRequested = std::min(span.freeRequested, at);
}

// Reports every few milliseconds; the replay is most of the work.
constexpr EventIndex kReportEvents = 1 << 16;
constexpr double kReplayShare = 0.7;

std::optional<Replayed> replay(const EventColumns &events, const Progress &progress)
{
    const Action leave = leaveAction(events);
    const EventIndex count = events.count();
    // A completion whose request is not in the trace was requested before it began; if no request
    // is recorded at all (skip_actions), requests are unknown.
    const bool requests =
        std::ranges::find(events.action, Action::FreeRequested) != events.action.end();
    Replayed lives;
    reserveLarge(lives.recorded,
                 static_cast<std::size_t>(std::ranges::count(events.action, Action::Alloc)));
    for (EventIndex event = 0; event < count; ++event) {
        if (event % kReportEvents == 0 && progress && !progress(kReplayShare * event / count))
            return std::nullopt;
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
            else if (known != AddressMap::kNone)
                lives.earlier.push_back({-1, ~known, event});
            else
                lives.earlier.push_back(
                    {-1, requests && leave != Action::FreeRequested ? -1 : event, event});
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

/// Alive before the first event are allocations freed without having been allocated in the trace
/// (with the size of the free), and those in use at the end without an allocation in the trace. The
/// latter come first, by address, then the former, the last freed first: stacked in this order,
/// nothing below a freed one ever moves. An allocation at an address in use ends the earlier one.
Allocations::Allocations(const DeviceTrace &trace, const Progress &progress)
{
    const EventColumns &events = trace.events;
    const EventIndex eventCount = events.count();
    m_events = eventCount;
    const std::optional<Replayed> replayed = replay(events, progress);
    if (!replayed)
        return;
    const Replayed &lives = *replayed;
    std::vector<ActiveBlock> stays = activeBlocks(trace);
    std::erase_if(stays, [&](const ActiveBlock &active) {
        return lives.open.find(active.block.address) >= 0;
    });
    reserve(stays.size() + lives.earlier.size() + lives.recorded.size());

    for (const ActiveBlock &active : stays) {
        const std::int32_t request = lives.open.find(active.block.address);
        birth.push_back(-1);
        death.push_back(eventCount);
        const EventIndex unrecorded =
            active.block.state == BlockState::PendingFree ? EventIndex(-1) : eventCount;
        freeRequested.push_back(request == AddressMap::kNone ? unrecorded : ~request);
        requested.push_back(active.block.requested);
        address.push_back(active.block.address);
        stack.push_back(active.block.stack);
        stream.push_back(active.stream);
        pool.push_back(active.pool);
    }
    const auto append = [&](const Replayed::Span &span, EventIndex source, StackId allocatedIn) {
        const auto at = static_cast<std::size_t>(source);
        birth.push_back(span.birth);
        death.push_back(span.death);
        freeRequested.push_back(span.freeRequested);
        requested.push_back(events.size[at]);
        address.push_back(events.address[at]);
        stack.push_back(allocatedIn);
        stream.push_back(events.stream[at]);
        pool.push_back(events.pool[at]);
    };
    m_firstFreed = birth.size();
    for (auto span = lives.earlier.rbegin(); span != lives.earlier.rend(); ++span) {
        append(*span, span->death, StackId::None);
        m_freedIn.push_back(freeStack(trace, count() - 1));
    }
    for (const Replayed::Span &span : lives.recorded) {
        append(span, span.birth, events.stack[static_cast<std::size_t>(span.birth)]);
        if (count() % kReportEvents == 0 && progress &&
            !progress(kReplayShare + (1 - kReplayShare) * span.birth / eventCount)) {
            clear();
            return;
        }
    }

    size = requested;
    findPools(trace);
    findNotes(trace);
    buildIndex();
}

ContextId Allocations::noteOf(const DeviceTrace &trace, AllocationIndex allocation) const
{
    const auto note = m_notes.find(allocation);
    const EventIndex event = note == m_notes.end() ? birth[allocation] : note->second;
    return event < 0 ? ContextId::None : trace.events.context[static_cast<std::size_t>(event)];
}

/// Which allocation lives at the address of each note, in the order of events.
void Allocations::findNotes(const DeviceTrace &trace)
{
    const std::vector<Action> &actions = trace.events.action;
    std::unordered_map<std::uint64_t, AllocationIndex> latest;
    AllocationIndex next = 0;
    for (auto at = std::ranges::find(actions, Action::Annotate); at != actions.end();
         at = std::find(at + 1, actions.end(), Action::Annotate)) {
        const auto event = static_cast<EventIndex>(at - actions.begin());
        for (; next < count() && birth[next] <= event; ++next)
            latest[address[next]] = next;
        const auto noted = latest.find(trace.events.address[static_cast<std::size_t>(event)]);
        if (noted != latest.end() && death[noted->second] > event)
            m_notes[noted->second] = event;
    }
}

void Allocations::setBlockSizes(std::vector<Bytes> blocks)
{
    assert(blocks.size() == requested.size());
    size = std::move(blocks);
}

StackId Allocations::freeStack(const DeviceTrace &trace, AllocationIndex allocation) const
{
    const EventIndex request = freeRequested[allocation];
    const EventIndex event = request < 0 ? death[allocation] : request;
    const auto at = static_cast<std::size_t>(event);
    const bool freed = event < trace.events.count() && isFree(trace.events.action[at]);
    return freed ? trace.events.stack[at] : StackId::None;
}

/// Before PyTorch 2.12 events have no pool: then an allocation belongs to the pool of the segment
/// that contains its address, if that is known and existed when the allocation was made.
void Allocations::findPools(const DeviceTrace &trace)
{
    const auto isPrivate = [](PoolId id) { return id != PoolId::Default; };
    const bool unneeded = std::ranges::none_of(trace.segments, isPrivate, &FinalSegment::pool) ||
                          std::ranges::any_of(trace.events.pool, isPrivate);
    if (unneeded)
        return;
    const SegmentLives lives(trace);
    const std::vector<SegmentLife> held = lives.heldAfter(trace.events.count() - 1);
    for (AllocationIndex index = 0; index < count(); ++index) {
        const auto next = std::ranges::upper_bound(held, address[index], {}, &SegmentLife::address);
        if (next == held.begin())
            continue;
        const SegmentLife &life = *std::prev(next);
        if (address[index] < life.end() && life.birth <= birth[index])
            pool.set(index, life.pool);
    }
}

void Allocations::clear()
{
    for (auto *column : {&birth, &death, &freeRequested})
        column->clear();
    requested.clear();
    address.clear();
    stack.clear();
    stream.clear();
    pool.clear();
    m_freedIn.clear();
}

void Allocations::reserve(std::size_t total)
{
    reserveLarge(birth, total);
    reserveLarge(death, total);
    reserveLarge(freeRequested, total);
    reserveLarge(requested, total);
    reserveLarge(address, total);
    stack.expect(total);
}

std::vector<ActiveBlock> activeBlocks(const DeviceTrace &trace)
{
    std::vector<ActiveBlock> found;
    for (const FinalSegment &segment : trace.segments) {
        for (std::uint32_t at = 0; at < segment.blockCount; ++at) {
            const FinalBlock &block = trace.blocks[segment.firstBlock + at];
            if (block.state != BlockState::Inactive)
                found.push_back({block, segment.stream, segment.pool});
        }
    }
    // Backwards and stable, so that the last of equal addresses comes first and stays.
    std::reverse(found.begin(), found.end());
    const auto address = [](const ActiveBlock &active) { return active.block.address; };
    std::ranges::stable_sort(found, {}, address);
    const auto sameAddress = [](const ActiveBlock &a, const ActiveBlock &b) {
        return a.block.address == b.block.address;
    };
    found.erase(std::unique(found.begin(), found.end(), sameAddress), found.end());
    return found;
}

} // namespace vramscope
