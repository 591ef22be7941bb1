// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/live_report.h"

#include "core/analysis/categories/group_categories.h"
#include "core/analysis/costs/costs.h"
#include "core/analysis/costs/frame_text.h"
#include "core/analysis/findings/out_of_memory.h"
#include "core/analysis/replayed/allocations.h"
#include "core/analysis/steps/steps.h"
#include "core/analysis/study/study.h"
#include "core/base/json_text.h"
#include "core/base/text.h"
#include "core/describe/trace_tables.h"
#include "core/print/cells.h"
#include "core/print/json_parts.h"
#include "core/print/oom_remedies.h"
#include "core/print/verdict.h"
#include "core/table/json_rows.h"

#include <cmath>

namespace vramscope {

namespace {

std::string stepText(const Peak &peak, const Steps &steps)
{
    if (!peak.step)
        return steps.steps.empty() ? std::string() : "outside the steps";
    return "in step " + std::to_string(steps.steps[*peak.step].number) + ", " +
           formatPercent(peak.position) + " of its events done";
}

/// "in the backward pass"; empty where it is not known.
std::string phaseText(const Peak &peak)
{
    switch (peak.phase) {
    case Phase::Init:
        return "while the model is built";
    case Phase::Forward:
        return peak.trains ? "in the forward pass" : "in inference";
    case Phase::Backward:
        return "in the backward pass";
    case Phase::Optimizer:
        return "in the optimizer's step";
    case Phase::Unknown:
        break;
    }
    return {};
}

/// liveGroupsJson() with the category of each group.
Json groupsWithCategories(const Trace &trace, std::span<const LiveGroup> groups,
                          std::span<const GroupCategory> kinds)
{
    Json list = liveGroupsJson(trace, groups);
    for (std::size_t at = 0; at < kinds.size(); ++at) {
        list[at]["category"] = categoryWord(kinds[at].category);
        const bool isGuess = kinds[at].category != kinds[at].guess;
        list[at]["guess"] = orNull(isGuess, categoryWord(kinds[at].guess));
        list[at]["probability"] = std::round(1000 * kinds[at].probability) / 1000;
        list[at]["evidence"] = kinds[at].evidence;
    }
    return list;
}

} // namespace

std::string liveJson(const Study &study, EventIndex event, const std::string &file)
{
    const Allocations &allocations = study.allocations();
    const std::vector<AllocationIndex> live = allocations.liveAfter(event);
    const std::vector<LiveGroup> groups = groupBySite(allocations, live);
    return jsonText({{"file", file},
                     {"device", study.device().device},
                     {"event", event},
                     {"active", totalBytes(groups)},
                     {"allocations", live.size()},
                     {"groups", groupsWithCategories(
                                    study.trace(), groups,
                                    categoriesOf(groups, live, allocations, study.categories()))}});
}

std::string liveText(const Study &study, EventIndex event, const std::string &file,
                     std::size_t most, ByteUnit unit)
{
    const Trace &trace = study.trace();
    const Allocations &allocations = study.allocations();
    const std::vector<AllocationIndex> live = allocations.liveAfter(event);
    const std::vector<LiveGroup> groups = groupBySite(allocations, live);
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
         {"phase", orNull(peak.phase != Phase::Unknown, phaseName(peak.phase))},
         {"remedies", listJson(study.peakAdvice().remedies,
                               [](const Remedy &remedy) {
                                   return Json{{"kind", remedyName(remedy.kind)},
                                               {"bytes", remedy.bytes},
                                               {"at_most", remedy.atMost}};
                               })},
         {"stacks", groupsWithCategories(trace, peak.byStack, peak.kinds)}});
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
    if (const std::string phase = phaseText(peak); !phase.empty())
        text += phase + "\n";
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
    const std::vector<RemedyText> remedies = peakRemedyTexts(study.peakAdvice(), unit);
    for (const RemedyText &remedy : remedies)
        text += (&remedy == &remedies.front() ? "The peak would fall with:\n  " : "  ") +
                remedy.title + ": by " + remedy.gives + "\n";
    text += remedies.empty() ? "" : "\n";
    const GroupLook look{.whole = peak.active, .most = most, .unit = unit};
    return text + terminalText(groupTable(placeRows(trace, origins, peak.byStack), look));
}

} // namespace vramscope
