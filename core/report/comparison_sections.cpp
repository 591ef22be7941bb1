// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/comparison_sections.h"

#include "core/analysis/comparison/compare.h"
#include "core/base/counted.h"
#include "core/base/letters.h"
#include "core/describe/reconcile_tables.h"
#include "core/estimate/verdict.h"
#include "core/print/cells.h"
#include "core/print/compare_report.h"
#include "core/print/plan_choice_report.h"
#include "core/print/plan_diff_report.h"
#include "core/print/plan_report.h"
#include "core/print/reconcile_report.h"
#include "core/report/plan_settings.h"
#include "core/report/tables.h"
#include "core/settings/job_text.h"
#include "core/trace/problem_text.h"

#include <algorithm>
#include <cstdlib>

namespace vramscope {

namespace {

constexpr std::size_t kMostSites = 20;
constexpr std::size_t kPlace = 160; // characters of a place in the code

/// "6 of 8 plans fit, 1 is tight", of those whose device is known.
std::string howManyFit(std::span<const PlanSubject> plans)
{
    const auto known = std::ranges::count_if(
        plans, [](const PlanSubject &plan) { return verdictOf(plan.estimate).has_value(); });
    const auto with = [&](Verdict verdict) {
        return std::ranges::count_if(
            plans, [&](const PlanSubject &plan) { return verdictOf(plan.estimate) == verdict; });
    };
    const auto fitting = with(Verdict::Fits);
    const auto tight = with(Verdict::Tight);
    const auto unknown = std::ssize(plans) - known;
    if (known == 0)
        return counted(unknown, "plan") + " without a capacity to fit in";
    return formatCount(fitting) + " of " + counted(known, "plan") +
           (fitting == 1 ? " fits" : " fit") +
           (tight == 0 ? std::string()
                       : ", " + formatCount(tight) + (tight == 1 ? " is tight" : " are tight")) +
           (unknown == 0 ? std::string()
                         : ", " + formatCount(unknown) +
                               (unknown == 1 ? " names no device" : " name no device"));
}

/// Which plan to run, and why; of plans of which none fits, how they stand.
std::string decisionText(std::span<const PlanSubject> plans, std::span<const PlanToChoose> toChoose,
                         ByteUnit unit)
{
    const PlanChoice choice = choosePlan(toChoose);
    const PlanSubject &chosen = plans[choice.plan];
    if (plans.size() < 2 || !chosen.estimate.fits.value_or(false))
        return howManyFit(plans);
    std::vector<std::string> names;
    for (std::size_t at = 0; at < plans.size(); ++at)
        names.push_back(letterName(at));
    return "Recommended: " + letterName(choice.plan) + ", " +
           jobText(chosen.plan, *chosen.estimate.settings) + ". " +
           choiceSentence(choice, toChoose, names, unit);
}

/// What each plan costs, a row a plan.
void addCosts(Report &report, std::span<const PlanToChoose> plans, ByteUnit unit)
{
    const std::vector<CostFigure> figures = costFigures(plans);
    std::vector<DataTable::Column> columns{{"plan", ""}};
    for (const CostFigure &figure : figures)
        columns.push_back({{}, figure.name, DataTable::Kind::Figure, {}, figure.name});
    RowTable table("What they cost", std::move(columns));
    for (std::size_t at = 0; !figures.empty() && at < plans.size(); ++at) {
        std::vector<DataTable::Cell> row{letterName(at)};
        for (const CostFigure &figure : figures)
            row.emplace_back(figure.values[at]);
        table.add(std::move(row));
    }
    addTable(report, std::move(table).table(), unit);
}

void addPlansTable(Report &report, std::span<const PlanSubject> plans, ByteUnit unit)
{
    using enum DataTable::Kind;
    RowTable table({}, {{"letter", ""},
                        {"plan", "Plan"},
                        {"verdict", ""},
                        {"allocated", "Allocated", Size},
                        {"reserved", "Reserved", Size},
                        {"device", "Device", Size},
                        {"spare", "To spare", SizeChange}});
    for (std::size_t at = 0; at < plans.size(); ++at) {
        const PlanSubject &plan = plans[at];
        const Estimate &it = plan.estimate;
        const auto size = [&](Bytes bytes) {
            return it.computed ? DataTable::Cell(bytes) : DataTable::Cell();
        };
        const std::optional<Verdict> verdict = verdictOf(it);
        table.add({letterName(at), jobWithName(plan.plan, *it.settings, planTitle(plan)),
                   verdict ? DataTable::Cell(verdictWord(it)) : DataTable::Cell(),
                   size(it.peakAllocated), size(it.peakReserved), size(it.peakDevice),
                   it.headroom});
    }
    addTable(report, std::move(table).table(), unit);
}

void addDifferingSettings(Report &report, std::span<const PlanSubject> plans, ByteUnit unit)
{
    constexpr std::size_t kMostColumns = 6; // more are not read beside each other
    if (plans.size() > kMostColumns)
        return;
    addTable(report, differingSettings(plans, unit), unit);
}

void addSites(Report &report, const Comparison &comparison, const Trace &a, const Trace &b,
              ByteUnit unit)
{
    FrameOrigins originsA(a);
    FrameOrigins originsB(b);
    using enum DataTable::Kind;
    RowTable table("Places that differ most at the peaks",
                   {{"a", "A", Size, {}, "A"},
                    {"b", "B", Size, {}, "B"},
                    {"delta", "B - A", SizeChange, {}, "B - A"},
                    {"site", "Allocated in"}});
    const auto side = [](std::int64_t count, Bytes bytes) {
        return count > 0 ? DataTable::Cell(bytes) : DataTable::Cell();
    };
    std::size_t shown = 0;
    for (const ComparedSite &site : comparison.sites) {
        if (shown++ == kMostSites || site.delta() == 0)
            break; // the largest difference comes first
        table.add({side(site.countA, site.bytesA), side(site.countB, site.bytesB), site.delta(),
                   site.countB > 0 ? stackCell(b, site.stackB, originsB, kPlace)
                                   : stackCell(a, site.stackA, originsA, kPlace)});
    }
    addTable(report, std::move(table).table(), unit);
    addTable(report, settingDifferences(comparison), unit);
}

/// What is wrong with one of the recordings, before anything is said of it.
void addProblems(Report &report, const ReportedTrace &trace)
{
    for (const Problem &each : trace.study->trace().problems())
        addParagraph(report, printable(trace.file) + ": " + problemText(each), Tone::Problem);
}

/// "B needs 2 GiB more than A at its peak".
std::string moreOrLess(Bytes difference, const std::string &a, const std::string &b, ByteUnit unit)
{
    if (difference == 0)
        return b + " needs the same as " + a + " at its peak";
    return b + " needs " + formatBytes(std::abs(difference), unit) +
           (difference > 0 ? " more" : " less") + " than " + a + " at its peak";
}

void addFailed(Report &report, const FailedRequest &failed, ByteUnit unit)
{
    addHeading(report, 2, "The allocation that failed");
    addParagraph(report,
                 printable(formatBytes(failed.bytes, unit) + " (" + counted(failed.bytes, "byte") +
                           ") at event " + formatCount(failed.event) + " in " + failed.place +
                           (failed.names.empty() ? ", the size of no tensor that the plan knows."
                                                 : ", as large as:")));
    RowTable table({}, {{"tensor", "Tensor"}, {"formula", "Formula"}});
    for (const SizeName &name : failed.names)
        table.add({name.text, name.formula});
    addTable(report, std::move(table).table(), unit);
}

} // namespace

void addPlansComparison(Report &report, std::span<const PlanSubject> plans, ByteUnit unit)
{
    addHeading(report, 1, "The plans side by side");
    const bool two = plans.size() == 2 && plans[0].estimate.computed && plans[1].estimate.computed;
    std::vector<PlanToChoose> toChoose;
    for (const PlanSubject &plan : plans)
        toChoose.push_back({&plan.plan, &plan.estimate});
    addAnswer(report, decisionText(plans, toChoose, unit), Tone::Plain);
    if (two)
        addParagraph(report, moreOrLess(wrappingDifference(plans[1].estimate.peakDevice,
                                                           plans[0].estimate.peakDevice),
                                        letterName(0), letterName(1), unit) +
                                 '.');
    addPlansTable(report, plans, unit);
    addCosts(report, toChoose, unit);
    addFigure(report, "plans", 0, "Where the memory of each plan goes at its peak");
    addDifferingSettings(report, plans, unit);
    if (!two)
        return;
    const EstimatedPlan a{plans[0].file, plans[0].plan, plans[0].estimate};
    const EstimatedPlan b{plans[1].file, plans[1].plan, plans[1].estimate};
    addFigure(report, "waterfall", 0, "What leads from A's peak to B's, part by part");
    addTable(report, planDiffLevels(a, b), unit);
    addTable(report, planDiffParts(a, b), unit);
    addTable(report, planDiffMoments(a, b), unit);
}

void addTracesComparison(Report &report, std::span<const ReportedTrace> traces, ByteUnit unit)
{
    addHeading(report, 1, "The recordings side by side");
    for (const ReportedTrace &it : traces)
        addProblems(report, it);
    if (traces.size() == 2)
        addAnswer(report,
                  moreOrLess(wrappingDifference(traces[1].study->summary().peakActive,
                                                traces[0].study->summary().peakActive),
                             printable(traces[0].file), printable(traces[1].file), unit),
                  Tone::Plain);
    using enum DataTable::Kind;
    RowTable table({}, {{"recording", "Recording"},
                        {"active", "Peak active", Size},
                        {"reserved", "Peak reserved", Size},
                        {"events", "Events", Count},
                        {"failure", ""}});
    for (const ReportedTrace &it : traces) {
        const DeviceSummary &summary = it.study->summary();
        table.add(
            {it.file, summary.peakActive,
             summary.isReservedKnown ? DataTable::Cell(summary.peakReserved) : DataTable::Cell(),
             summary.events, it.study->device().outOfMemory.empty() ? "" : "ran out of memory"});
    }
    addTable(report, std::move(table).table(), unit);
    addFigure(report, "traces", 0, "Memory in use of each on one axis");
    if (traces.size() != 2)
        return;
    addParagraph(report,
                 "A is " + printable(traces[0].file) + ", B is " + printable(traces[1].file) + ".");
    const Comparison comparison =
        compareTraces(peakMoment(*traces[0].study), peakMoment(*traces[1].study));
    addTable(report, comparedFigures(comparison), unit);
    const auto largest = largestSize(traces[0].study->trace(), comparison.a.summary,
                                     traces[1].study->trace(), comparison.b.summary);
    if (largest)
        addParagraph(report, largestSizeText(largest, unit));
    addSites(report, comparison, traces[0].study->trace(), traces[1].study->trace(), unit);
}

void addReconciliation(Report &report, const Reconciliation &it, const PlanSubject &plan,
                       const ReportedTrace &trace, ByteUnit unit)
{
    addHeading(report, 1, planTitle(plan) + " against " + printable(trace.file));
    addProblems(report, trace);
    if (it.moments.empty()) {
        addAnswer(report, "They could not be compared", Tone::Plain);
        for (const std::string &remark : it.remarks)
            addParagraph(report, printable(remark), Tone::Note);
        return;
    }
    addAnswer(report, reconcileVerdict(it, unit), Tone::Plain);
    addParagraph(report, printable("Of the recording: " + it.step + ". " + it.whyThisStep));
    for (const std::string &remark : it.remarks)
        addParagraph(report, printable(remark), Tone::Note);
    if (it.failed)
        addFailed(report, *it.failed, unit);
    const std::string at = momentPhrase(it.comparedMoment().name);
    addTable(report, "From predicted to recorded, " + at, reconcileWay(it, unit), unit);
    if (it.comparedMoment().found)
        addFigure(report, "reconciled", trace.number,
                  "What leads from the prediction to the recording, " + at);
    addTable(report, "The moments of the step", matchedMomentsTable(it), unit);
    addTable(report, "The parts " + at, matchedPartsTable(it.comparedMoment()), unit);
    addTable(report, "What is unexplained, by part", candidatesTable(it, Reason::Kind::Part), unit);
    addTable(report, "Other settings that alone would bring the plan closer, all moments summed",
             candidatesTable(it, Reason::Kind::Setting), unit);
    addTable(report, "The levels of both",
             pickedColumns(levelPairsTable(it.levels), {"name", "predicted", "recorded", "how"}),
             unit);
    addTable(
        report, "Constants that the recording determines",
        pickedColumns(calibrationsTable(it.calibrations), {"field", "planned", "recorded", "how"}),
        unit);
}

} // namespace vramscope
