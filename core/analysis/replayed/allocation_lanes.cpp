// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/replayed/allocation_lanes.h"

#include <algorithm>
#include <functional>
#include <map>
#include <utility>

namespace vramscope {

namespace {

constexpr std::size_t kMostLanes = 8; // the rest share the last one

void addCurve(AllocationLane &lane, const Allocations &allocations, EventIndex events)
{
    std::vector<EventIndex> births;
    std::vector<EventIndex> deaths;
    std::vector<Bytes> sizes;
    for (const AllocationIndex at : lane.allocations) {
        births.push_back(allocations.birth[at]);
        deaths.push_back(allocations.death[at]);
        sizes.push_back(allocations.size[at]);
    }
    lane.lives =
        std::make_unique<const Lifetimes>(std::move(births), std::move(deaths), std::move(sizes));
    lane.curve = std::make_unique<const EventCurve>(*lane.lives, events);
}

} // namespace

std::vector<AllocationLane> allocationLanes(const Allocations &allocations, EventIndex events)
{
    std::map<std::pair<PoolId, StreamId>, std::vector<AllocationIndex>> byKey;
    for (AllocationIndex at = 0; at < allocations.count(); ++at)
        byKey[{allocations.pool[at], allocations.stream[at]}].push_back(at);
    std::vector<AllocationLane> lanes;
    if (byKey.size() < 2)
        return lanes;
    for (auto &[key, members] : byKey)
        lanes.push_back({key.first, key.second, 0, std::move(members), nullptr, nullptr});
    std::ranges::stable_sort(lanes, std::greater(),
                             [](const AllocationLane &lane) { return lane.allocations.size(); });
    if (lanes.size() > kMostLanes) {
        AllocationLane &rest = lanes[kMostLanes - 1];
        rest.others = lanes.size() - kMostLanes + 1;
        for (std::size_t at = kMostLanes; at < lanes.size(); ++at)
            rest.allocations.insert(rest.allocations.end(), lanes[at].allocations.begin(),
                                    lanes[at].allocations.end());
        std::ranges::sort(rest.allocations);
        lanes.resize(kMostLanes);
    }
    for (AllocationLane &lane : lanes)
        addCurve(lane, allocations, events);
    return lanes;
}

} // namespace vramscope
