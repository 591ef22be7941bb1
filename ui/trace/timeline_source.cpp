// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/trace/timeline_source.h"

#include "ui/models/stack_text.h"
#include "ui/support/text.h"

#include <QCoreApplication>
#include <QStringList>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

QString tr(const char *text)
{
    return QCoreApplication::translate("TimelineSource", text);
}

} // namespace

QString lifetimeText(const DeviceDocument &device, AllocationIndex allocation)
{
    const EventIndex birth = device.allocations.birth[allocation];
    const EventIndex death = device.allocations.death[allocation];
    const EventIndex count = device.recorded.events.count();
    const QString from =
        birth < 0 ? tr("before the recording") : tr("event %1").arg(countText(birth));
    const QString to = death >= count ? tr("the end") : countText(death);
    const QString events = u"%1 → %2"_s.arg(from, to);
    if (!device.hasTimes() || count == 0)
        return events;
    const std::int64_t duration = device.timeOf(death) - device.timeOf(birth);
    const bool open = birth < 0 || death >= count;
    return u"%1 (%2%3)"_s.arg(events, open ? tr("at least ") : QString(),
                              toQString(formatMicroseconds(duration)));
}

TimelineData timelineData(const TraceDocument &document, std::size_t device, ByteUnit unit)
{
    const DeviceDocument &of = *document.devices[device];
    const Trace &trace = *document.trace;
    TimelineData data;
    data.allocations = &of.allocations;
    data.curve = &of.curve;
    data.colors = &of.stackColors;
    data.times = of.recorded.events.time;
    for (const OutOfMemoryEvent &event : of.recorded.outOfMemory) {
        data.outOfMemory.push_back(
            {event.event, tr("out of memory: asked %1").arg(bytesText(event.requested, unit))});
        if (event.deviceFree >= 0)
            data.limit =
                std::max(data.limit, wrappingSum(event.deviceFree, of.curve.reserved(event.event)));
    }
    for (const AnnotationRange &range : of.annotations)
        data.annotations.push_back(
            {range.first, range.last, range.lane, toQString(trace.text(range.name))});
    data.describe = [&of, &trace, unit](AllocationIndex allocation) {
        return QStringList{exactBytesText(of.allocations.size[allocation], unit),
                           siteText(trace, of.allocations.stack[allocation]),
                           lifetimeText(of, allocation)};
    };
    return data;
}

} // namespace vramscope
