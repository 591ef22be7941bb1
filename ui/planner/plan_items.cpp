// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/planner/plan_items.h"

#include "core/print/plan_report.h"
#include "ui/charts/stacked_bar_chart.h"
#include "ui/charts/step_chart.h"
#include "ui/charts/waterfall.h"
#include "ui/planner/plan_bars.h"
#include "ui/planner/plan_decision.h"
#include "ui/planner/plan_slides.h"
#include "ui/planner/step_curves.h"
#include "ui/stage/stage_views.h"
#include "ui/support/text.h"

#include <algorithm>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

using SharedPlan = std::shared_ptr<const StagedPlan>;

StageScene scenarioScene(const StagedPlan &of, const Scenario &scenario)
{
    const std::array bars{NamedEstimate{u"This plan"_s, &of.estimate},
                          NamedEstimate{scenario.title(), &scenario.estimate}};
    auto chart = std::make_shared<StackedBarChart>(Qt::Horizontal);
    chart->setUnit(of.unit);
    chart->setLegendVisible(true);
    chart->setContent(scenarioBars(bars));
    return {u"%1: %2"_s.arg(scenario.title(),
                            toQString(scenario.estimate.computed
                                          ? answerLine(scenario.plan, scenario.estimate, of.unit)
                                          : whyNotComputed(scenario.estimate))),
            chart};
}

StageScene wayScene(const PlanSide &from, const PlanSide &to, ByteUnit unit)
{
    const PartBytes before = allocatedParts(*from.estimate, from.estimate->peakMoment);
    const PartBytes after = allocatedParts(*to.estimate, to.estimate->peakMoment);
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
    StageScene scene{pipelineTitle(of.estimate) + u": highest "_s +
                         toQString(momentPhrase(of.estimate.peakAt)) +
                         u", %1 allocated"_s.arg(bytesText(of.estimate.peakAllocated, of.unit)),
                     chart};
    scene.kicker = u"Allocated on each GPU, before allocator and driver"_s;
    scene.foot = estimateFoot(of.estimate, of.unit);
    scene.speech = sourcesOf(of.estimate, of.unit);
    return scene;
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
    StageScene scene{serving ? u"The cache as it fills"_s : stepTitle(of.estimate), chart};
    if (curve.marked && !curve.markText.isEmpty()) {
        const StepColumn &column = curve.columns[static_cast<std::size_t>(*curve.marked)];
        scene.headline += u": "_s + curve.markText.arg(bytesText(column.total(), of.unit));
    }
    if (!serving && !curve.columns.empty()) {
        const auto least = std::ranges::min_element(curve.columns, {}, &StepColumn::total);
        scene.headline = u"%1 stay all the time; the peak, %2, comes %3"_s.arg(
            bytesText(least->total(), of.unit), bytesText(of.estimate.peakAllocated, of.unit),
            toQString(momentPhrase(of.estimate.peakAt)));
    }
    scene.kicker = serving
                       ? u"Memory over the sequences that run at once"_s
                       : u"Allocated on each GPU during one step, before allocator and driver"_s;
    scene.foot = estimateFoot(of.estimate, of.unit);
    scene.speech = sourcesOf(of.estimate, of.unit);
    return scene;
}

StageScene momentScene(const StagedPlan &of, std::size_t moment)
{
    const PartBytes parts = allocatedParts(of.estimate, moment);
    const QString name = capitalized(toQString(of.estimate.moments[moment].name));
    return {u"%1: %2 allocated."_s.arg(name, bytesText(totalOf(parts), of.unit)),
            partsView(parts, of.unit)};
}

void addScenarios(std::vector<StageItem> &items, const SharedPlan &of)
{
    for (const Scenario &scenario : of->scenarios) {
        if (scenario.plan == of->plan)
            continue; // it is what the other items show
        items.push_back({u"scenario:%1"_s.arg(scenario.letter).toStdString(),
                         u"Scenario %1"_s.arg(scenario.title()),
                         [of, &scenario] { return onCard(scenarioScene(*of, scenario)); }, false});
    }
    const std::vector<PlanSide> sides = planSides(*of);
    for (std::size_t at = 1; at < sides.size(); ++at) {
        const PlanSide &from = sides[at - 1];
        const PlanSide &to = sides[at];
        items.push_back({u"way:%1:%2"_s.arg(from.key, to.key).toStdString(),
                         u"From %1 to %2"_s.arg(from.name, to.name),
                         [of, from, to] { return onCard(wayScene(from, to, of->unit)); }, false});
    }
}

} // namespace

std::vector<StageItem> planItems(StagedPlan plan)
{
    const auto of = std::make_shared<const StagedPlan>(std::move(plan));
    std::vector<StageItem> items;
    const auto add = [&](std::string key, const QString &title,
                         StageScene (*scene)(const StagedPlan &), bool shown = true) {
        items.push_back({std::move(key), title, [of, scene] { return onCard(scene(*of)); }, shown});
    };
    const std::vector<PlanSide> sides = planSides(*of);
    const bool several = sides.size() > 1;
    const auto fits = [](const PlanSide &side) { return side.estimate->fits.value_or(false); };
    const bool anyFits = std::ranges::any_of(sides, fits);
    if (several && of->estimate.computed) {
        const bool timed = areTimed(*of);
        add("versus", u"Which of them?"_s, versusScene);
        // Where one does not fit, the first slide shows memory.
        add("memories", u"Memory on one scale"_s, memoriesScene,
            timed && std::ranges::all_of(sides, fits));
        if (timed)
            add("costs", u"Cost on one scale"_s, costsScene);
        add("differences", u"What differs"_s, differencesScene);
        add("decision", u"What decides"_s, decisionScene, anyFits);
    }
    add("answer", u"The answer"_s, answerScene, !several || !of->estimate.computed);
    if (!of->estimate.computed)
        return items;
    add("where", u"Where it goes"_s, whereScene, !several);
    addScenarios(items, of);
    add("step",
        runsPipeline(of->estimate)                 ? pipelineTitle(of->estimate)
        : of->plan.workload == Workload::Inference ? u"The cache as it fills"_s
                                                   : u"One step"_s,
        stepScene, !several);
    for (std::size_t moment = 0; moment < of->estimate.moments.size(); ++moment) {
        const std::string &name = of->estimate.moments[moment].name;
        items.push_back({"moment:" + name, u"Moment: %1"_s.arg(toQString(name)),
                         [of, moment] { return onCard(momentScene(*of, moment)); }, false});
    }
    if (of->estimate.capacity) {
        const bool isDecided = several && anyFits; // the decision ends the deck
        add("options", u"The options"_s, optionsScene, !isDecided);
        add("recommendation", u"Recommendation and next step"_s, recommendationScene, !isDecided);
    }
    return items;
}

} // namespace vramscope
