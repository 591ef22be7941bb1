// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/serving_logs/log_plan.h"
#include "core/serving_logs/serving_log.h"
#include "core/trace/redaction.h"

namespace vramscope {

/// The names of people and machines in what a log quotes.
void gatherNames(Redaction &names, const ServingLog &log);
/// The log without them: settings, refusals and what is said of the reading.
[[nodiscard]] ServingLog redacted(const ServingLog &log, const Redaction &names);
/// The same of what is said of its plan. The plan itself stays, but for its name: a model that the
/// log names by a path is known from the log as it was.
[[nodiscard]] LogPlan redacted(const LogPlan &plan, const Redaction &names);

} // namespace vramscope
