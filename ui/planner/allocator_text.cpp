// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/planner/allocator_text.h"

#include "core/planner/settings.h"
#include "ui/support/setting_text.h"
#include "ui/support/text.h"

#include <QCoreApplication>

#include <algorithm>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

QString tr(const char *text)
{
    return QCoreApplication::translate("Allocator", text);
}

QString percentText(double percent)
{
    return toQString(formatNumber(percent, 3)) + u" %"_s;
}

} // namespace

QString factorText(const Plan &plan, const Estimate &figures, ByteUnit unit)
{
    const double factor = resolve(plan).settings.reservedFactor;
    return tr("This plan's figures: %1 reserved (%2 to %3), by a factor of %4 on what is "
              "allocated.")
        .arg(bytesText(figures.peakReserved, unit), bytesText(figures.reservedLow, unit),
             bytesText(figures.reservedHigh, unit), toQString(formatNumber(factor, 4)));
}

QString whyFactorText(const ReserveErrors &errors)
{
    const ErrorSummary &factor = errors.factor;
    const ErrorSummary &simulated = errors.simulated;
    return tr("Over %1 measured peaks such a factor is off by %2 in the median and %3 at the 95th "
              "percentile, the simulation below by %4 and %5: it comes no nearer, so use it to "
              "compare settings.")
        .arg(countText(static_cast<std::int64_t>(factor.count)), percentText(factor.median),
             percentText(factor.percentile95), percentText(simulated.median),
             percentText(simulated.percentile95));
}

QString reserveAdvice(const PlanReserves &found, ByteUnit unit)
{
    const SimulationResult &now = found.reserves.front().result;
    if (!found.best && now.runsOut())
        return tr("Simulated, the step does not fit on the device under any of these settings.");
    if (!found.best)
        return tr("Simulated, none of these settings is worth a change.");
    const PlannedReserve &best = found.reserves[*found.best];
    const QString name = configurationName(best.configuration);
    const QString reserved = bytesText(best.result.figures.peakReserved, unit);
    if (now.runsOut())
        return tr("Simulated, the step runs out of memory under PyTorch's default, and not under "
                  "%1: %2 reserved.")
            .arg(name, reserved);
    return tr("Simulated, %1 is worth a change: %2 instead of %3 under PyTorch's default.")
        .arg(name, reserved, bytesText(now.figures.peakReserved, unit));
}

QString reserveBasis(const PlanReserves &found, ByteUnit unit)
{
    const QString steps = tr("A first and a steady step, begun with an empty allocator.");
    if (!found.capacity)
        return steps + u' ' + tr("The device has no limit: its capacity is unknown.");
    return steps + u' ' +
           tr("The device has %1 for the allocator, beside context and communicators.")
               .arg(bytesText(*found.capacity, unit));
}

} // namespace vramscope
