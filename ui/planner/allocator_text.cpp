// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/planner/allocator_text.h"

#include "core/settings/settings.h"
#include "ui/support/setting_text.h"
#include "ui/support/text.h"
#include "ui/support/verdict_color.h"

#include <algorithm>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

QString percentText(double percent)
{
    return toQString(formatNumber(percent, 3)) + u" %"_s;
}

} // namespace

QString factorText(const Plan &plan, const Estimate &figures, ByteUnit unit)
{
    const double factor = figures.settings->reservedFactor;
    const QString text =
        u"This plan's figures: %1 reserved (%2 to %3), by a factor of %4 on what is allocated."_s
            .arg(bytesText(figures.peakReserved, unit), bytesText(figures.reservedLow, unit),
                 bytesText(figures.reservedHigh, unit), toQString(formatNumber(factor, 4)));
    return (text + u' ' + toQString(reserveRemark(plan))).trimmed();
}

QString whyFactorText(const ReserveErrors &errors)
{
    const ErrorSummary &factor = errors.factor;
    const ErrorSummary &simulated = errors.simulated;
    return u"Over %1 measured peaks such a factor is off by %2 in the median and %3 at the 95th "
           "percentile, the simulation alone by %4 and %5: so the factor gives the figure, and "
           "the simulation how much of its slack a setting keeps."_s.arg(
               countText(static_cast<std::int64_t>(factor.count)), percentText(factor.median),
               percentText(factor.percentile95), percentText(simulated.median),
               percentText(simulated.percentile95));
}

QString reserveAdvice(const PlanReserves &found, ByteUnit unit)
{
    const PlannedReserve &now = found.reserves.front();
    if (!found.best)
        return now.verdict == Verdict::DoesNotFit
                   ? u"The plan does not fit under any of these settings."_s
                   : u"None of these settings is worth a change."_s;
    const PlannedReserve &best = found.reserves[*found.best];
    const QString verdict = best.verdict ? u" ("_s + verdictText(*best.verdict) + u')' : QString();
    return u"%1 is worth a change: %2%3 instead of %4 under %5."_s.arg(
        configurationName(best.configuration), bytesText(best.result.figures.peakReserved, unit),
        verdict, bytesText(now.result.figures.peakReserved, unit),
        now.configuration.empty() ? u"PyTorch's default"_s : u"the plan's own settings"_s);
}

QString reserveBasis(const PlanReserves &found, ByteUnit unit)
{
    const QString steps = u"A first and a steady step, begun with an empty allocator."_s;
    if (!found.capacity)
        return steps + u' ' + u"The device has no limit: its capacity is unknown."_s;
    return steps + u' ' +
           u"The device has %1 for the allocator, beside context and communicators."_s.arg(
               bytesText(*found.capacity, unit));
}

} // namespace vramscope
