// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/step_text.h"

#include "ui/support/text.h"

#include <numeric>

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

namespace {

/// What its peak is above or below the median: "+1.2 MiB", "0 B".
QString stepDeltaText(const StepsData &data, std::size_t step, ByteUnit unit)
{
    return signedBytesText(wrappingDifference(data.step(step).peakActive, data.fold->medianPeak),
                           unit);
}

/// "first, highest", "outlier", "cut off"; may be empty.
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

} // namespace

DataTable stepsTable(const StepsData &data)
{
    using enum DataTable::Kind;
    std::vector<std::size_t> steps(data.count());
    std::iota(steps.begin(), steps.end(), std::size_t(0));
    TableOf<std::size_t> table("Steps", std::move(steps));
    const bool isTimed = !data.times.empty();
    table
        .add({"step", "Step", Count, "N of ProfilerStep#N; else counted from 1"},
             [data](std::size_t step) { return data.step(step).number; })
        .add({"peak", "Peak", Size, "Most bytes in live allocations after any event of the step"},
             [data](std::size_t step) { return data.step(step).peakActive; })
        .add({"delta", "Δ median", SizeChange,
              "The peak against the median of the whole steps after the first"},
             [data](std::size_t step) {
                 return wrappingDifference(data.step(step).peakActive, data.fold->medianPeak);
             })
        .add({"length", isTimed ? "Duration" : "Events", Number,
              isTimed ? "From its first event to its last" : "Events from its first to its last"},
             [data, isTimed](std::size_t step) {
                 const std::int64_t length = lengthOf(data.step(step), data.times);
                 DataTable::Cell cell(static_cast<double>(length));
                 cell.text = isTimed ? formatMicroseconds(length) : formatCount(length);
                 return cell;
             })
        .add({"remark", ""},
             [data](std::size_t step) { return stepRemark(data, step).toStdString(); });
    return std::move(table).table();
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
