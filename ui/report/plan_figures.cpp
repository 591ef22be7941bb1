// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/report/plan_figures.h"

#include "core/estimate/lifecycle.h"
#include "core/report/tables.h"
#include "ui/charts/stacked_bar_chart.h"
#include "ui/charts/step_chart.h"
#include "ui/charts/waterfall.h"
#include "ui/planner/plan_bars.h"
#include "ui/planner/step_curves.h"
#include "ui/reconcile/reconcile_rows.h"

#include <algorithm>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr int kStepHeight = 320;
constexpr int kRowHeight = 30; // of a waterfall
constexpr int kWaterfallEnds = 20;

Drawing barsDrawing(const StackedBars &bars, ByteUnit unit, int width, const Theme &theme)
{
    StackedBarChart chart(Qt::Horizontal);
    chart.setUnit(unit);
    chart.setContent(bars);
    chart.setLegendVisible(true);
    return widgetDrawing(chart, {width, std::max(chart.heightForWidth(width), 120)}, theme);
}

Drawing waterfallDrawing(const std::vector<WaterfallBar> &bars, ByteUnit unit, int width,
                         const Theme &theme)
{
    WaterfallChart chart;
    chart.setUnit(unit);
    chart.setCutOff(true);
    chart.setBars(bars, u"nothing differs"_s);
    const int rows = static_cast<int>(bars.size());
    return widgetDrawing(chart, {width, kWaterfallEnds + kRowHeight * rows}, theme);
}

StepCurve curveOf(const ReportedPlan &it)
{
    return it.estimate.inference && !it.estimate.ofSteps()
               ? cacheCurve(it.plan, it.estimate)
               : stepCurve(lifecycle(it.estimate), it.estimate, StepKind::Steady);
}

std::vector<NamedEstimate> named(const std::vector<ReportedPlanPointer> &plans)
{
    std::vector<NamedEstimate> estimates;
    estimates.reserve(plans.size());
    for (const ReportedPlanPointer &plan : plans)
        estimates.push_back({plan->title, &plan->estimate});
    return estimates;
}

PartBytes peakParts(const ReportedPlan &it)
{
    return partBytes(it.estimate, it.estimate.peakMoment);
}

} // namespace

std::vector<ReportFigure> planFigures(const ReportedPlanPointer &plan, std::size_t number,
                                      ByteUnit unit)
{
    if (!plan->estimate.computed)
        return {};
    const auto bars = [plan, unit](int width, const Theme &theme) {
        return barsDrawing(scenarioBars(named({plan})), unit, width, theme);
    };
    const auto step = [plan, unit](int width, const Theme &theme) {
        StepChart chart;
        chart.setUnit(unit);
        chart.setCurve(curveOf(*plan));
        return widgetDrawing(chart, {width, kStepHeight}, theme);
    };
    return {{figureId("bars", number), bars}, {figureId("step", number), step}};
}

namespace {

/// A bar each; the capacity only where it is that of all.
StackedBars barsOf(const std::vector<ReportedPlanPointer> &plans)
{
    StackedBars bars = scenarioBars(named(plans));
    const auto other = [&](const ReportedPlanPointer &plan) {
        return plan->estimate.capacity != bars.capacity;
    };
    if (std::ranges::any_of(plans, other))
        bars.capacity.reset();
    return bars;
}

} // namespace

std::vector<ReportFigure> plansFigures(const std::vector<ReportedPlanPointer> &plans, ByteUnit unit)
{
    std::vector<ReportFigure> figures;
    figures.push_back({figureId("plans", 0), [plans, unit](int width, const Theme &theme) {
                           return barsDrawing(barsOf(plans), unit, width, theme);
                       }});
    if (plans.size() != 2 || !plans[0]->estimate.computed || !plans[1]->estimate.computed)
        return figures;
    figures.push_back({figureId("waterfall", 0), [plans, unit](int width, const Theme &theme) {
                           return waterfallDrawing(waterfall(u"A"_s, peakParts(*plans[0]), u"B"_s,
                                                             peakParts(*plans[1])),
                                                   unit, width, theme);
                       }});
    return figures;
}

std::vector<ReportFigure> reconciledFigures(const Reconciliation &it, std::size_t number,
                                            ByteUnit unit)
{
    std::vector<WaterfallBar> bars = reconcileWaterfall(it);
    if (bars.empty())
        return {};
    return {{figureId("reconciled", number),
             [bars = std::move(bars), unit](int width, const Theme &theme) {
                 return waterfallDrawing(bars, unit, width, theme);
             }}};
}

} // namespace vramscope
