// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/reconcile/reconcile.h"
#include "core/report/plan_section.h"
#include "core/report/trace_section.h"

#include <span>

namespace vramscope {

/// Plans side by side: the answer of each with its levels, a picture ("plans"), and of two what
/// leads from one to the other ("waterfall"). At least two.
void addPlansComparison(Report &report, std::span<const PlanSubject> plans,
                        ByteUnit unit = ByteUnit::Binary);

/// Recordings side by side, with a picture ("traces"), and of two the places that differ most and
/// the settings that do. At least two.
void addTracesComparison(Report &report, std::span<const ReportedTrace> traces,
                         ByteUnit unit = ByteUnit::Binary);

/// A plan compared with a recording of its run: verdict, moments, parts, reasons, constants.
void addReconciliation(Report &report, const Reconciliation &it, const PlanSubject &plan,
                       const ReportedTrace &trace, ByteUnit unit = ByteUnit::Binary);

} // namespace vramscope
