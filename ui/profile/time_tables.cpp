// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/profile/time_tables.h"

#include "core/profile/profile_problems.h"
#include "core/profile/profile_study.h"
#include "ui/profile/profile_cells.h"
#include "ui/profile/profile_text.h"
#include "ui/support/text.h"

#include <algorithm>

namespace vramscope {

using namespace Qt::StringLiterals;
using namespace cells;

namespace {

QString laneName(const ProfileDocument &document, std::uint32_t at)
{
    const ProfileLane &lane = document.profile->lanes()[at];
    return u"GPU %1, stream %2"_s.arg(lane.device).arg(lane.stream);
}

/// A row of the breakdown: its parts in order of their columns.
ProfileTableRow breakdownRow(const QString &name, const TimeBreakdown &of)
{
    ProfileTableRow row;
    row.cells = {word(name),
                 time(of.span),
                 time(of.compute),
                 share(of.compute, of.span),
                 time(of.exposedCommunication),
                 share(of.exposedCommunication, of.span),
                 time(of.exposedCopy),
                 share(of.exposedCopy, of.span),
                 time(of.idle),
                 share(of.idle, of.span),
                 of.communication > 0 ? time(of.communication) : nothing(),
                 share(of.overlappedCommunication, of.communication)};
    return row;
}

} // namespace

ProfileTable idleTable(const ProfileDocument &document)
{
    const ProfileStudy &study = *document.study;
    ProfileTable table;
    table.columns = {words(u"Where"_s),
                     times(u"Idle"_s),
                     times(u"Host wait"_s, u"Of a stream: its next work was called only after it "
                                           "had run dry. Of a device: nothing was queued on any "
                                           "stream when the gap began."_s),
                     numbers(u"Share"_s, u"Host wait of idle"_s),
                     times(u"Kernel wait"_s, u"Queued, and a gap of less than 1 µs"_s),
                     times(u"Other"_s, u"Queued: it waited for another stream, or the device"_s)};
    for (const DeviceIdle &of : study.deviceIdle()) {
        ProfileTableRow row;
        row.cells = {word(u"GPU %1"_s.arg(of.device)), time(of.idle), time(of.hostWait),
                     share(of.hostWait, of.idle),      nothing(),     time(of.queued())};
        table.rows.push_back(std::move(row));
    }
    for (const LaneIdle &of : study.laneIdle()) {
        const std::int64_t whole = of.hostWait + of.kernelWait + of.other;
        ProfileTableRow row;
        row.cells = {word(laneName(document, of.lane)), time(whole),         time(of.hostWait),
                     share(of.hostWait, whole),         time(of.kernelWait), time(of.other)};
        table.rows.push_back(std::move(row));
    }
    if (table.rows.empty())
        table.note = toQString(noDeviceText(*document.profile));
    return table;
}

ProfileTable breakdownTable(const ProfileDocument &document, const std::optional<TimeSpan> &within)
{
    const ProfileStudy &study = *document.study;
    ProfileTable table;
    const QString ofSpan = u"Of the span"_s;
    table.columns = {
        words(u"Where"_s),
        times(u"Span"_s, u"From the first start to the last end; compute, exposed communication, "
                         "exposed copies and idle add up to it"_s),
        times(u"Compute"_s, u"While anything computed"_s),
        numbers(u"%"_s, ofSpan),
        times(u"Exposed communication"_s, u"While nothing computed"_s),
        numbers(u"%"_s, ofSpan),
        times(u"Exposed copies"_s, u"Copies and fills while nothing computed or communicated"_s),
        numbers(u"%"_s, ofSpan),
        times(u"Idle"_s, u"While nothing ran"_s),
        numbers(u"%"_s, ofSpan),
        times(u"All communication"_s, u"Hidden and exposed"_s),
        numbers(u"Hidden"_s, u"The part of communication during which something computed"_s)};
    if (within) {
        const std::vector<std::uint32_t> rows =
            workStartedWithin(*document.profile, within->from, within->to);
        for (const DeviceBreakdown &of :
             breakdownByDevice(*document.profile, document.classes(), rows))
            table.rows.push_back(breakdownRow(u"GPU %1"_s.arg(of.device), of.times));
        for (const LaneBreakdown &of : breakdownByLane(*document.profile, document.classes(), rows))
            table.rows.push_back(breakdownRow(laneName(document, of.lane), of.times));
    } else {
        for (const DeviceBreakdown &of : study.devices())
            table.rows.push_back(breakdownRow(u"GPU %1"_s.arg(of.device), of.times));
        for (const LaneBreakdown &of : study.lanes())
            table.rows.push_back(breakdownRow(laneName(document, of.lane), of.times));
    }
    if (table.rows.empty())
        table.note = within ? u"Nothing began on a device in this stretch."_s
                            : toQString(noDeviceText(*document.profile));
    return table;
}

ProfileTable htaTable(const ProfileDocument &document)
{
    ProfileTable table;
    table.columns = {words(u"As HolisticTraceAnalysis counts"_s),
                     times(u"Kernel time"_s, u"Its name for the span, idle time included"_s),
                     times(u"Idle"_s),
                     times(u"Compute"_s),
                     times(u"Non-compute"_s, u"Kernel time − idle − compute: communication and "
                                             "copies that nothing hid"_s),
                     times(u"Communication"_s),
                     times(u"Overlapped"_s, u"Communication while something computed"_s),
                     numbers(u"Overlap"_s)};
    if (const auto &hta = document.study->hta()) {
        ProfileTableRow row;
        row.cells = {word(u"All streams of all devices"_s),
                     time(hta->kernelTime),
                     time(hta->idle),
                     time(hta->compute),
                     time(hta->nonCompute),
                     time(hta->communication),
                     time(hta->overlapped),
                     share(hta->overlapped, hta->communication)};
        table.rows.push_back(std::move(row));
        table.note = u"With its quirks: whole microseconds, its own list of names, and of several "
                     "steps only what began before the last."_s;
    } else {
        table.note = u"HolisticTraceAnalysis would count nothing in this recording."_s;
    }
    return table;
}

QString markerName(const ProfileDocument &document, const StepMarker &marker)
{
    switch (marker.kind) {
    case StepMarker::Kind::ProfilerStep:
        return u"By ProfilerStep"_s;
    case StepMarker::Kind::Kernel:
        return u"By the kernel %1, which recurs"_s.arg(foreignText(document.text(marker.name)));
    case StepMarker::Kind::Optimizer:
    case StepMarker::Kind::DataLoader:
    case StepMarker::Kind::Range:
        break;
    }
    return u"By %1"_s.arg(foreignText(document.text(marker.name)));
}

ProfileTable stepsTable(const ProfileDocument &document, std::size_t choice)
{
    const std::span<const StepMarker> markers = document.stepMarkers();
    const bool isMarked = choice < markers.size();
    const ProfileSteps steps =
        isMarked ? profileSteps(*document.profile, document.classes(), markers[choice])
                 : ProfileSteps();
    ProfileTable table;
    table.columns = {words(u"Step"_s),
                     times(u"Time"_s, u"From its start on the host to that of the next; of the "
                                      "last its own duration"_s),
                     times(u"On devices"_s, u"From the first start to the last end of what was "
                                            "called in it"_s),
                     times(u"Compute"_s),
                     times(u"Exposed communication"_s),
                     times(u"Exposed copies"_s),
                     times(u"Idle"_s),
                     numbers(u"Overlap"_s, u"The part of communication that compute hid"_s),
                     numbers(u"Work"_s, u"Kernels, copies and fills that were called in it"_s)};
    const bool hasDevice = document.profile->work().count() > 0; // else it is not known
    for (std::size_t at = 0; at < steps.steps.size(); ++at) {
        const ProfileStep &step = steps.steps[at];
        QString name = foreignText(document.text(step.name));
        if (markers[choice].kind != StepMarker::Kind::ProfilerStep)
            name += u" %1"_s.arg(at + 1);
        if (steps.hasMedian && at == steps.median)
            name += u", the median"_s;
        else if (step.isOutlier)
            name += u", an outlier"_s;
        ProfileTableRow row;
        row.cells = {word(name), time(step.time)};
        if (step.device) {
            const TimeBreakdown &of = *step.device;
            row.cells.insert(row.cells.end(),
                             {time(of.span), time(of.compute), time(of.exposedCommunication),
                              time(of.exposedCopy), time(of.idle),
                              share(of.overlappedCommunication, of.communication)});
        } else {
            row.cells.insert(row.cells.end(), 6, nothing());
        }
        row.cells.push_back(hasDevice ? count(step.work) : nothing());
        table.rows.push_back(std::move(row));
    }
    if (table.rows.empty())
        table.note = u"No steps were recorded: call step() of the profiler once an iteration."_s;
    else if (markers[choice].kind == StepMarker::Kind::Kernel)
        table.note = u"No steps were recorded; what the device runs repeats as this kernel does."_s;
    else if (markers[choice].kind != StepMarker::Kind::ProfilerStep)
        table.note = u"Divided %1"_s.arg(markerName(document, markers[choice]).toLower());
    return table;
}

} // namespace vramscope
