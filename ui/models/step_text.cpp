// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/step_text.h"

#include "ui/support/text.h"

namespace vramscope {

using namespace Qt::StringLiterals;

QString stepName(const Step &step)
{
    return u"step %1"_s.arg(countText(step.number));
}

QString stepLengthText(const StepsData &data, std::size_t step)
{
    const std::int64_t length = lengthOf(data.step(step), data.times);
    return data.times.empty() ? countedText(length, "event")
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
        remarks << u"cut off"_s;
    else if (!of.startKnown)
        remarks << u"start unknown"_s;
    else if (step == 0)
        remarks << u"first"_s;
    if (step == data.fold->highest && of.peakActive > data.fold->medianPeak)
        remarks << u"highest"_s;
    else if (std::ranges::binary_search(data.fold->outliers, step))
        remarks << u"outlier"_s;
    return remarks.join(u", "_s);
}

QStringList stepLines(const StepsData &data, std::size_t step, ByteUnit unit)
{
    const Step &of = data.step(step);
    const QString remark = stepRemark(data, step);
    QStringList lines = {remark.isEmpty() ? stepName(of) : u"%1 (%2)"_s.arg(stepName(of), remark),
                         u"peak %1"_s.arg(exactBytesText(of.peakActive, unit))};
    if (data.count() > 1)
        lines << u"%1 against the median peak"_s.arg(stepDeltaText(data, step, unit));
    lines << u"%1 · "_s.arg(stepLengthText(data, step)) +
                 u"events %1 to %2"_s.arg(countText(of.first), countText(of.last));
    return lines;
}

} // namespace vramscope
