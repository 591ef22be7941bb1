// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/serving_logs/log_redaction.h"

namespace vramscope {

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
    for (std::string &problem : made.problems)
        problem = names.text(problem, Redaction::Kind::Prose);
    return made;
}

LogPlan redacted(const LogPlan &plan, const Redaction &names)
{
    LogPlan made = plan;
    if (made.plan.name)
        made.plan.name = names.title(*made.plan.name);
    for (LogPlanSetting &setting : made.settings)
        setting.value = names.text(setting.value, Redaction::Kind::Path);
    for (std::string &sentence : made.notTold)
        sentence = names.text(sentence, Redaction::Kind::Prose);
    return made;
}

} // namespace vramscope
