// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/planner/model_facts.h"

#include "core/planner/parameters.h"
#include "ui/support/text.h"

namespace vramscope {

using namespace Qt::StringLiterals;

QString modelFacts(const Architecture &a)
{
    if (a.layers == 0)
        return {};
    const ParameterCounts counts = countParameters(a);
    QString text = u"%1 parameters"_s.arg(countText(counts.total));
    if (counts.active != counts.total)
        text += u"\n%1 active for a token"_s.arg(countText(counts.active));
    text += u"\n%1 layers · hidden %2"_s.arg(countText(a.layers), countText(a.hidden));
    text += u"\n%1 heads, %2 KV · vocabulary %3"_s.arg(countText(a.heads), countText(a.kvHeads),
                                                       countText(a.vocab));
    if (a.moe())
        text +=
            u"\n%1 experts, %2 per token"_s.arg(countText(a.experts), countText(a.expertsPerToken));
    return text;
}

} // namespace vramscope
