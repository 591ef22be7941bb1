// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "core/estimate/estimate.h"
#include "core/plan/plan.h"

#include <QWidget>

namespace vramscope {

/// A view of a plan, which follows its edits. What is not visible is not computed until it is.
class PlanFollower : public QWidget
{
    Q_OBJECT

public:
    using QWidget::QWidget;

    void showPlan(const Plan &plan, const Estimate &estimate, ByteUnit unit);

protected:
    void showEvent(QShowEvent *event) override;

    /// Computes what there is to show of the plan, now or on a worker.
    virtual void compute() = 0;
    /// The plan may be another, whether it is computed or not.
    virtual void takePlan() {}
    /// Shows what was computed in another unit.
    virtual void takeUnit() { outdate(); }
    /// What was computed is to be computed again.
    void outdate();

    Plan m_plan;
    Estimate m_estimate = vramscope::estimate(Plan());
    ByteUnit m_unit = ByteUnit::Binary;
    bool m_outdated = true;

private:
    void refresh();
};

} // namespace vramscope
