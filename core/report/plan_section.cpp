// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/plan_section.h"

#include "core/estimate/verdict.h"
#include "core/print/fit_report.h"
#include "core/print/plan_report.h"
#include "core/report/plan_settings.h"
#include "core/report/tables.h"
#include "core/solver/ways_to_fit.h"

#include <algorithm>
#include <set>

namespace vramscope {

namespace {

Tone answerTone(const Estimate &estimate)
{
    const std::optional<Verdict> verdict = verdictOf(estimate);
    if (!estimate.computed || verdict == Verdict::DoesNotFit)
        return Tone::Bad;
    return !verdict ? Tone::Plain : *verdict == Verdict::Tight ? Tone::Warning : Tone::Good;
}

void addIssues(Report &report, const Estimate &estimate, bool assumptions)
{
    for (const Issue &issue : estimate.issues) {
        if ((issue.severity == Issue::Severity::Note) == assumptions)
            addParagraph(report, placed(issue),
                         issue.severity == Issue::Severity::Blocking  ? Tone::Bad
                         : issue.severity == Issue::Severity::Warning ? Tone::Warning
                                                                      : Tone::Note);
    }
}

std::string evidenceText(const Component &part)
{
    switch (part.evidence) {
    case Evidence::Verified:
        return "checked against measurements";
    case Evidence::Sourced:
        return "as its source states it";
    case Evidence::Derived:
        return "derived from shapes";
    case Evidence::Empirical:
        break;
    }
    return part.spread > 0 ? "fitted, ± " + formatNumber(100 * part.spread, 2) + " %" : "fitted";
}

/// Every part once, in the order in which the step comes by them.
DataTable formulasTable(const Estimate &estimate)
{
    RowTable table("Formulas", {{"part", "Part"},
                                {"formula", "Formula"},
                                {"result", "Result", DataTable::Kind::Figure},
                                {"source", "Source"},
                                {"evidence", "How sure"}});
    std::set<std::pair<std::string, std::string>> seen;
    const auto add = [&](const Component &part) {
        if (seen.emplace(part.name, part.formula).second)
            table.add({part.name, part.formula, formatCount(part.bytes) + " B", part.source,
                       evidenceText(part)});
    };
    for (const Component &part : estimate.components())
        add(part);
    for (const Moment &moment : estimate.moments) {
        for (const Component &part : moment.components)
            add(part);
    }
    for (const Component &part : estimate.outside)
        add(part);
    return std::move(table).table();
}

/// The cheapest first; whether one is enough is told where there is something to be made fit.
void addWays(Report &report, const PlanSubject &subject, ByteUnit unit)
{
    constexpr std::size_t kMostWays = 10;
    std::vector<WayToFit> ways = waysToFit(subject.plan);
    ways.resize(std::min(ways.size(), kMostWays));
    const bool fits = verdictOf(subject.estimate).value_or(Verdict::Fits) == Verdict::Fits;
    RowTable table(!fits                  ? "Ways to fit"
                   : allGiveToCache(ways) ? "Ways to give the cache room"
                                          : "Ways to use less",
                   {{"change", "Change"},
                    {"saves", "Saves", DataTable::Kind::Size},
                    {"cache", "The cache gains"},
                    {"verdict", "Then"},
                    {"costs", "Costs"}});
    for (const WayToFit &way : ways)
        table.add({way.title, way.saved > 0 ? DataTable::Cell(way.saved) : DataTable::Cell(""),
                   way.cache ? cacheGainText(*way.cache) : "",
                   fits ? "" : verdictWord(way.standing), way.price});
    addTable(report, std::move(table).table(), unit);
}

const char *stepCaption(const Estimate &estimate)
{
    if (estimate.hasRollout())
        return "Memory over one step of reinforcement learning, phase by phase";
    if (estimate.ofSteps())
        return "Memory over one training step, block by block";
    const bool callsPipeline = estimate.settings && estimate.settings->diffusion;
    return callsPipeline ? "Memory over one call of the pipeline"
                         : "Memory as more sequences run at once";
}

void addFigures(Report &report, const PlanSubject &subject, ByteUnit unit)
{
    const Estimate &estimate = subject.estimate;
    addFigure(report, "bars", subject.number,
              "Where the memory of one GPU goes, " + momentPhrase(estimate.peakAt) +
                  ", against its capacity");
    addTable(report, levelsTable(estimate, unit), unit);
    addFigure(report, "step", subject.number, stepCaption(estimate));
    addTable(report, "The parts " + momentPhrase(estimate.peakAt),
             pickedColumns(componentsTable(estimate), {"category", "part", "size", "share"}), unit);
    if (estimate.hasRollout())
        addTable(report, phasesTable(estimate), unit);
    addTable(report, momentsTable(estimate), unit);
    addTable(report, stagesTable(estimate), unit);
    if (estimate.inference)
        addTable(report, inferenceTable(estimate, unit), unit);
    addWays(report, subject, unit);
}

} // namespace

std::string planTitle(const PlanSubject &subject)
{
    return printable(subject.plan.name && !subject.plan.name->empty() ? *subject.plan.name
                                                                      : subject.file);
}

void addPlanSection(Report &report, const PlanSubject &subject, ByteUnit unit)
{
    const Estimate &estimate = subject.estimate;
    addHeading(report, 1, planTitle(subject));
    addAnswer(report, answerLine(subject.plan, estimate, unit), answerTone(estimate));
    if (estimate.computed)
        addParagraph(report, "The device level is likely between " +
                                 formatBytes(estimate.uncertaintyLow, unit) + " and " +
                                 formatBytes(estimate.uncertaintyHigh, unit) + ". " +
                                 rangeSourceText(estimate) +
                                 " All figures are of one GPU, the fullest.");
    addIssues(report, estimate, false);
    if (estimate.parametersTotal > 0)
        addParagraph(report, parametersText(estimate));
    if (estimate.computed)
        addFigures(report, subject, unit);
    addHeading(report, 2, "Assumptions");
    addIssues(report, estimate, true);
    addPairs(report, settingsTable(subject.plan, *estimate.settings, true, unit), unit);
    addHeading(report, 3, "Left to their defaults");
    addPairs(report, settingsTable(subject.plan, *estimate.settings, false, unit), unit);
    if (estimate.computed)
        addTable(report, formulasTable(estimate), unit);
    addHeading(report, 2, "The plan");
    report.plans.push_back(subject.plan);
    report.blocks.emplace_back(PlanDocument{report.plans.size()});
}

} // namespace vramscope
