// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/verdict.h"

#include "core/analysis/findings/out_of_memory.h"
#include "core/analysis/replayed/usage_curve.h"
#include "core/analysis/study/study.h"
#include "core/base/counted.h"
#include "core/base/text.h"
#include "core/describe/trace_tables.h"
#include "core/print/cells.h"

#include <bit>

namespace vramscope {

namespace {

std::string causeText(OutOfMemoryCause cause)
{
    switch (cause) {
    case OutOfMemoryCause::Limit:
        return ": a limit, not the device";
    case OutOfMemoryCause::Fragmented:
        return ": fragmentation";
    case OutOfMemoryCause::Elsewhere:
        return ": what was free belonged to other pools, streams or sizes";
    case OutOfMemoryCause::Full:
        return ": the device was full";
    case OutOfMemoryCause::Unknown:
        break;
    }
    return {};
}

std::string failuresText(const DeviceTrace &device, OutOfMemoryCause cause)
{
    const auto count = std::ssize(device.outOfMemory);
    return std::string("out of memory ") +
           (count > 1 ? counted(count, "time") + ", first at event " : "at event ") +
           formatCount(device.outOfMemory.front().event) + causeText(cause);
}

/// The capacity of the ring buffer is not in the file, but a round number of events tells it.
bool looksFull(EventIndex events)
{
    constexpr EventIndex kLeast = 1000;
    return events >= kLeast &&
           (events % kLeast == 0 || std::has_single_bit(static_cast<std::uint32_t>(events)));
}

std::string warningText(const DeviceTrace &device, const UsageCurve &curve, ByteUnit unit)
{
    const EventIndex events = device.events.count();
    const std::string before = "the history begins in the middle, with " +
                               formatBytes(curve.active(-1), unit) + " already allocated: ";
    return looksFull(events)
               ? before + "its " + counted(events, "event") +
                     " look like a full ring buffer, whose oldest were overwritten; record "
                     "with a larger max_entries."
               : before + "recording was started late, or its ring buffer was full and the oldest "
                          "events were overwritten.";
}

} // namespace

TraceVerdict traceVerdict(const Study &study, ByteUnit unit)
{
    const DeviceTrace &device = study.device();
    const UsageCurve &curve = study.curve();
    const EventIndex peak = curve.peakActiveEvent();
    const bool isState = !study.hasHistory() && peak < 0;
    TraceVerdict verdict;
    std::string &text = verdict.peak;
    text = (isState ? "" : "Peak ") + formatBytes(curve.active(peak), unit) + " active";
    if (curve.isReservedKnown())
        text += " of " + formatBytes(curve.reserved(peak), unit) + " reserved";
    text += device.host ? " on the host" : " on device " + std::to_string(device.device);
    if (isState) {
        text += " when the snapshot was made; no history was recorded";
        return verdict;
    }
    text += ", " + eventPlace(peak);
    if (!device.outOfMemory.empty())
        verdict.failures = failuresText(device, study.failures().front().cause);
    if (curve.active(-1) > 0)
        verdict.warning = warningText(device, curve, unit);
    return verdict;
}

std::string verdictText(const Study &study, ByteUnit unit)
{
    const TraceVerdict verdict = traceVerdict(study, unit);
    std::string text = verdict.peak;
    if (!verdict.failures.empty()) {
        const bool fits = characters(text) + 2 + characters(verdict.failures) <= kTableWidth;
        text += (fits ? "; " : ";\n") + verdict.failures;
    }
    text += '\n';
    return verdict.warning.empty() ? text : text + paragraph("Warning: " + verdict.warning);
}

std::string traceHead(const std::string &file, const Study &study)
{
    return printable(file) + ", device " + std::to_string(study.device().device);
}

} // namespace vramscope
