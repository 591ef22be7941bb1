// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/document_tab.h"

#include <utility>

// A tab that compares the plan of another tab with a recording or a log.

namespace vramscope {

using namespace Qt::StringLiterals;

void DocumentTab::hold(DocumentTab *plan, ComparedTrace recording)
{
    m_holds = true;
    m_compared = {std::move(recording)};
    follow(plan);
    read();
}

void DocumentTab::follow(DocumentTab *plan)
{
    if (m_plan)
        disconnect(m_plan, nullptr, this, nullptr);
    m_follows = true;
    m_plan = plan;
    m_planTitle = plan->title();
    connect(plan, &DocumentTab::changed, this, [this] {
        const QString before = std::exchange(m_planTitle, m_plan->title());
        followPlan();
        if (before != m_planTitle)
            Q_EMIT changed();
    });
    connect(plan, &DocumentTab::closed, this, [this] {
        m_plan.clear();
        followPlan();
    });
    followPlan();
}

void DocumentTab::followPlan()
{
    const bool takes = m_follows && m_page && (m_holds || m_page->takesPlan());
    PlansBeside *beside = takes ? m_page->plansBeside() : nullptr;
    if (!beside)
        return;
    const DocumentPage *page = m_plan ? m_plan->page() : nullptr;
    const QString &title = m_planTitle;
    if (!m_plan)
        beside->setPlanMissing(u"The plan was closed; these are its last figures. Open it and "
                               "compare it again to change it."_s);
    else if (m_plan->state() == State::Loading)
        beside->setPlanMissing(u"The plan is being read."_s);
    else if (m_plan->state() == State::Failed)
        beside->setPlanMissing(u"%1 cannot be read; its tab says why."_s.arg(title));
    else if (!page->plan())
        beside->setPlanMissing(u"%1 is no plan. Open a plan and compare that."_s.arg(title));
    else
        beside->addPlan({*page->plan(), title});
}

} // namespace vramscope
