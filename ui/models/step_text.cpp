// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/step_text.h"

#include "ui/support/text.h"

#include <QCoreApplication>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

QString tr(const char *text)
{
    return QCoreApplication::translate("StepText", text);
}

} // namespace

QString stepName(const Step &step)
{
    return tr("step %1").arg(countText(step.number));
}

QString stepLengthText(const StepsData &data, std::size_t step)
{
    const std::int64_t length = lengthOf(data.step(step), data.times);
    return data.times.empty() ? tr("%1 events").arg(countText(length))
                              : toQString(formatMicroseconds(length));
}

QString stepDeltaText(const StepsData &data, std::size_t step, ByteUnit unit)
{
    const Bytes delta = wrappingDifference(data.step(step).peakActive, data.fold->medianPeak);
    const QString text = bytesText(delta, unit);
    return delta > 0 ? u'+' + text : text;
}

QString stepRemark(const StepsData &data, std::size_t step)
{
    const Step &of = data.step(step);
    QStringList remarks;
    if (!of.complete)
        remarks << tr("cut off");
    else if (!of.startKnown)
        remarks << tr("start unknown");
    else if (step == 0)
        remarks << tr("first");
    if (step == data.fold->highest && of.peakActive > data.fold->medianPeak)
        remarks << tr("highest");
    else if (std::ranges::binary_search(data.fold->outliers, step))
        remarks << tr("outlier");
    return remarks.join(u", "_s);
}

QStringList stepLines(const StepsData &data, std::size_t step, ByteUnit unit)
{
    const Step &of = data.step(step);
    const QString remark = stepRemark(data, step);
    QStringList lines = {remark.isEmpty() ? stepName(of) : u"%1 (%2)"_s.arg(stepName(of), remark),
                         tr("peak %1").arg(exactBytesText(of.peakActive, unit))};
    if (data.count() > 1)
        lines << tr("%1 against the median peak").arg(stepDeltaText(data, step, unit));
    lines << u"%1 · "_s.arg(stepLengthText(data, step)) +
                 tr("events %1 to %2").arg(countText(of.first), countText(of.last));
    return lines;
}

} // namespace vramscope
