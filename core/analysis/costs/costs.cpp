// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/costs/costs.h"

#include <algorithm>
#include <unordered_map>

namespace vramscope {

namespace {

constexpr std::array<std::string_view, kCostCount> kCostNames{"live",  "peak",      "byte-time",
                                                              "total", "temporary", "never-freed"};

const Tally &tallyOf(const Costs &costs, Cost cost)
{
    switch (cost) {
    case Cost::Live:
        return costs.live;
    case Cost::Peak:
        return costs.peak;
    case Cost::Temporary:
        return costs.temporary;
    case Cost::NeverFreed:
        return costs.neverFreed;
    case Cost::ByteTime:
    case Cost::Total:
        break;
    }
    return costs.total;
}

} // namespace

Tally &Tally::operator+=(const Tally &other)
{
    bytes = wrappingSum(bytes, other.bytes);
    count += other.count;
    return *this;
}

Tally &Tally::operator-=(const Tally &other)
{
    bytes = wrappingDifference(bytes, other.bytes);
    count -= other.count;
    return *this;
}

std::string_view costName(Cost cost)
{
    return kCostNames[static_cast<std::size_t>(cost)];
}

std::optional<Cost> costNamed(std::string_view name)
{
    const auto found = std::ranges::find(kCostNames, name);
    if (found == kCostNames.end())
        return std::nullopt;
    return static_cast<Cost>(found - kCostNames.begin());
}

Costs &Costs::operator+=(const Costs &other)
{
    live += other.live;
    peak += other.peak;
    total += other.total;
    temporary += other.temporary;
    neverFreed += other.neverFreed;
    allocations += other.allocations;
    byteTime += other.byteTime;
    return *this;
}

Costs &Costs::operator-=(const Costs &other)
{
    live -= other.live;
    peak -= other.peak;
    total -= other.total;
    temporary -= other.temporary;
    neverFreed -= other.neverFreed;
    allocations -= other.allocations;
    byteTime -= other.byteTime;
    return *this;
}

Wide Costs::amount(Cost cost) const
{
    return cost == Cost::ByteTime ? static_cast<Wide>(byteTime) : Wide(tallyOf(*this, cost).bytes);
}

std::int64_t Costs::count(Cost cost) const
{
    return cost == Cost::ByteTime ? allocations : tallyOf(*this, cost).count;
}

CostMeter::CostMeter(const DeviceTrace &device, const Allocations &allocations, EventIndex live,
                     EventIndex peak)
    : m_device(device)
    , m_allocations(allocations)
    , m_live(live)
    , m_peak(peak)
{
}

// Memory from before the first event counts from that event, memory alive at the end up to the
// last.
std::int64_t CostMeter::position(EventIndex event) const
{
    if (!isTimed())
        return event;
    const EventIndex within = std::clamp(event, 0, m_device.events.count() - 1);
    return m_device.events.time[static_cast<std::size_t>(within)];
}

Costs CostMeter::of(AllocationIndex index) const
{
    const auto at = static_cast<std::size_t>(index);
    const EventIndex birth = m_allocations.birth[at];
    const EventIndex death = m_allocations.death[at];
    const Tally one{m_allocations.size[at], 1};
    const bool isBorn = birth >= 0;
    const bool stays = death >= m_device.events.count();
    Costs costs;
    costs.allocations = 1;
    if (birth <= m_live && m_live < death)
        costs.live = one;
    if (birth <= m_peak && m_peak < death)
        costs.peak = one;
    if (isBorn)
        costs.total = one;
    if (isBorn && !stays)
        costs.temporary = one;
    if (stays)
        costs.neverFreed = one;
    const std::int64_t from = position(birth);
    const std::int64_t to = position(death);
    if (to > from && one.bytes > 0)
        costs.byteTime = static_cast<UnsignedWide>(one.bytes) *
                         (static_cast<std::uint64_t>(to) - static_cast<std::uint64_t>(from));
    return costs;
}

namespace {

// `keyOf(index)` is the allocation's stack and that of its free.
template<class KeyOf>
std::vector<LiveGroup> grouped(const Allocations &allocations,
                               std::span<const AllocationIndex> chosen, const Progress &progress,
                               KeyOf keyOf)
{
    std::vector<LiveGroup> groups;
    std::unordered_map<std::uint64_t, std::size_t> places;
    for (std::size_t at = 0; at < chosen.size(); ++at) {
        if (!goesOn(progress, std::int64_t(at), std::int64_t(chosen.size())))
            return {};
        const AllocationIndex index = chosen[at];
        const auto [stack, freedIn] = keyOf(index);
        const std::uint64_t key =
            static_cast<std::uint64_t>(freedIn) << 32U | static_cast<std::uint64_t>(stack);
        const auto [place, isNew] = places.try_emplace(key, groups.size());
        if (isNew)
            groups.push_back({stack, 0, 0, index, freedIn});
        LiveGroup &group = groups[place->second];
        group.bytes = wrappingSum(group.bytes, allocations.size[index]);
        ++group.count;
        group.first = std::min(group.first, index);
    }
    std::ranges::sort(groups, [](const LiveGroup &a, const LiveGroup &b) {
        return a.bytes != b.bytes ? a.bytes > b.bytes : a.first < b.first;
    });
    return groups;
}

} // namespace

std::vector<LiveGroup> groupByStack(const Allocations &allocations,
                                    std::span<const AllocationIndex> chosen,
                                    const Progress &progress)
{
    return grouped(allocations, chosen, progress, [&](AllocationIndex index) {
        return std::pair(allocations.stack[index], StackId::None);
    });
}

std::vector<LiveGroup> groupBySite(const Allocations &allocations,
                                   std::span<const AllocationIndex> chosen,
                                   const Progress &progress)
{
    return grouped(allocations, chosen, progress, [&](AllocationIndex index) {
        return std::pair(allocations.stack[index], allocations.freedIn(index));
    });
}

Bytes totalBytes(std::span<const LiveGroup> groups)
{
    Bytes total = 0;
    for (const LiveGroup &group : groups)
        total = wrappingSum(total, group.bytes);
    return total;
}

} // namespace vramscope
