// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/serving_log/serving_log_document.h"

#include <utility>

namespace vramscope {

std::shared_ptr<const ServingLogDocument> analyse(ServingLog log)
{
    auto document = std::make_shared<ServingLogDocument>();
    document->log = std::move(log);
    document->plan = planOfServingLog(document->log);
    document->comparison = compareWithLog(document->plan.plan, document->log);
    document->takeOver = takeOverLog(document->plan.plan, document->log);
    return document;
}

void gatherNames(Redaction &names, const ServingLog &log)
{
    for (const LogSetting &setting : log.settings)
        names.gather(setting.value, Redaction::Kind::Path);
    for (const LogRefusal &refusal : log.refusals)
        names.gather(refusal.sentence, Redaction::Kind::Prose);
}

ServingLog redacted(const ServingLog &log, const Redaction &names)
{
    ServingLog made = log;
    for (LogSetting &setting : made.settings)
        setting.value = names.text(setting.value, Redaction::Kind::Path);
    for (LogRefusal &refusal : made.refusals)
        refusal.sentence = names.text(refusal.sentence, Redaction::Kind::Prose);
    return made;
}

} // namespace vramscope
