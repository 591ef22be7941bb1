// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/trace/device_study.h"

#include "core/analysis/replayed/fragmentation.h"
#include "ui/models/stack_text.h"
#include "ui/support/text.h"

#include <map>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr std::size_t kMostFailures = 16; // explained; more of them tell the same
constexpr std::size_t kMostLanes = 8;     // the rest share the last one

std::unique_ptr<const Lifetimes> lifetimesOf(const SegmentLives &segments)
{
    std::vector<EventIndex> births;
    std::vector<EventIndex> deaths;
    std::vector<Bytes> sizes;
    for (const SegmentLife &life : segments.all()) {
        births.push_back(life.birth);
        deaths.push_back(life.death);
        sizes.push_back(life.size);
    }
    return std::make_unique<const Lifetimes>(std::move(births), std::move(deaths),
                                             std::move(sizes));
}

std::array<std::vector<EventIndex>, 4> segmentEvents(const EventColumns &events)
{
    std::array<std::vector<EventIndex>, 4> result;
    for (EventIndex event = 0; event < events.count(); ++event) {
        const auto action =
            static_cast<std::size_t>(events.action[static_cast<std::size_t>(event)]);
        const auto first = static_cast<std::size_t>(Action::SegmentAlloc);
        if (action >= first && action < first + result.size())
            result[action - first].push_back(event);
    }
    return result;
}

using LaneKey = std::pair<PoolId, StreamId>;

QString laneName(const Trace &trace, const LaneKey &key)
{
    return u"%1, %2"_s.arg(poolName(trace, key.first), streamName(trace, key.second));
}

// The lanes with most allocations apart, all others together; none where there would be one.
std::vector<AllocationLane> lanesOf(const Trace &trace, const Allocations &allocations,
                                    EventIndex events)
{
    std::map<LaneKey, std::vector<AllocationIndex>> byKey;
    for (AllocationIndex at = 0; at < allocations.count(); ++at)
        byKey[{allocations.pool[at], allocations.stream[at]}].push_back(at);
    std::vector<AllocationLane> lanes;
    if (byKey.size() < 2)
        return lanes;
    for (auto &[key, members] : byKey)
        lanes.push_back({laneName(trace, key), std::move(members), nullptr, nullptr});
    std::ranges::stable_sort(lanes, std::greater(),
                             [](const AllocationLane &lane) { return lane.allocations.size(); });
    if (lanes.size() > kMostLanes) {
        AllocationLane &rest = lanes[kMostLanes - 1];
        rest.name = u"%1 other pools and streams"_s.arg(lanes.size() - kMostLanes + 1);
        for (std::size_t at = kMostLanes; at < lanes.size(); ++at)
            rest.allocations.insert(rest.allocations.end(), lanes[at].allocations.begin(),
                                    lanes[at].allocations.end());
        std::ranges::sort(rest.allocations);
        lanes.resize(kMostLanes);
    }
    for (AllocationLane &lane : lanes) {
        std::vector<EventIndex> births;
        std::vector<EventIndex> deaths;
        std::vector<Bytes> sizes;
        for (const AllocationIndex at : lane.allocations) {
            births.push_back(allocations.birth[at]);
            deaths.push_back(allocations.death[at]);
            sizes.push_back(allocations.size[at]);
        }
        lane.lives = std::make_unique<const Lifetimes>(std::move(births), std::move(deaths),
                                                       std::move(sizes));
        lane.curve = std::make_unique<const EventCurve>(*lane.lives, events);
    }
    return lanes;
}

} // namespace

QString poolName(const Trace &trace, PoolId pool)
{
    const Pool &of = trace.pools()[static_cast<std::size_t>(pool)];
    return pool == PoolId::Default ? u"default pool"_s
                                   : u"private pool (%1, %2)"_s.arg(of.first).arg(of.second);
}

QString streamName(const Trace &trace, StreamId stream)
{
    const std::int64_t of = trace.streams()[static_cast<std::size_t>(stream)];
    return of == 0 ? u"default stream"_s : u"stream %1"_s.arg(of);
}

std::shared_ptr<const DeviceStudy> study(const TraceDocument &document, std::size_t device,
                                         const Progress &progress)
{
    const Trace &trace = *document.trace;
    const DeviceDocument &of = *document.devices[device];
    const auto wanted = [&progress](double share) { return !progress || progress(share); };
    const auto result = std::make_shared<DeviceStudy>();
    result->rules = allocatorRules(trace);
    result->space =
        AddressSpace::replay(of.recorded, of.allocations, result->rules, partOf(progress, 0, 0.6));
    if (!result->space)
        return nullptr;
    result->segments = lifetimesOf(result->space->segments());
    result->segmentColors = segmentColors(result->space->segments());
    result->segmentEvents = segmentEvents(of.recorded.events);
    result->lanes = lanesOf(trace, of.allocations, of.curve.count());
    if (!wanted(0.7))
        return nullptr;
    result->steps =
        findSteps(trace, of.recorded, of.allocations, of.curve, partOf(progress, 0.7, 0.75));
    if (!wanted(0.75))
        return nullptr;
    const EventCurve &active = of.curve.active();
    result->stepsByEvent = foldSteps(result->steps.steps, active, {});
    result->stepsByTime = foldSteps(result->steps.steps, active, of.times());
    if (!wanted(0.8))
        return nullptr;
    result->leaks = findLeaks(of.allocations, of.curve, result->steps);
    if (!wanted(0.85))
        return nullptr;
    result->categories = categorize(trace, of.recorded, of.allocations, result->steps,
                                    defaultCategoryRules(), partOf(progress, 0.85, 0.9));
    if (!wanted(0.9))
        return nullptr;
    const std::size_t failures = std::min(kMostFailures, of.recorded.outOfMemory.size());
    for (std::size_t at = 0; at < failures && wanted(0.9); ++at)
        result->outOfMemory.push_back(
            explainOutOfMemory(of.recorded, at, of.allocations, *result->space, result->rules));
    adviseOutOfMemory(
        result->outOfMemory,
        {trace, of.recorded, of.allocations, of.curve, result->steps, result->categories},
        *result->space, partOf(progress, 0.9, 1));
    result->mostStranded = mostStranded(*result->space);
    return wanted(1) ? result : nullptr;
}

} // namespace vramscope
