// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "core/estimate/estimate.h"
#include "core/reconcile/reconcile.h"
#include "ui/export/report_figure.h"

#include <QString>

#include <memory>
#include <vector>

namespace vramscope {

/// A plan as a report shows it.
struct ReportedPlan
{
    Plan plan;
    Estimate estimate;
    QString title;
};
using ReportedPlanPointer = std::shared_ptr<const ReportedPlan>;

/// "bars-N", the peak against the capacity, and "step-N"; none without figures.
[[nodiscard]] std::vector<ReportFigure> planFigures(const ReportedPlanPointer &plan,
                                                    std::size_t number, ByteUnit unit);

/// "plans-0", a bar each, and of two "waterfall-0".
[[nodiscard]] std::vector<ReportFigure> plansFigures(const std::vector<ReportedPlanPointer> &plans,
                                                     ByteUnit unit);

/// "reconciled-N": from the prediction through the reasons to the recording; none if the
/// moment compared was not found.
[[nodiscard]] std::vector<ReportFigure> reconciledFigures(const Reconciliation &it,
                                                          std::size_t number, ByteUnit unit);

} // namespace vramscope
