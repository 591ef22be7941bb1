// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/format.h"
#include "core/solver/stage_estimates.h"
#include "ui/charts/stacked_bar_chart.h"
#include "ui/planner/allocator_view.h"
#include "ui/planner/layouts_view.h"
#include "ui/planner/lower_card.h"
#include "ui/planner/plan_bars.h"
#include "ui/planner/plan_cards.h"
#include "ui/planner/plan_document.h"
#include "ui/planner/plan_items.h"
#include "ui/planner/plan_page.h"
#include "ui/planner/plan_slides.h"
#include "ui/planner/plan_view.h"
#include "ui/planner/plans_compare_view.h"
#include "ui/planner/scenario_bar.h"
#include "ui/planner/scenario_list.h"
#include "ui/planner/step_page.h"
#include "ui/planner/sweep_view.h"
#include "ui/projection/projection_view.h"
#include "ui/support/text.h"

#include <QComboBox>
#include <QTabBar>
#include <QUndoStack>

#include <array>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

// In what a page keeps.
const QString kView = u"view"_s;
const QString kQuestion = u"question"_s;
const QString kSweepField = u"sweepField"_s;
const QString kSweepFrom = u"sweepFrom"_s;
const QString kSweepTo = u"sweepTo"_s;
const QString kCompareFrom = u"compareFrom"_s;
const QString kCompareTo = u"compareTo"_s;

/// "1 error, 2 notes": what the answer lists.
QString issuesText(const std::vector<Issue> &issues)
{
    struct Counted
    {
        QString one;
        qsizetype count = 0;
    };
    std::array<Counted, 3> kinds{{{u"error"_s}, {u"warning"_s}, {u"note"_s}}};
    for (const Issue &issue : issues)
        ++kinds[issue.severity == Issue::Severity::Note      ? 2
                : issue.severity == Issue::Severity::Warning ? 1
                                                             : 0]
              .count;
    QStringList parts;
    for (const auto &[one, count] : kinds) {
        if (count > 0)
            parts += u"%1 %2%3"_s.arg(count).arg(one, count == 1 ? QString() : u"s"_s);
    }
    return parts.join(u", "_s);
}

/// "baseline: A, 2 settings differ"; nothing where the plan is as it was opened.
QString baselineText(const PlanPage &page)
{
    const ScenarioList &scenarios = *page.scenarios();
    const auto differ =
        differingFields(scenarios.baselinePlan(), *scenarios.baselineEstimate().settings,
                        page.plan(), *page.estimate().settings, page.unit())
            .size();
    if (!scenarios.baseline() && differ == 0)
        return {};
    return u"baseline: %1, %2"_s.arg(scenarios.baseline() ? scenarios.baselineName()
                                                          : u"as opened"_s,
                                     differ == 0   ? u"no setting differs"_s
                                     : differ == 1 ? u"1 setting differs"_s
                                                   : u"%1 settings differ"_s.arg(differ));
}

} // namespace

QString PlanPage::statusText() const
{
    QStringList parts{u"estimate %1"_s.arg(toQString(formatMicroseconds(m_estimateMicroseconds))),
                      baselineText(*this), issuesText(m_estimate.issues)};
    parts.removeAll(QString());
    return parts.join(u"     "_s);
}

DocumentPointer PlanPage::document() const
{
    return planDocument(m_plan);
}

Table PlanPage::table(qsizetype) const
{
    return planTable(*this);
}

std::vector<StageItem> PlanPage::stageItems()
{
    return planItems({m_plan, m_estimate, m_scenarios->all(), unit()});
}

std::vector<ReportSource> PlanPage::reportSources(const QString &file, const QDateTime &date) const
{
    std::vector<ReportSource> sources{{file, document(), 0, date}};
    const StagedPlan staged{m_plan, m_estimate, m_scenarios->all(), unit()};
    for (const PlanSide &side : planSides(staged)) {
        if (*side.plan == staged.plan)
            continue;
        Plan plan = *side.plan;
        // Else all had one.
        plan.name = (side.pinned.isEmpty() ? side.job : side.pinned).toStdString();
        sources.push_back({file, planDocument(std::move(plan))});
    }
    return sources;
}

QVariantMap PlanPage::chosen(const Redaction *) const
{
    const LowerCard &card = *m_cards->lower();
    QVariantMap chosen{{kView, card.tabs()->currentIndex()}};
    if (card.currentPage() == m_sweep && m_sweep->field() && !m_sweep->points().empty()) {
        chosen[kSweepField] = toQString(m_sweep->field()->path);
        chosen[kSweepFrom] = m_sweep->points().front().value;
        chosen[kSweepTo] = m_sweep->points().back().value;
    }
    if (card.currentPage() == m_layouts)
        chosen[kQuestion] = m_layouts->question();
    if (card.currentPage() == m_compare) {
        chosen[kCompareFrom] = m_compare->from()->currentIndex();
        chosen[kCompareTo] = m_compare->to()->currentIndex();
    }
    return chosen;
}

void PlanPage::restore(const QVariantMap &chosen)
{
    if (chosen.contains(kQuestion))
        m_layouts->ask(static_cast<LayoutsView::Question>(chosen[kQuestion].toInt()));
    m_cards->lower()->tabs()->setCurrentIndex(chosen[kView].toInt());
    if (const Field *field = findField(chosen[kSweepField].toString().toStdString())) {
        m_sweep->setField(*field);
        m_sweep->setRange(chosen[kSweepFrom].toDouble(), chosen[kSweepTo].toDouble());
    }
    if (chosen.contains(kCompareFrom)) {
        m_compare->from()->setCurrentIndex(chosen[kCompareFrom].toInt());
        m_compare->to()->setCurrentIndex(chosen[kCompareTo].toInt());
    }
}

const Plan &PlanPage::openedPlan() const
{
    return m_scenarios->opened();
}

void PlanPage::markUnsaved()
{
    m_undo->resetClean();
}

std::vector<NamedPlan> PlanPage::plans() const
{
    std::vector<NamedPlan> plans;
    for (const Scenario &scenario : m_scenarios->all())
        plans.push_back({scenario.plan, scenario.title()});
    return plans;
}

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
        bars.push_back({toQString(stage.name), &stage.estimate});
    if (!m_scenarios->baseline() && m_plan != m_scenarios->opened())
        bars.push_back({u"As opened"_s, &m_scenarios->openedEstimate()});
    for (const Scenario &scenario : m_scenarios->all())
        bars.push_back({scenario.title(), &scenario.estimate});
    m_cards->showPlan(m_plan, bars, unit());
    m_compare->plansChanged(unit());
    showSelectedMoment();
}

} // namespace vramscope
