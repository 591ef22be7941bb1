// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/live_report.h"

#include "core/analysis/costs/costs.h"
#include "core/analysis/costs/frame_text.h"
#include "core/analysis/replayed/allocations.h"
#include "core/analysis/steps/steps.h"
#include "core/analysis/study/study.h"
#include "core/base/json_text.h"
#include "core/base/text.h"
#include "core/describe/trace_tables.h"
#include "core/print/cells.h"
#include "core/print/json_parts.h"
#include "core/print/verdict.h"
#include "core/table/json_rows.h"

namespace vramscope {

namespace {

std::string stepText(const Peak &peak, const Steps &steps)
{
    if (!peak.step)
        return steps.steps.empty() ? std::string() : "outside the steps";
    return "in step " + std::to_string(steps.steps[*peak.step].number) + ", " +
           formatPercent(peak.position) + " of its events done";
}

} // namespace

std::string liveJson(const Study &study, EventIndex event, const std::string &file)
{
    const Allocations &allocations = study.allocations();
    const std::vector<AllocationIndex> live = allocations.liveAfter(event);
    const std::vector<LiveGroup> groups = groupByStack(allocations, live);
    return jsonText({{"file", file},
                     {"device", study.device().device},
                     {"event", event},
                     {"active", totalBytes(groups)},
                     {"allocations", live.size()},
                     {"groups", liveGroupsJson(study.trace(), groups)}});
}

std::string liveText(const Study &study, EventIndex event, const std::string &file,
                     std::size_t most, ByteUnit unit)
{
    const Trace &trace = study.trace();
    const Allocations &allocations = study.allocations();
    const std::vector<AllocationIndex> live = allocations.liveAfter(event);
    const std::vector<LiveGroup> groups = groupByStack(allocations, live);
    const Bytes active = totalBytes(groups);
    std::string text = printable(file) + ", device " + std::to_string(study.device().device);
    text += ", " + eventPlace(event);
    text += "\n" + formatBytes(active, unit) + " active in " +
            counted(std::ssize(live), "allocation") + " from " +
            counted(std::ssize(groups), "stack") + "\n";
    if (groups.empty())
        return text;

    FrameOrigins origins(trace);
    const GroupLook look{.whole = active, .most = most, .unit = unit};
    return text + "\n" + terminalText(groupTable(placeRows(trace, origins, groups), look));
}

std::string peakJson(const Study &study, const std::string &file)
{
    const Trace &trace = study.trace();
    const Peak &peak = study.peak();
    return jsonText(
        {{"file", file},
         {"device", study.device().device},
         {"event", peak.event},
         {"time", timeOf(study.device(), peak.event)},
         {"active", peak.active},
         {"reserved", orNull(peak.isReservedKnown, peak.reserved)},
         {"allocations", peak.allocations},
         {"step", peak.step ? Json(study.steps().steps[*peak.step].number) : Json()},
         {"position", orNull(peak.step.has_value(), peak.position)},
         {"running", listJson(peak.running, [&](StringId name) { return trace.text(name); })},
         {"stack", framesJson(trace, peak.stack)},
         {"categories",
          rowsJson(peakCategoriesTable(peak), {"category", "bytes", "count", "confidence"})},
         {"stacks", liveGroupsJson(trace, peak.byStack)}});
}

std::string peakText(const Study &study, const std::string &file, std::size_t most, ByteUnit unit)
{
    const Trace &trace = study.trace();
    const Peak &peak = study.peak();
    FrameOrigins origins(trace);
    std::string text = traceHead(file, study) + "\n" + verdictText(study, unit);
    text += counted(peak.allocations, "allocation") + " from " +
            counted(std::ssize(peak.byStack), "stack") + "\n";
    if (const std::string step = stepText(peak, study.steps()); !step.empty())
        text += step + "\n";
    if (!peak.running.empty()) {
        text += "running:";
        for (const StringId name : peak.running)
            text += " " + elided(printable(trace.text(name)), 60) +
                    (name == peak.running.back() ? "" : ", in");
        text += "\n";
    }
    if (peak.stack != StackId::None)
        text += "allocating: " + stackCell(trace, peak.stack, origins, kTableWidth - 12) + "\n";
    if (peak.byStack.empty())
        return text;

    text += "\n" + terminalText(peakCategoriesTable(peak), unit) + "\n";
    const GroupLook look{.whole = peak.active, .most = most, .unit = unit};
    return text + terminalText(groupTable(placeRows(trace, origins, peak.byStack), look));
}

} // namespace vramscope
