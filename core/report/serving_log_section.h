// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "core/report/report.h"
#include "core/serving_logs/log_plan.h"
#include "core/serving_logs/serving_log.h"

#include <string>

namespace vramscope {

struct ServingLogSubject
{
    const ServingLog &log;
    const LogPlan &plan; ///< by the log, and what it is compared with
    const LogComparison &comparison;
    std::string file;       ///< as it is shown
    std::size_t number = 1; ///< of the section, which its picture is known by
    std::string drawn;      ///< what the picture "budget" shows; empty: there is none
};

/// The section of a serving engine's log: what came of the start, refusals and doubts, the budget
/// as a picture, the diagnosis, its figures beside those of the plan, what the log says of that
/// plan, and every figure that counts.
void addServingLogSection(Report &report, const ServingLogSubject &subject,
                          ByteUnit unit = ByteUnit::Binary);

} // namespace vramscope
