// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/planner/plan_items.h"

#include "core/print/plan_report.h"
#include "ui/charts/stacked_bar_chart.h"
#include "ui/charts/step_chart.h"
#include "ui/charts/waterfall.h"
#include "ui/planner/plan_bars.h"
#include "ui/planner/plan_slides.h"
#include "ui/planner/step_curves.h"
#include "ui/stage/levels_picture.h"
#include "ui/stage/stage_views.h"
#include "ui/support/signed_text.h"
#include "ui/support/text.h"

#include <algorithm>
#include <numeric>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

using SharedPlan = std::shared_ptr<const StagedPlan>;

PartBytes allocatedParts(const Estimate &estimate)
{
    PartBytes parts = partBytes(estimate, estimate.peakMoment);
    parts[kOutsidePart] = 0;
    return parts;
}

QString planAnswer(const Plan &plan, const Estimate &estimate, ByteUnit unit)
{
    return estimate.computed ? toQString(answerLine(plan, estimate, unit))
                             : u"Not computed. "_s + toQString(whyNotComputed(estimate));
}

StageScene answerScene(const StagedPlan &of)
{
    const Estimate &estimate = of.estimate;
    const QString headline = planAnswer(of.plan, estimate, of.unit);
    const QString question = planQuestion(of.plan, estimate);
    if (!estimate.computed)
        return {headline, nullptr, {}, {}, question};
    LevelBars levels;
    levels.rows = {
        {u"allocated"_s, estimate.peakAllocated, 0, 0},
        {u"reserved"_s, estimate.peakReserved, estimate.reservedLow, estimate.reservedHigh},
        {estimate.inOneMemory() ? u"of the shared memory"_s : u"on the device"_s,
         estimate.peakDevice, estimate.uncertaintyLow, estimate.uncertaintyHigh}};
    levels.limit = estimate.capacity;
    for (const Issue &issue : estimate.issues) {
        if (issue.severity != Issue::Severity::Note)
            levels.remarks += toQString(issue.text);
    }
    return {headline, std::make_shared<LevelsPicture>(levels, of.unit), verdictOf(estimate),
            planFacts(of.plan, estimate, of.unit), question};
}

StageScene whereScene(const StagedPlan &of)
{
    const PartBytes parts = allocatedParts(of.estimate);
    const auto largest = std::ranges::max_element(parts);
    return {u"%1 take most: %2 of %3 allocated."_s.arg(
                partName(static_cast<std::size_t>(largest - parts.begin())),
                bytesText(*largest, of.unit),
                bytesText(std::accumulate(parts.begin(), parts.end(), Bytes(0)), of.unit)),
            partsView(parts, of.unit),
            {},
            {},
            u"Why does it take so much?"_s};
}

StageScene scenarioScene(const StagedPlan &of, const Scenario &scenario)
{
    const std::array bars{NamedEstimate{u"This plan"_s, &of.estimate},
                          NamedEstimate{scenario.title(), &scenario.estimate}};
    auto chart = std::make_shared<StackedBarChart>(Qt::Horizontal);
    chart->setUnit(of.unit);
    chart->setLegendVisible(true);
    chart->setContent(scenarioBars(bars));
    return {
        u"%1: %2"_s.arg(scenario.title(), planAnswer(scenario.plan, scenario.estimate, of.unit)),
        chart};
}

StageScene wayScene(const PlanSide &from, const PlanSide &to, ByteUnit unit)
{
    const PartBytes before = allocatedParts(*from.estimate);
    const PartBytes after = allocatedParts(*to.estimate);
    const auto chart = waterfallView(waterfall(sideHead(from), before, sideHead(to), after),
                                     u"not computed"_s, unit);
    std::size_t most = 0;
    for (std::size_t part = 0; part < kPartCount; ++part) {
        if (std::abs(after[part] - before[part]) > std::abs(after[most] - before[most]))
            most = part;
    }
    const Bytes change = to.estimate->peakAllocated - from.estimate->peakAllocated;
    const QString headline = u"From %1 to %2: %3 allocated"_s.arg(
        from.shortName, to.shortName,
        change == 0 ? u"no difference"_s : signedBytesText(change, unit));
    return {change == 0 ? headline + u'.'
                        : headline + u", most of all %1."_s.arg(partName(most).toLower()),
            chart};
}

