// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/support/plan_follower.h"

#include <utility>

namespace vramscope {

void PlanFollower::showPlan(const Plan &plan, const Estimate &estimate, ByteUnit unit)
{
    m_outdated |= plan != m_plan;
    const bool isOtherUnit = std::exchange(m_unit, unit) != unit;
    m_plan = plan;
    m_estimate = estimate;
    takePlan();
    refresh();
    if (isOtherUnit)
        takeUnit();
}

void PlanFollower::outdate()
{
    m_outdated = true;
    refresh();
}

void PlanFollower::refresh()
{
    if (isVisible() && std::exchange(m_outdated, false))
        compute();
}

void PlanFollower::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    refresh();
}

} // namespace vramscope
