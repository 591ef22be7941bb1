// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/offscreen/redacted.h"

#include "core/report/redacted_plan.h"
#include "ui/planner/plan_document.h"
#include "ui/support/text.h"

#include <set>

namespace vramscope {

Redaction redactionOf(const ExportedContent &leaving)
{
    Redaction redaction;
    for (const QString &file : leaving.files + leaving.document->files())
        redaction.gatherFileName(file.toStdString());
    leaving.document->gatherNames(redaction);
    for (const NamedPlan &one : leaving.plans) {
        redaction.gather(one.name.toStdString(), Redaction::Kind::Prose);
        gatherPlan(redaction, one.plan);
    }
    return redaction;
}

ExportedContent redacted(const ExportedContent &leaving, const Redaction &redaction)
{
    ExportedContent result{leaving.document->withoutNames(redaction), {}, {}};
    for (const NamedPlan &one : leaving.plans)
        result.plans.push_back({redactedPlan(redaction, one.plan),
                                toQString(redaction.title(one.name.toStdString()))});
    for (const QString &file : leaving.files)
        result.files += fileWithoutNames(file, redaction);
    return result;
}

std::vector<Replaced> replacements(const ExportedContent &leaving, const Redaction &redaction)
{
    std::vector<Replaced> result;
    for (const QString &file : leaving.files + leaving.document->files()) {
        if (const QString after = fileWithoutNames(file, redaction); after != file)
            result.emplace_back(file, after);
    }
    const auto add = [&](const std::vector<Replaced> &texts) {
        result.insert(result.end(), texts.begin(), texts.end());
    };
    add(leaving.document->replacements(redaction));
    for (const NamedPlan &one : leaving.plans)
        add(changedLines(one.plan, redaction));
    std::set<Replaced> seen;
    std::erase_if(result, [&](const Replaced &each) { return !seen.insert(each).second; });
    return result;
}

} // namespace vramscope