/// The phases of a pipeline beside each other.
StageScene phasesScene(const StagedPlan &of)
{
    auto chart = std::make_shared<StackedBarChart>(Qt::Vertical);
    chart->setUnit(of.unit);
    chart->setContent(momentBars(of.estimate));
    return {pipelineTitle(of.estimate) + u": highest "_s +
                toQString(momentPhrase(of.estimate.peakAt)) +
                u", %1 allocated."_s.arg(bytesText(of.estimate.peakAllocated, of.unit)),
            chart};
}

StageScene stepScene(const StagedPlan &of)
{
    if (runsPipeline(of.estimate))
        return phasesScene(of);
    const bool serving = of.plan.workload == Workload::Inference;
    const StepCurve curve = serving
                                ? cacheCurve(of.plan, of.estimate)
                                : stepCurve(lifecycle(of.estimate), of.estimate, StepKind::Steady);
    auto chart = std::make_shared<StepChart>();
    chart->setUnit(of.unit);
    chart->setCurve(curve);
    QString headline = serving ? u"The cache as it fills"_s : stepTitle(of.estimate);
    if (curve.marked && !curve.markText.isEmpty()) {
        const StepColumn &column = curve.columns[static_cast<std::size_t>(*curve.marked)];
        headline += u": "_s + curve.markText.arg(bytesText(column.total(), of.unit));
    }
    return {headline + u'.', chart};
}

StageScene momentScene(const StagedPlan &of, std::size_t moment)
{
    PartBytes parts = partBytes(of.estimate, moment);
    parts[kOutsidePart] = 0;
    const Bytes total = std::accumulate(parts.begin(), parts.end(), Bytes(0));
    QString name = toQString(of.estimate.moments[moment].name);
    name[0] = name[0].toUpper();
    return {u"%1: %2 allocated."_s.arg(name, bytesText(total, of.unit)), partsView(parts, of.unit)};
}

void addScenarios(std::vector<StageItem> &items, const SharedPlan &of)
{
    for (const Scenario &scenario : of->scenarios) {
        if (scenario.plan == of->plan)
            continue; // it is what the other items show
        items.push_back({u"scenario:%1"_s.arg(scenario.letter).toStdString(),
                         u"Scenario %1"_s.arg(scenario.title()),
                         {},
                         false,
                         [of, &scenario] { return onCard(scenarioScene(*of, scenario)); }});
    }
    const std::vector<PlanSide> sides = planSides(*of);
    for (std::size_t at = 1; at < sides.size(); ++at) {
        const PlanSide &from = sides[at - 1];
        const PlanSide &to = sides[at];
        items.push_back({u"versus:%1:%2"_s.arg(from.key, to.key).toStdString(),
                         u"%1 or %2"_s.arg(from.name, to.name),
                         {},
                         true,
                         [of, from, to] { return onCard(versusScene(from, to, of->unit)); }});
        items.push_back({u"way:%1:%2"_s.arg(from.key, to.key).toStdString(),
                         u"From %1 to %2"_s.arg(from.name, to.name),
                         {},
                         true,
                         [of, from, to] { return onCard(wayScene(from, to, of->unit)); }});
    }
}

} // namespace

std::vector<StageItem> planItems(StagedPlan plan)
{
    const auto of = std::make_shared<const StagedPlan>(std::move(plan));
    std::vector<StageItem> items;
    const auto add = [&](std::string key, const QString &title,
                         StageScene (*scene)(const StagedPlan &), bool shown = true) {
        items.push_back(
            {std::move(key), title, {}, shown, [of, scene] { return onCard(scene(*of)); }});
    };
    add("answer", u"The answer"_s, answerScene);
    if (!of->estimate.computed)
        return items;
    add("where", u"Where it goes"_s, whereScene);
    addScenarios(items, of);
    add("step",
        runsPipeline(of->estimate)                 ? pipelineTitle(of->estimate)
        : of->plan.workload == Workload::Inference ? u"The cache as it fills"_s
                                                   : u"One step"_s,
        stepScene, false);
    for (std::size_t moment = 0; moment < of->estimate.moments.size(); ++moment) {
        const std::string &name = of->estimate.moments[moment].name;
        items.push_back(
            {"moment:" + name, u"Moment: %1"_s.arg(toQString(name)), {}, false, [of, moment] {
                 return onCard(momentScene(*of, moment));
             }});
    }
    if (of->estimate.capacity) {
        add("options", u"The options"_s, optionsScene);
        add("recommendation", u"Recommendation and next step"_s, recommendationScene);
    }
    return items;
}

} // namespace vramscope
