// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/serving_logs/log_redaction.h"

namespace vramscope {

void gatherNames(Redaction &names, const ServingLog &log)
{
    for (const LogSetting &setting : log.settings)
        names.gatherValue(setting.name, setting.value);
    for (const LogFigure &figure : log.figures)
        names.gather(figure.rank, Redaction::Kind::Prose);
    for (const LogRefusal &refusal : log.refusals)
        names.gather(refusal.sentence, Redaction::Kind::Prose);
}

ServingLog redacted(const ServingLog &log, const Redaction &names)
{
    const auto clean = [&](std::string &text) { text = names.text(text, Redaction::Kind::Prose); };
    ServingLog made = log;
    for (LogSetting &setting : made.settings)
        setting.value = names.value(setting.name, setting.value);
    for (LogFigure &figure : made.figures)
        clean(figure.rank);
    for (LogCheck &check : made.checks)
        clean(check.rank);
    for (LogRefusal &refusal : made.refusals)
        clean(refusal.sentence);
    for (std::string &problem : made.problems)
        clean(problem);
    return made;
}

} // namespace vramscope
