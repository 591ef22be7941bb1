// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/planner/fit_text.h"

#include "core/plan/plan.h"
#include "core/print/fit_sentences.h"
#include "core/settings/job_text.h"
#include "ui/planner/field_text.h"
#include "ui/support/text.h"

#include <QStringList>

namespace vramscope {

using namespace Qt::StringLiterals;

QString fitSentence(const Fit &fit, ByteUnit unit)
{
    const auto words = [unit](std::span<const FieldSetting> settings) {
        return settingsText(settings, unit).toStdString();
    };
    QStringList lines;
    for (const auto &[answer, text] : fitLines(fit, words, unit))
        lines << (answer.empty() ? QString()
                                 : u"<b>%1</b>"_s.arg(toQString(answer).toHtmlEscaped())) +
                     toQString(text).toHtmlEscaped();
    return lines.join(u"<br>"_s);
}

QString unknownCapacityText(const Settings &settings)
{
    return toQString(unknownCapacity(settings)) +
           (settings.gpu ? u": state its capacity under Hardware."_s
                         : u": choose a GPU under Hardware, or state its capacity."_s);
}

std::optional<FoundPlan> foundPlan(const Plan &plan, const Fit &fit)
{
    if (const auto *value = std::get_if<ValueThatFits>(&fit.found); value && value->answer) {
        const FieldSetting setting{value->field->path, value->answer->value};
        return FoundPlan{settingsText({&setting, 1}), withFields(plan, {&setting, 1})};
    }
    if (const auto *fewest = std::get_if<FewestGpus>(&fit.found); fewest && fewest->layout) {
        Plan after = withFields(plan, fewest->layout->fields);
        after.hardware.gpus = fewest->gpus;
        return FoundPlan{countedText(*fewest->gpus, "GPU"), after};
    }
    return std::nullopt;
}

} // namespace vramscope
