// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/plan_section.h"

#include "core/estimate/verdict.h"
#include "core/print/fit_report.h"
#include "core/print/plan_report.h"
#include "core/print/plan_tables.h"
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
TextTable formulasTable(const Estimate &estimate)
{
    TextTable table({Align::Left, Align::Left, Align::Right, Align::Left, Align::Left});
    std::set<std::pair<std::string, std::string>> seen;
    const auto add = [&](const Component &part) {
        if (seen.emplace(part.name, part.formula).second)
            table.addRow({part.name, part.formula, formatCount(part.bytes) + " B", part.source,
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
    return table;
}

/// The cheapest first; whether one is enough is told where there is something to be made fit.
void addWays(Report &report, const PlanSubject &subject, ByteUnit unit)
{
    constexpr std::size_t kMostWays = 10;
    std::vector<WayToFit> ways = waysToFit(subject.plan);
    ways.resize(std::min(ways.size(), kMostWays));
    const bool fits = verdictOf(subject.estimate).value_or(Verdict::Fits) == Verdict::Fits;
    const bool pooled = anyChangesCache(ways);
    std::vector<Align> columns = {Align::Left, Align::Right};
    std::vector<std::string> head = {"change", "saves"};
    const auto addColumn = [&](bool shown, const char *title) {
        if (!shown)
            return;
        head.emplace_back(title);
        columns.push_back(Align::Left);
    };
    addColumn(pooled, "the cache gains");
    addColumn(!fits, "then");
    addColumn(true, "costs");
    TextTable table(columns);
    for (const WayToFit &way : ways) {
        std::vector<std::string> row = {way.title,
                                        way.saved > 0 ? formatBytes(way.saved, unit) : ""};
        if (pooled)
            row.push_back(way.cache ? cacheGainText(*way.cache) : "");
        if (!fits)
            row.emplace_back(verdictWord(way.standing.verdict));
        row.push_back(way.price);
        table.addRow(std::move(row));
    }
    const char *title = !fits                  ? "Ways to fit"
                        : allGiveToCache(ways) ? "Ways to give the cache room"
                                               : "Ways to use less";
    addTable(report, title, head, table);
}

/// The parts with their shares; what they are computed by stands among the formulas.
TextTable partsTable(const Estimate &estimate, ByteUnit unit)
{
    TextTable table({Align::Left, Align::Left, Align::Right, Align::Right});
    const TextTable whole = componentsTable(estimate, unit);
    for (const auto &row : whole.rows())
        table.addRow({row.begin(), row.begin() + std::ssize(table.columns())});
    return table;
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
    addTable(report, "The levels", {"", "size", ""}, levelsTable(estimate, unit));
    addFigure(report, "step", subject.number, stepCaption(estimate));
    addTable(report, "The parts " + momentPhrase(estimate.peakAt),
             {"category", "part", "size", "share"}, partsTable(estimate, unit));
    if (estimate.hasRollout())
        addTable(report, "The phases at their highest",
                 {"phase", "trainer", "engine", "on the device", ""}, phasesTable(estimate, unit));
    addTable(report, estimate.ofSteps() ? "The moments of a step" : "The moments",
             {"moment", "allocated", ""}, momentsTable(estimate, unit));
    addTable(report, "The stages of the pipeline", {"", "peak", ""}, stagesTable(estimate, unit));
    if (estimate.inference)
        addTable(report, estimate.hasRollout() ? "Generating" : "Serving", {"", "", ""},
                 inferenceTable(estimate, unit));
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
                                 formatBytes(estimate.uncertaintyHigh, unit) +
                                 ". All figures are of one GPU, the fullest.");
    addIssues(report, estimate, false);
    if (estimate.parametersTotal > 0)
        addParagraph(report, parametersText(estimate));
    if (estimate.computed)
        addFigures(report, subject, unit);
    addHeading(report, 2, "Assumptions");
    addIssues(report, estimate, true);
    addPairs(report, settingsTable(subject.plan, *estimate.settings, true, unit));
    addHeading(report, 3, "Left to their defaults");
    addPairs(report, settingsTable(subject.plan, *estimate.settings, false, unit));
    if (estimate.computed)
        addTable(report, "Formulas", {"part", "formula", "result", "source", "how sure"},
                 formulasTable(estimate));
    addHeading(report, 2, "The plan");
    report.plans.push_back(subject.plan);
    report.blocks.emplace_back(PlanDocument{report.plans.size()});
}

} // namespace vramscope
