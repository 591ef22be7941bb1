// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/trace/timeline_source.h"

#include "core/analysis/replayed/address_space.h"
#include "core/analysis/replayed/allocation_lanes.h"
#include "core/analysis/replayed/annotation_ranges.h"
#include "core/analysis/replayed/segment_lives.h"
#include "core/analysis/replayed/usage_curve.h"
#include "core/analysis/steps/steps.h"
#include "ui/models/stack_text.h"
#include "ui/support/text.h"

#include <QStringList>

#include <algorithm>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

QStringList segmentText(const Study &of, const SegmentLife &segment, ByteUnit unit)
{
    const EventIndex count = of.device().events.count();
    const QString kind = segment.expandable ? u"pages of an expandable segment"_s
                         : segment.large    ? u"segment of the large pool"_s
                                            : u"segment of the small pool"_s;
    const QString from =
        segment.birth < 0 ? u"before the recording"_s : u"event %1"_s.arg(countText(segment.birth));
    const QString to = segment.death >= count ? u"end"_s : countText(segment.death);
    return {exactBytesText(segment.size, unit), kind, u"%1 → %2"_s.arg(from, to),
            siteText(of.trace(), segment.stack)};
}

void addStudy(TimelineData &data, const Study &study, ByteUnit unit)
{
    data.segments = &study.segments().lives;
    data.segmentColors = segmentColors(study.space().segments());
    data.segmentEvents = study.segments().events;
    data.space = &study.space();
    for (const Step &step : study.steps().steps)
        data.steps.push_back(step.first);
    data.describeSegment = [&study, unit](LifeIndex segment) {
        return segmentText(study, study.space().segments().all()[segment], unit);
    };
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

namespace {

QString laneName(const Trace &trace, const AllocationLane &lane)
{
    return lane.others > 0
               ? u"%1 other pools and streams"_s.arg(lane.others)
               : u"%1, %2"_s.arg(poolName(trace, lane.pool), streamName(trace, lane.stream));
}

} // namespace

QString lifetimeText(const Study &device, AllocationIndex allocation)
{
    const EventIndex birth = device.allocations().birth[allocation];
    const EventIndex death = device.allocations().death[allocation];
    const EventIndex count = device.device().events.count();
    const QString from =
        birth < 0 ? u"before the recording"_s : u"event %1"_s.arg(countText(birth));
    const QString to = death >= count ? u"the end"_s : countText(death);
    QString events = u"%1 → %2"_s.arg(from, to);
    if (!device.hasTimes() || count == 0)
        return events;
    const std::int64_t duration = device.timeOf(death) - device.timeOf(birth);
    const bool open = birth < 0 || death >= count;
    return u"%1 (%2%3)"_s.arg(events, open ? u"≥ "_s : QString(),
                              toQString(formatMicroseconds(duration)));
}

TimelineData timelineData(const TraceDocument &document, std::size_t device, const Study *study,
                          ByteUnit unit)
{
    const Study &of = *document.devices[device];
    const Trace &trace = *document.trace;
    TimelineData data;
    data.allocations = &of.allocations();
    data.curve = &of.curve();
    data.colors = &document.byStack[device].colors;
    data.times = of.times();
    for (const OutOfMemoryEvent &event : of.device().outOfMemory) {
        data.outOfMemory.push_back({event.event,
                                    u"asked for %1 more"_s.arg(bytesText(event.requested, unit)),
                                    of.curve().reserved(event.event), event.requested});
        if (event.deviceFree >= 0)
            data.limit = std::max(data.limit,
                                  wrappingSum(event.deviceFree, of.curve().reserved(event.event)));
    }
    const std::vector<Action> &actions = of.device().events.action;
    for (auto at = std::ranges::find(actions, Action::Snapshot); at != actions.end();
         at = std::find(at + 1, actions.end(), Action::Snapshot))
        data.snapshots.push_back({static_cast<EventIndex>(at - actions.begin()), u"snapshot"_s});
    for (const AnnotationRange &range : of.annotations())
        data.annotations.push_back(
            {range.first, range.last, range.lane, foreignText(trace.text(range.name))});
    data.describe = [&of, &trace, unit](AllocationIndex allocation) {
        return QStringList{exactBytesText(of.allocations().requested[allocation], unit),
                           siteText(trace, of.allocations(), allocation),
                           lifetimeText(of, allocation)};
    };
    data.poolName = [&trace](PoolId pool) { return poolName(trace, pool); };
    data.streamName = [&trace](StreamId stream) { return streamName(trace, stream); };
    if (study)
        addStudy(data, *study, unit);
    return data;
}

std::vector<BandColors> laneColors(const Study &study, const BandColors &colors)
{
    std::vector<BandColors> result;
    for (const AllocationLane &lane : study.lanes()) {
        BandColors &of = result.emplace_back();
        of.colors = colors.colors;
        of.of.reserve(lane.allocations.size());
        for (const AllocationIndex allocation : lane.allocations)
            of.of.push_back(colors.of[allocation]);
    }
    return result;
}

std::vector<TimelineLane> timelineLanes(const Study &study, const std::vector<BandColors> &colors)
{
    std::vector<TimelineLane> lanes;
    for (std::size_t at = 0; at < study.lanes().size(); ++at) {
        const AllocationLane &lane = study.lanes()[at];
        lanes.push_back({laneName(study.trace(), lane),
                         {lane.lives.get(), lane.curve.get(), &colors[at]},
                         lane.allocations});
    }
    return lanes;
}

} // namespace vramscope
