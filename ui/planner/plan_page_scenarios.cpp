// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/stacked_bar_chart.h"
#include "ui/planner/allocator_view.h"
#include "ui/planner/layouts_view.h"
#include "ui/planner/lower_card.h"
#include "ui/planner/plan_cards.h"
#include "ui/planner/plan_page.h"
#include "ui/planner/plan_view.h"
#include "ui/planner/plans_compare_view.h"
#include "ui/planner/scenario_bar.h"
#include "ui/planner/scenario_list.h"
#include "ui/planner/stage_estimates.h"
#include "ui/planner/step_page.h"
#include "ui/planner/sweep_view.h"
#include "ui/projection/projection_view.h"

// The plans that stand beside the one of the page: pinned scenarios, the baseline, and the other
// stages of a pipeline.

namespace vramscope {

using namespace Qt::StringLiterals;

void PlanPage::wireScenarios()
{
    m_scenarios = new ScenarioList(this);
    m_scenarioBar = new ScenarioBar;
    m_scenarioBar->setList(m_scenarios);
    m_cards->addToHead(m_scenarioBar);
    m_compare = new PlansCompareView([this] { return comparablePlans(); });
    m_cards->lower()->addPage(u"Compare"_s, m_compare);
    connect(m_scenarioBar, &ScenarioBar::pinWanted, this, &PlanPage::pinScenario);
    connect(m_scenarioBar, &ScenarioBar::bringBackWanted, this, &PlanPage::bringBack);
    connect(m_scenarios, &ScenarioList::changed, this, &PlanPage::refresh);
    connect(m_scenarios, &ScenarioList::changed, this, &PlanPage::statusChanged);
    connect(m_compare, &PlansCompareView::partClicked, this, [this](std::size_t part) {
        selectPart({part, {}});
    });
}

void PlanPage::pinScenario()
{
    if (const std::optional<std::size_t> pinned = m_scenarios->find(m_plan))
        m_scenarioBar->showPinned(*pinned);
    else
        m_scenarios->pin(m_plan, m_estimate);
}

void PlanPage::pinPlan(const Plan &plan, const QString &name)
{
    m_scenarios->pin(plan, vramscope::estimate(plan), name);
    if (!m_scenarios->baseline())
        m_scenarios->setBaseline(m_scenarios->find(plan));
}

void PlanPage::showPlanView(PlanView view)
{
    const auto page = [&]() -> QWidget * {
        switch (view) {
        case PlanView::Step:
            return m_cards->step();
        case PlanView::Sweep:
            return m_sweep;
        case PlanView::Layouts:
            return m_layouts;
        case PlanView::Scale:
        case PlanView::Strategy:
            m_projection->ask(view == PlanView::Scale ? ProjectionView::Question::Scale
                                                      : ProjectionView::Question::Strategy);
            return m_projection;
        case PlanView::Allocator:
            return m_allocator;
        case PlanView::Compare:
            return m_compare;
        }
        return nullptr;
    };
    m_cards->lower()->setCurrentPage(page());
}

void PlanPage::bringBack(std::size_t index)
{
    const Scenario &scenario = m_scenarios->all()[index];
    const Plan plan = scenario.plan;
    replacePlan(plan, u"scenario %1"_s.arg(scenario.letter));
}

std::vector<ComparablePlan> PlanPage::comparablePlans() const
{
    const ComparablePlan opened{u"opened"_s, u"As opened"_s, &m_scenarios->opened(),
                                &m_scenarios->openedEstimate()};
    std::vector<ComparablePlan> plans{opened};
    for (const Scenario &scenario : m_scenarios->all())
        plans.push_back({scenario.letter, scenario.title(), &scenario.plan, &scenario.estimate});
    if (const std::optional<std::size_t> baseline = m_scenarios->baseline())
        std::swap(plans.front(), plans[*baseline + 1]);
    plans.push_back({u"this"_s, u"This plan"_s, &m_plan, &m_estimate});
    return plans;
}

void PlanPage::refreshCharts()
{
    std::vector<NamedEstimate> bars{{u"This plan"_s, &m_estimate}};
    const std::vector<StageEstimate> stages = stageEstimates(m_plan, m_estimate);
    for (const StageEstimate &stage : stages)
        bars.push_back({stage.name, &stage.estimate});
    if (!m_scenarios->baseline() && m_plan != m_scenarios->opened())
        bars.push_back({u"As opened"_s, &m_scenarios->openedEstimate()});
    for (const Scenario &scenario : m_scenarios->all())
        bars.push_back({scenario.title(), &scenario.estimate});
    m_cards->showPlan(m_plan, bars, unit());
    m_compare->plansChanged(unit());
    showSelectedMoment();
}

} // namespace vramscope
