// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/trace/timeline_source.h"

#include "ui/models/stack_text.h"
#include "ui/support/text.h"

#include <QStringList>

#include <algorithm>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

QStringList segmentText(const DeviceDocument &of, const Trace &trace, const SegmentLife &segment,
                        ByteUnit unit)
{
    const EventIndex count = of.recorded.events.count();
    const QString kind = segment.expandable ? u"pages of an expandable segment"_s
                         : segment.large    ? u"segment of the large pool"_s
                                            : u"segment of the small pool"_s;
    const QString from =
        segment.birth < 0 ? u"before the recording"_s : u"event %1"_s.arg(countText(segment.birth));
    const QString to = segment.death >= count ? u"end"_s : countText(segment.death);
    return {exactBytesText(segment.size, unit), kind, u"%1 → %2"_s.arg(from, to),
            siteText(trace, segment.stack)};
}

void addStudy(TimelineData &data, const DeviceDocument &of, const Trace &trace,
              const DeviceStudy &study, ByteUnit unit)
{
    data.segments = study.segments.get();
    data.segmentColors = &study.segmentColors;
    data.segmentEvents = study.segmentEvents;
    data.space = study.space.get();
    for (const Step &step : study.steps.steps)
        data.steps.push_back(step.first);
    data.describeSegment = [&of, &trace, &study, unit](LifeIndex segment) {
        return segmentText(of, trace, study.space->segments().all()[segment], unit);
    };
}

} // namespace

QString lifetimeText(const DeviceDocument &device, AllocationIndex allocation)
{
    const EventIndex birth = device.allocations.birth[allocation];
    const EventIndex death = device.allocations.death[allocation];
    const EventIndex count = device.recorded.events.count();
    const QString from =
        birth < 0 ? u"before the recording"_s : u"event %1"_s.arg(countText(birth));
    const QString to = death >= count ? u"the end"_s : countText(death);
    const QString events = u"%1 → %2"_s.arg(from, to);
    if (!device.hasTimes() || count == 0)
        return events;
    const std::int64_t duration = device.timeOf(death) - device.timeOf(birth);
    const bool open = birth < 0 || death >= count;
    return u"%1 (%2%3)"_s.arg(events, open ? u"≥ "_s : QString(),
                              toQString(formatMicroseconds(duration)));
}

TimelineData timelineData(const TraceDocument &document, std::size_t device,
                          const DeviceStudy *study, ByteUnit unit)
{
    const DeviceDocument &of = *document.devices[device];
    const Trace &trace = *document.trace;
    TimelineData data;
    data.allocations = &of.allocations;
    data.curve = &of.curve;
    data.colors = &of.byStack.colors;
    data.times = of.times();
    for (const OutOfMemoryEvent &event : of.recorded.outOfMemory) {
        data.outOfMemory.push_back(
            {event.event, u"out of memory: asked %1"_s.arg(bytesText(event.requested, unit))});
        if (event.deviceFree >= 0)
            data.limit =
                std::max(data.limit, wrappingSum(event.deviceFree, of.curve.reserved(event.event)));
    }
    const std::vector<Action> &actions = of.recorded.events.action;
    for (auto at = std::ranges::find(actions, Action::Snapshot); at != actions.end();
         at = std::find(at + 1, actions.end(), Action::Snapshot))
        data.snapshots.push_back({static_cast<EventIndex>(at - actions.begin()), u"snapshot"_s});
    for (const AnnotationRange &range : of.annotations)
        data.annotations.push_back(
            {range.first, range.last, range.lane, foreignText(trace.text(range.name))});
    data.describe = [&of, &trace, unit](AllocationIndex allocation) {
        return QStringList{exactBytesText(of.allocations.size[allocation], unit),
                           siteText(trace, of.allocations.stack[allocation]),
                           lifetimeText(of, allocation)};
    };
    data.poolName = [&trace](PoolId pool) { return poolName(trace, pool); };
    data.streamName = [&trace](StreamId stream) { return streamName(trace, stream); };
    if (study)
        addStudy(data, of, trace, *study, unit);
    return data;
}

std::vector<BandColors> laneColors(const DeviceStudy &study, const BandColors &colors)
{
    std::vector<BandColors> result;
    for (const AllocationLane &lane : study.lanes) {
        BandColors &of = result.emplace_back();
        of.colors = colors.colors;
        of.of.reserve(lane.allocations.size());
        for (const AllocationIndex allocation : lane.allocations)
            of.of.push_back(colors.of[allocation]);
    }
    return result;
}

std::vector<TimelineLane> timelineLanes(const DeviceStudy &study,
                                        const std::vector<BandColors> &colors)
{
    std::vector<TimelineLane> lanes;
    for (std::size_t at = 0; at < study.lanes.size(); ++at) {
        const AllocationLane &lane = study.lanes[at];
        lanes.push_back(
            {lane.name, {lane.lives.get(), lane.curve.get(), &colors[at]}, lane.allocations});
    }
    return lanes;
}

} // namespace vramscope
