// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/replayed/event_order.h"

#include <algorithm>

namespace vramscope {

namespace {

constexpr std::size_t kRun = 1 << 16; // sorted between two reports

std::vector<EventIndex> chosenEvents(const DeviceTrace &device, const Allocations &allocations,
                                     std::span<const std::uint8_t> kept)
{
    const EventIndex count = device.events.count();
    std::vector<bool> chosen(static_cast<std::size_t>(count), kept.empty());
    const auto choose = [&](EventIndex event) {
        if (event >= 0 && event < count)
            chosen[static_cast<std::size_t>(event)] = true;
    };
    for (AllocationIndex at = 0; at < kept.size(); ++at) {
        if (!kept[at])
            continue;
        choose(allocations.birth[at]);
        choose(allocations.freeRequested[at]);
        choose(allocations.death[at]);
    }
    std::vector<EventIndex> rows;
    for (EventIndex event = 0; event < count; ++event) {
        if (chosen[static_cast<std::size_t>(event)])
            rows.push_back(event);
    }
    return rows;
}

// A cancellable merge sort: runs first, then pairs of them.
template<class Less>
bool sortRows(std::vector<EventIndex> &rows, Less less, const Progress &progress)
{
    const auto at = [&rows](std::size_t index) {
        return rows.begin() + static_cast<std::ptrdiff_t>(std::min(index, rows.size()));
    };
    double share = 0;
    const auto wanted = [&] {
        share += (1 - share) / 64;
        return !progress || progress(share);
    };
    for (std::size_t first = 0; first < rows.size(); first += kRun) {
        std::stable_sort(at(first), at(first + kRun), less);
        if (!wanted())
            return false;
    }
    for (std::size_t run = kRun; run < rows.size(); run *= 2) {
        for (std::size_t first = 0; first + run < rows.size(); first += 2 * run) {
            std::inplace_merge(at(first), at(first + run), at(first + 2 * run), less);
            if (!wanted())
                return false;
        }
    }
    return true;
}

template<class Column>
bool sortBy(std::vector<EventIndex> &rows, const Column &column, bool descending,
            const Progress &progress)
{
    return sortRows(
        rows,
        [&column, descending](EventIndex a, EventIndex b) {
            const auto first = column[static_cast<std::size_t>(descending ? b : a)];
            const auto second = column[static_cast<std::size_t>(descending ? a : b)];
            return first < second;
        },
        progress);
}

} // namespace

std::optional<std::vector<EventIndex>> orderedEvents(const DeviceTrace &device,
                                                     const Allocations &allocations,
                                                     std::span<const std::uint8_t> kept,
                                                     EventOrder order, bool descending,
                                                     const Progress &progress)
{
    const EventColumns &events = device.events;
    std::vector<EventIndex> rows = chosenEvents(device, allocations, kept);
    bool done = true;
    switch (order) {
    case EventOrder::Event:
        if (descending)
            std::ranges::reverse(rows);
        break;
    case EventOrder::Action:
        done = sortBy(rows, events.action, descending, progress);
        break;
    case EventOrder::Size:
        done = sortBy(rows, events.size, descending, progress);
        break;
    case EventOrder::Address:
        done = sortBy(rows, events.address, descending, progress);
        break;
    case EventOrder::Stream:
        done = sortBy(rows, events.stream, descending, progress);
        break;
    case EventOrder::Stack:
        done = sortBy(rows, events.stack, descending, progress);
        break;
    }
    if (!done)
        return std::nullopt;
    return rows;
}

AllocationIndex allocationOf(const DeviceTrace &device, const Allocations &allocations,
                             EventIndex event)
{
    if (event < 0 || event >= device.events.count())
        return kNoAllocation;
    const auto at = static_cast<std::size_t>(event);
    const Action action = device.events.action[at];
    if (action == Action::Alloc) {
        const AllocationIndex first = allocations.firstBornAfter(event - 1);
        return first < allocations.count() && allocations.birth[first] == event ? first
                                                                                : kNoAllocation;
    }
    if (action != Action::FreeRequested && action != Action::FreeCompleted)
        return kNoAllocation;
    for (const AllocationIndex live : allocations.liveAfter(event - 1)) {
        if (allocations.address[live] == device.events.address[at])
            return live;
    }
    return kNoAllocation;
}

namespace {

// Sizes in a damaged file are arbitrary; no block ends before its address.
std::uint64_t bytesAt(const Allocations &allocations, AllocationIndex at)
{
    return static_cast<std::uint64_t>(std::max<Bytes>(allocations.size[at], 1));
}

} // namespace

AddressReuse addressReuse(const Allocations &allocations, AllocationIndex allocation)
{
    const std::uint64_t address = allocations.address[allocation];
    const std::uint64_t bytes = bytesAt(allocations, allocation);
    // Differences instead of ends, which could pass the end of the address space.
    const auto shares = [&](AllocationIndex at) {
        const std::uint64_t other = allocations.address[at];
        return other >= address ? other - address < bytes
                                : address - other < bytesAt(allocations, at);
    };
    AddressReuse reuse;
    for (AllocationIndex at = allocation; at-- > 0;) {
        if (shares(at)) {
            reuse.before = at;
            break;
        }
    }
    for (AllocationIndex at = allocation + 1; at < allocations.count(); ++at) {
        if (shares(at)) {
            reuse.after = at;
            break;
        }
    }
    return reuse;
}

} // namespace vramscope
