// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/planner/allocator_view.h"
#include "ui/planner/breakdown_panel.h"
#include "ui/planner/layouts_view.h"
#include "ui/planner/lower_card.h"
#include "ui/planner/plan_cards.h"
#include "ui/planner/plan_page.h"
#include "ui/planner/recommendation_view.h"
#include "ui/planner/sweep_view.h"
#include "ui/planner/ways_list.h"
#include "ui/projection/projection_view.h"
#include "ui/support/text.h"

// What explores a plan: what is recommended, ways to fit, a sweep of one field, layouts, other
// numbers of GPUs and strategies, settings of the allocator. Most of them say which plan they lead
// to, and the page goes there in one step of its history.

namespace vramscope {

using namespace Qt::StringLiterals;

void PlanPage::wireExploring()
{
    m_ways = new WaysList;
    m_panel->addSection(m_ways);
    connect(m_ways, &WaysList::wayChosen, this, [this](const WayToFit &way) {
        replacePlan(withFields(m_plan, way.fields), toQString(way.title));
    });
    connect(m_recommendation, &RecommendationView::optionChosen, this,
            [this](const Combination &option) {
                replacePlan(withFields(m_plan, option.fields), toQString(combinedTitle(option)));
            });
    m_sweep = new SweepView;
    m_cards->lower()->addPage(u"Sweep"_s, m_sweep);
    connect(m_sweep, &SweepView::valueChosen, this,
            [this](const Field &field, const FieldValue &value) {
                ++m_gesture;              // a step of its own
                (void)edit(field, value); // what cannot be put there has a column that says so
                ++m_gesture;
            });
    m_layouts = new LayoutsView;
    m_cards->lower()->addPage(u"Layouts"_s, m_layouts);
    connect(m_layouts, &LayoutsView::planWanted, this, &PlanPage::replacePlan);
    m_projection = new ProjectionView;
    m_cards->lower()->addPage(u"Scale"_s, m_projection);
    connect(m_projection, &ProjectionView::planWanted, this, &PlanPage::replacePlan);
    m_allocator = new AllocatorView;
    m_cards->lower()->addPage(u"Allocator"_s, m_allocator);
}

void PlanPage::refreshExploring()
{
    m_recommendation->showPlan(m_plan, m_estimate, unit());
    m_ways->showPlan(m_plan, m_estimate, unit());
    m_sweep->showPlan(m_plan, m_estimate, unit());
    m_layouts->showPlan(m_plan, m_estimate, unit());
    m_projection->showPlan(m_plan, m_estimate, unit());
    m_allocator->showPlan(m_plan, m_estimate, unit());
}

void PlanPage::workNow()
{
    m_recommendation->workNow();
    if (m_cards->lower()->currentPage() == m_allocator)
        m_allocator->workNow();
    if (m_cards->lower()->currentPage() == m_projection)
        m_projection->workNow();
}

} // namespace vramscope
