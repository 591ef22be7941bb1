// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/serving_log/serving_log_document.h"

#include "core/report/redacted_plan.h"
#include "core/serving_logs/log_redaction.h"

#include <utility>

namespace vramscope {

PlannedLog plannedLog(const ServingLog &log, const Plan &given)
{
    PlannedLog made;
    made.plan = planOfServingLog(log, given);
    made.comparison = compareWithLog(made.plan.plan, log);
    made.takeOver = takeOverLog(made.plan.plan, log);
    return made;
}

std::shared_ptr<const ServingLogDocument> analyse(ServingLog log)
{
    auto document = std::make_shared<ServingLogDocument>();
    document->log = std::move(log);
    document->implied = plannedLog(document->log);
    return document;
}

std::shared_ptr<const ServingLogDocument> withoutNames(const ServingLogDocument &document,
                                                       const Redaction &names)
{
    auto made = std::make_shared<ServingLogDocument>(document);
    made->log = redacted(document.log, names);
    LogAgainstPlan shown = redactedAgainst(
        names, {document.implied.plan, document.implied.comparison, document.implied.takeOver});
    made->implied = {std::move(shown.plan), std::move(shown.comparison),
                     *std::move(shown.takeOver)};
    return made;
}

} // namespace vramscope
