// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/planner/fit_text.h"

#include "core/plan/plan.h"
#include "core/print/fit_report.h"
#include "core/print/plan_report.h"
#include "core/settings/job_text.h"
#include "ui/planner/field_text.h"
#include "ui/support/text.h"

#include <QStringList>

#include <cstdlib>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

QString gpusText(std::int64_t gpus)
{
    return countedText(gpus, "GPU");
}

/// "77.1 GiB of the device, 2.1 GiB to spare".
QString fitSummaryText(const std::optional<FitSummary> &it, ByteUnit unit)
{
    if (!it)
        return u"more than 8 EiB"_s;
    const QString room = bytesText(std::abs(it->headroom), unit);
    if (it->headroom >= 0 && !it->fits)
        return u"%1 with a cache of %2, too small"_s.arg(bytesText(it->device, unit),
                                                         countedText(it->cacheTokens, "token"));
    return (it->headroom >= 0 ? u"%1, %2 to spare"_s : u"%1, %2 too much"_s)
               .arg(bytesText(it->device, unit), room) +
           (it->verdict == Verdict::Tight ? u": tight"_s : QString());
}

QString largestPartText(const std::optional<FitSummary> &it, ByteUnit unit)
{
    return it ? u"; largest part: %1, %2 %3"_s.arg(toQString(it->binding.component),
                                                   bytesText(it->binding.bytes, unit),
                                                   toQString(momentPhrase(it->at)))
              : QString();
}

/// Whether the range of the cache decides.
bool isOpen(const std::optional<FitSummary> &it)
{
    return it && it->verdict == Verdict::Tight;
}

/// Says what "fits" means where the result is not sure to.
void addCriterion(QStringList &lines, const std::optional<FitSummary> &it)
{
    const QString text = it ? toQString(criterionText(it->verdict)) : QString();
    if (!text.isEmpty())
        lines.append(text);
}

struct Sentence
{
    const Fit &fit;
    ByteUnit unit;

    QString operator()(const std::vector<WayToFit> &) const { return {}; }

    QString operator()(const ValueThatFits &it) const
    {
        const QString label = toQString(it.field->label);
        QStringList lines;
        if (it.answer)
            lines.append(u"<b>%1: the %2 that fits is %3</b> (%4)."_s.arg(
                label, it.largest ? u"largest"_s : u"smallest"_s, countText(it.answer->value),
                fitSummaryText(it.answer->standing, unit)));
        if (it.next)
            lines.append((isOpen(it.next->standing) ? u"%1 may not fit: %2%3."_s
                                                    : u"%1 does not fit: %2%3."_s)
                             .arg(countText(it.next->value),
                                  fitSummaryText(it.next->standing, unit),
                                  largestPartText(it.next->standing, unit)));
        if (!it.note.empty())
            lines.append(toQString(it.note));
        if (it.step > 1)
            lines.append(u"Step: %1."_s.arg(countText(it.step)));
        addCriterion(lines, it.answer ? it.answer->standing : std::nullopt);
        return lines.join(u"<br>"_s);
    }

    QString operator()(const FewestGpus &it) const
    {
        QStringList lines;
        if (it.gpus && it.layout) {
            lines.append(u"<b>%1: the fewest on which this plan fits</b> (%2 each)."_s.arg(
                gpusText(*it.gpus), fitSummaryText(it.layout->standing, unit)));
            lines.append(settingsText(it.layout->fields, unit).toHtmlEscaped());
        } else {
            lines.append(u"<b>This plan fits on no number of GPUs that was tried.</b>"_s);
        }
        if (it.before)
            lines.append(u"On %1 it does not, at best: %2%3."_s.arg(
                gpusText(it.triedBefore), fitSummaryText(it.before->standing, unit),
                largestPartText(it.before->standing, unit)));
        lines.append(toQString(it.note));
        addCriterion(lines, it.layout ? std::optional(it.layout->standing) : std::nullopt);
        return lines.join(u"<br>"_s);
    }

    QString operator()(const EngineShare &it) const
    {
        const auto share = [](double value) { return toQString(formatNumber(value, 3)); };
        QStringList lines;
        lines.append(u"<b>%1 of %2 gives a cache of %3.</b>"_s.arg(
            toQString(it.field->label), share(it.inForce), bytesText(it.cache, unit)));
        lines.append(it.least ? u"The sequences asked for run from %1 on."_s.arg(share(*it.least))
                              : u"No share has room for the sequences asked for."_s);
        lines.append(it.most ? u"The plan fits its GPU up to %1."_s.arg(share(*it.most))
                             : u"The plan fits its GPU under no share."_s);
        for (const CacheAtShare &each : it.same)
            lines.append(u"The same cache under %1: %2 %3."_s.arg(
                toQString(each.engine), toQString(fieldAt(each.field).label), share(each.share)));
        return lines.join(u"<br>"_s);
    }

    QString operator()(const Layouts &it) const
    {
        const QString held = toQString(it.held).toHtmlEscaped();
        QString text = u"<b>%1 of %2 possible layouts fit.</b>"_s.arg(countText(it.fitting),
                                                                      countText(it.evaluated));
        if (it.fitting == 0)
            return u"<b>None of %1 possible layouts fits.</b> %2<br>%3"_s.arg(
                countText(it.evaluated), it.nearest.empty() ? QString() : u"These come nearest."_s,
                held);
        text += u" %1 of them are beaten by no other one in everything"_s.arg(countText(it.pareto));
        if (static_cast<std::size_t>(it.pareto) > it.best.size())
            text += u"; the %1 cheapest are listed"_s.arg(countText(std::ssize(it.best)));
        QStringList lines{text + u"."_s, held};
        addCriterion(lines,
                     it.best.empty() ? std::nullopt : std::optional(it.best.front().standing));
        return lines.join(u"<br>"_s);
    }
};

} // namespace

QString fitSentence(const Fit &fit, ByteUnit unit)
{
    return std::visit(Sentence{fit, unit}, fit.found);
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
        return FoundPlan{gpusText(*fewest->gpus), after};
    }
    return std::nullopt;
}

} // namespace vramscope
