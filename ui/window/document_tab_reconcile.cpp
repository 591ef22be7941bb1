// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/document_tab.h"

#include <utility>

// A tab that compares the plan of another tab with a recording.

namespace vramscope {

using namespace Qt::StringLiterals;

void DocumentTab::hold(DocumentTab *plan, ComparedTrace recording)
{
    m_holds = true;
    m_plan = plan;
    m_planTitle = plan->title();
    m_compared = {std::move(recording)};
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
    read();
}

void DocumentTab::followPlan()
{
    PlansBeside *beside = m_holds && m_page ? m_page->plansBeside() : nullptr;
    if (!beside)
        return;
    const DocumentPage *page = m_plan ? m_plan->page() : nullptr;
    const QString &title = m_planTitle;
    if (!m_plan)
        beside->setPlanMissing(u"The plan was closed; these are its last figures. Open it and "
                               "compare it with the recording again to change it."_s);
    else if (m_plan->state() == State::Loading)
        beside->setPlanMissing(u"The plan is being read."_s);
    else if (m_plan->state() == State::Failed)
        beside->setPlanMissing(u"%1 cannot be read; its tab says why."_s.arg(title));
    else if (!page->plan())
        beside->setPlanMissing(
            u"%1 is no plan. Open a plan and compare that with the recording."_s.arg(title));
    else
        beside->addPlan({*page->plan(), title});
}

} // namespace vramscope
