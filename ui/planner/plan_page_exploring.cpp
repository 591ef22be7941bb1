// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/planner/breakdown_panel.h"
#include "ui/planner/plan_page.h"
#include "ui/planner/ways_list.h"
#include "ui/support/text.h"

// What explores a plan: ways to fit, a sweep of one field, layouts. Each says which plan it leads
// to, and the page goes there in one step of its history.

namespace vramscope {

void PlanPage::wireExploring()
{
    m_ways = new WaysList;
    m_panel->addSection(m_ways);
    connect(m_ways, &WaysList::wayChosen, this, [this](const WayToFit &way) {
        replacePlan(withFields(m_plan, way.fields), toQString(way.title));
    });
}

void PlanPage::refreshExploring()
{
    m_ways->showPlan(m_plan, m_estimate, m_unit);
}

} // namespace vramscope
