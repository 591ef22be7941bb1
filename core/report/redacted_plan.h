// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/plan.h"
#include "core/print/serving_log_report.h"
#include "core/trace/redaction.h"

namespace vramscope {

/// Gathers the names of people and machines in the texts of a plan: its name, its config, in which
/// tools write folders, and the recordings that its constants are from.
void gatherPlan(Redaction &redaction, const Plan &plan);

/// The plan without them. No figure changes: what the planner reads of a config are numbers and
/// names of architectures and formats.
[[nodiscard]] Plan redactedPlan(const Redaction &redaction, Plan plan);

/// The plan of a serving log, the comparison with it and what was taken over, without names.
[[nodiscard]] LogAgainstPlan redactedAgainst(const Redaction &redaction, LogAgainstPlan against);

} // namespace vramscope
