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
void addCosts(Report &report, std::span<const PlanToChoose> plans)
{
    const std::vector<CostFigure> figures = costFigures(plans);
    std::vector<std::string> headings{""};
    std::vector<Align> columns{Align::Left};
    for (const CostFigure &figure : figures) {
        headings.push_back(figure.name);
        columns.push_back(Align::Right);
    }
    TextTable table(columns);
    for (std::size_t at = 0; !figures.empty() && at < plans.size(); ++at) {
        std::vector<std::string> row{letterName(at)};
        for (const CostFigure &figure : figures)
            row.push_back(figure.values[at]);
        table.addRow(std::move(row));
    }
    addTable(report, "What they cost", headings, table);
}

void addPlansTable(Report &report, std::span<const PlanSubject> plans, ByteUnit unit)
{
    TextTable table({Align::Left, Align::Left, Align::Left, Align::Right, Align::Right,
                     Align::Right, Align::Right});
    for (std::size_t at = 0; at < plans.size(); ++at) {
        const PlanSubject &plan = plans[at];
        const Estimate &it = plan.estimate;
        const auto size = [&](Bytes bytes) {
            return it.computed ? formatBytes(bytes, unit) : std::string("-");
        };
        const std::optional<Verdict> verdict = verdictOf(it);
        table.addRow({letterName(at), jobWithName(plan.plan, *it.settings, planTitle(plan)),
                      verdict ? std::string(verdictWord(*verdict)) : "-", size(it.peakAllocated),
                      size(it.peakReserved), size(it.peakDevice),
                      it.headroom ? formatChange(*it.headroom, unit) : "-"});
    }
    addTable(report, {}, {"", "plan", "", "allocated", "reserved", "device", "to spare"}, table);
}

void addDifferingSettings(Report &report, std::span<const PlanSubject> plans, ByteUnit unit)
{
    constexpr std::size_t kMostColumns = 6; // more are not read beside each other
    if (plans.size() > kMostColumns)
        return;
    std::vector<std::string> headings{"setting"};
    for (std::size_t at = 0; at < plans.size(); ++at)
        headings.push_back(letterName(at));
    addTable(report, "The settings that differ", headings, differingSettings(plans, unit));
}

void addSites(Report &report, const Comparison &comparison, const Trace &a, const Trace &b,
              ByteUnit unit)
{
    FrameOrigins originsA(a);
    FrameOrigins originsB(b);
    TextTable table({Align::Right, Align::Right, Align::Right, Align::Left});
    for (const ComparedSite &site : comparison.sites) {
        if (table.rows().size() == kMostSites || site.delta() == 0)
            break; // the largest difference comes first
        table.addRow({site.countA > 0 ? formatBytes(site.bytesA, unit) : "-",
                      site.countB > 0 ? formatBytes(site.bytesB, unit) : "-",
                      formatChange(site.delta(), unit),
                      site.countB > 0 ? stackCell(b, site.stackB, originsB, kPlace)
                                      : stackCell(a, site.stackA, originsA, kPlace)});
    }
    addTable(report, "Places that differ most at the peaks", {"A", "B", "B - A", "allocated in"},
             table);
    TextTable settings({Align::Left, Align::Left, Align::Left});
    for (const SettingDifference &difference : comparison.settings)
        settings.addRow({difference.name, difference.a.value_or("-"), difference.b.value_or("-")});
    addTable(report, "Settings that differ", {"setting", "A", "B"}, settings);
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
    TextTable table({Align::Left, Align::Left});
    for (const SizeName &name : failed.names)
        table.addRow({name.text, name.formula});
    addTable(report, {}, {"tensor", "formula"}, table);
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
    addCosts(report, toChoose);
    addFigure(report, "plans", 0, "Where the memory of each plan goes at its peak");
    addDifferingSettings(report, plans, unit);
    if (!two)
        return;
    const EstimatedPlan a{plans[0].file, plans[0].plan, plans[0].estimate};
    const EstimatedPlan b{plans[1].file, plans[1].plan, plans[1].estimate};
    addFigure(report, "waterfall", 0, "What leads from A's peak to B's, part by part");
    addHeadedTable(report, "The levels of both", planDiffLevels(a, b, unit));
    addHeadedTable(report, "The parts at the peak of each", planDiffParts(a, b, unit));
    addHeadedTable(report, "Allocated over the step", planDiffMoments(a, b, unit));
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
    TextTable table({Align::Left, Align::Right, Align::Right, Align::Right, Align::Left});
    for (const ReportedTrace &it : traces)
        table.addRow({it.file, formatBytes(it.study->summary().peakActive, unit),
                      formatKnown(it.study->summary().peakReserved,
                                  it.study->summary().isReservedKnown, unit),
                      formatCount(it.study->summary().events),
                      it.study->device().outOfMemory.empty() ? "" : "ran out of memory"});
    addTable(report, {}, {"recording", "peak active", "peak reserved", "events", ""}, table);
    addFigure(report, "traces", 0, "Memory in use of each on one axis");
    if (traces.size() != 2)
        return;
    addParagraph(report,
                 "A is " + printable(traces[0].file) + ", B is " + printable(traces[1].file) + ".");
    const Comparison comparison =
        compareTraces(peakMoment(*traces[0].study), peakMoment(*traces[1].study));
    addHeadedTable(report, "The figures of both", comparedFigures(comparison, unit));
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
    addTable(report, "From predicted to recorded, " + at, {"size", ""}, reconcileWay(it, unit));
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
