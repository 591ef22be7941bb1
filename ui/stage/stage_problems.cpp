// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/stage/stage_problems.h"

#include "core/base/counted.h"
#include "core/trace/problem_text.h"
#include "ui/support/text.h"

#include <utility>

namespace vramscope {

using namespace Qt::StringLiterals;

QStringList problemTexts(std::span<const Problem> problems, const QString &prefix)
{
    QStringList texts;
    for (const Problem &each : problems)
        texts << prefix + foreignText(problemText(each));
    return texts;
}

std::vector<StageItem> behindProblems(std::vector<StageItem> items, const QStringList &problems)
{
    if (problems.isEmpty())
        return items;
    QString first = u"Problem: "_s + problems.front();
    if (problems.size() > 1)
        first += u" (%1)"_s.arg(toQString(counted(problems.size() - 1, "more problem")));
    for (StageItem &item : items) {
        item.scene = [scene = std::move(item.scene), first] {
            StageScene made = scene();
            made.problem = first;
            return made;
        };
    }
    return items;
}

} // namespace vramscope
