// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/serving_logs/log_plan.h"
#include "core/serving_logs/serving_log.h"
#include "core/trace/redaction.h"

#include <memory>

namespace vramscope {

/// A plan by a log, compared with it, and with what the log measured.
struct PlannedLog
{
    LogPlan plan;
    LogComparison comparison;
    LogTakeOver takeOver;
};

/// What the log says of how its engine was set up, put into `given`.
[[nodiscard]] PlannedLog plannedLog(const ServingLog &log, const Plan &given = {});

/// A log of a serving engine with the plan that it implies. Made off the GUI thread, then shared.
struct ServingLogDocument
{
    ServingLog log;
    PlannedLog implied;
};

[[nodiscard]] std::shared_ptr<const ServingLogDocument> analyse(ServingLog log);

/// The same log and plan without the names of people and machines in what is quoted.
[[nodiscard]] std::shared_ptr<const ServingLogDocument>
withoutNames(const ServingLogDocument &document, const Redaction &names);

} // namespace vramscope
