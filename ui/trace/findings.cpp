// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/trace/findings.h"

#include "core/print/oom_report.h"
#include "ui/models/stack_text.h"
#include "ui/support/text.h"

#include <QStringList>

#include <algorithm>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

// Less than this, kept in reserve at the end, is what every allocator keeps.
constexpr Bytes kOrdinaryReserve = 256 * kMiB;

void findOutOfMemory(const TraceDocument &document, const DeviceDocument &device,
                     const DeviceStudy *study, ByteUnit unit, std::vector<Finding> &found)
{
    const auto &events = device.recorded.outOfMemory;
    if (events.empty())
        return;
    const OutOfMemoryEvent &first = events.front();
    Finding finding;
    finding.bad = true;
    finding.isFailure = true;
    finding.event = first.event;
    finding.text = u"Out of memory: asked %1"_s.arg(bytesText(first.requested, unit));
    if (events.size() > 1)
        finding.text += u" (%1×)"_s.arg(events.size());
    finding.explanation = u"At event %1 the allocator could not give %2."_s.arg(
        countText(first.event), exactBytesText(first.requested, unit));
    if (study)
        finding.explanation =
            toQString(outOfMemoryParagraph({*document.trace, device.recorded, device.allocations,
                                            *study->space, study->outOfMemory},
                                           study->outOfMemory.front(), unit));
    found.push_back(finding);
}

void findLeak(const TraceDocument &document, const DeviceStudy &study, ByteUnit unit,
              std::vector<Finding> &found)
{
    if (study.leaks.leaks.empty())
        return;
    const Growth &most = study.leaks.leaks.front();
    const auto perStep = static_cast<Bytes>(most.bytesPerSample);
    Finding finding;
    finding.bad = true;
    finding.text = study.leaks.bySteps
                       ? u"Leak suspected: %1 a step"_s.arg(bytesText(perStep, unit))
                       : u"Leak suspected: %1"_s.arg(bytesText(most.grown.bytes, unit));
    finding.explanation =
        u"%1 keeps %2 allocations (%3) that are never freed, growing to the end."_s.arg(
            siteText(*document.trace, most.stack), countText(most.grown.count),
            exactBytesText(most.grown.bytes, unit));
    if (study.leaks.leaks.size() > 1)
        finding.explanation += u' ' + u"%1 more stacks grow."_s.arg(countText(
                                          static_cast<std::int64_t>(study.leaks.leaks.size()) - 1));
    finding.event = study.leaks.samples.back();
    found.push_back(finding);
}

void findStranded(const DeviceStudy &study, ByteUnit unit, std::vector<Finding> &found)
{
    const Bytes stranded = study.space->bandsAfter(study.mostStranded).stranded;
    if (stranded <= kOrdinaryReserve)
        return;
    Finding finding;
    finding.text = u"%1 stranded"_s.arg(bytesText(stranded, unit));
    finding.explanation =
        u"%1 as much as %2 were free inside segments that blocks in use hold fast: "
        "the allocator could neither give them back nor, for larger requests, use them. "
        "Expandable segments avoid most of it."_s.arg(
            study.mostStranded < 0 ? u"Before the first event"_s
                                   : u"After event %1"_s.arg(countText(study.mostStranded)),
            exactBytesText(stranded, unit));
    finding.event = study.mostStranded;
    found.push_back(finding);
}

void findContradictions(const DeviceStudy &study, std::vector<Finding> &found)
{
    const Consistency &consistency = study.space->consistency();
    if (consistency == Consistency{})
        return;
    Finding finding;
    finding.text = u"Not all events agree"_s;
    finding.explanation =
        u"Events are missing or were filtered when this was recorded: %1 segment events "
        "contradict the rest, %2 allocations lie in no memory that was held, %3 blocks are "
        "otherwise at the end than the events say. The address space is right as far as the "
        "others go."_s.arg(countText(consistency.contradictorySegments),
                           countText(consistency.unplaced),
                           countText(consistency.otherEnd + consistency.otherSize));
    if (consistency.firstUnplaced >= 0)
        finding.event = consistency.firstUnplaced;
    found.push_back(finding);
}

void findReserve(const DeviceSummary &summary, ByteUnit unit, std::vector<Finding> &found)
{
    const Bytes idle = wrappingDifference(summary.reservedEnd, summary.activeEnd);
    if (idle <= kOrdinaryReserve)
        return;
    Finding finding;
    finding.text = u"%1 reserved but idle at the end"_s.arg(bytesText(idle, unit));
    finding.explanation =
        u"At the end the allocator holds %1 of the device, of which %2 are in "
        "use; the rest is cached or stranded between blocks in use."_s.arg(
            bytesText(summary.reservedEnd, unit), bytesText(summary.activeEnd, unit));
    if (summary.events > 0)
        finding.event = static_cast<EventIndex>(summary.events) - 1;
    found.push_back(finding);
}

void findBaseline(const DeviceSummary &summary, ByteUnit unit, std::vector<Finding> &found)
{
    if (summary.baseline == 0 || summary.events < 2)
        return;
    Finding finding;
    finding.text = u"%1 live before the recording"_s.arg(bytesText(summary.baseline, unit));
    finding.explanation = u"This memory was allocated before the history begins: its size is "
                          "known, where it was allocated often is not."_s;
    finding.event = -1;
    found.push_back(finding);
}

void findOverflow(const Trace &trace, std::vector<Finding> &found)
{
    const bool overflowed = std::ranges::any_of(trace.settings(), [](const Setting &setting) {
        return setting.name == "trace_alloc_overflowed" && setting.value == "true";
    });
    if (!overflowed)
        return;
    Finding finding;
    finding.text = u"The oldest events are lost"_s;
    finding.explanation = u"More happened than the history holds (max_entries), so it begins "
                          "late. Record again with a larger max_entries to see the beginning."_s;
    found.push_back(finding);
}

void findProblems(const Trace &trace, std::vector<Finding> &found)
{
    if (trace.problems().empty())
        return;
    std::int64_t count = 0;
    QStringList lines;
    for (const Problem &problem : trace.problems()) {
        count += problem.count;
        QString line = u"%1 (%2×"_s.arg(toQString(problem.kind), countText(problem.count));
        if (problem.firstOffset >= 0)
            line += u", first at byte %1"_s.arg(countText(problem.firstOffset));
        lines << line + u')';
    }
    Finding finding;
    finding.text = count == 1 ? u"1 odd record"_s : u"%1 odd records"_s.arg(countText(count));
    finding.explanation = u"The file was read; what was odd in it:"_s + u'\n' + lines.join(u'\n');
    found.push_back(finding);
}

} // namespace

std::vector<Finding> findings(const TraceDocument &document, std::size_t device,
                              const DeviceStudy *study, ByteUnit unit)
{
    std::vector<Finding> found;
    const DeviceDocument &of = *document.devices[device];
    findOutOfMemory(document, of, study, unit, found);
    if (study) {
        findLeak(document, *study, unit, found);
        findStranded(*study, unit, found);
        findContradictions(*study, found);
    }
    findReserve(of.summary, unit, found);
    findBaseline(of.summary, unit, found);
    findOverflow(*document.trace, found);
    findProblems(*document.trace, found);
    return found;
}

} // namespace vramscope
