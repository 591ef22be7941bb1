// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/serving_logs/log_plan.h"
#include "core/serving_logs/serving_log.h"
#include "core/trace/redaction.h"

#include <memory>

namespace vramscope {

/// A log of a serving engine with the plan that it implies. Made off the GUI thread, then shared.
struct ServingLogDocument
{
    ServingLog log;
    LogPlan plan;
    LogComparison comparison;
    LogTakeOver takeOver;
};

[[nodiscard]] std::shared_ptr<const ServingLogDocument> analyse(ServingLog log);

/// The names of people and machines in what a log quotes, and the log without them.
void gatherNames(Redaction &names, const ServingLog &log);
[[nodiscard]] ServingLog redacted(const ServingLog &log, const Redaction &names);

} // namespace vramscope
