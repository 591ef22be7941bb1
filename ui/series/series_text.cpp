// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/series/series_text.h"

#include "core/analysis/curves/series_metrics.h"
#include "core/base/counted.h"
#include "core/describe/series_story.h"
#include "ui/support/text.h"

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

QString clockText(Clock clock)
{
    switch (clock) {
    case Clock::Epoch:
        return u"times in UTC"_s;
    case Clock::LocalTime:
        return u"local times"_s;
    case Clock::Relative:
        break;
    }
    return u"no time of day"_s;
}

} // namespace

QString formatTitle(const Series &series)
{
    if (series.format() == "memory-timeline")
        return u"Memory timeline"_s;
    const QString format = toQString(series.format());
    return series.format().ends_with("-smi") ? u"Log of %1"_s.arg(format) : format;
}

QString deviceTitle(const SeriesDevice &device)
{
    QStringList parts{toQString(device.label), toQString(device.name)};
    parts.removeAll(QString());
    return parts.join(u" · "_s);
}

QString headlineText(const SeriesDocument &document, const SeriesScene &scene, ByteUnit unit)
{
    std::vector<const SeriesDevice *> alone;
    if (scene.device())
        alone.push_back(scene.device()->recorded);
    return toQString(seriesStory(*document.series, unit, std::move(alone)).answer);
}

QString recordedText(const SeriesDocument &document, const SeriesScene &scene)
{
    const Series &series = *document.series;
    QStringList parts;
    if (series.rank() >= 0)
        parts << (series.worldSize() > 0
                      ? u"rank %1 of %2"_s.arg(series.rank()).arg(series.worldSize())
                      : u"rank %1"_s.arg(series.rank()));
    const bool isOneMoment = scene.axis().count() == 1;
    std::int64_t samples = 0;
    for (const DeviceSamples &device : document.devices) {
        if (scene.device() ? scene.device() == &device : !scene.hasLeftOut(device))
            samples += static_cast<std::int64_t>(device.recorded->time.size());
    }
    parts << (isOneMoment ? u"one sample"_s : countedText(samples, "sample"));
    const EventIndex last = scene.axis().count() - 1;
    if (last > 0)
        parts << toQString(formatMicroseconds(scene.timeOf(last)));
    parts << clockText(series.clock());
    return parts.join(u" · "_s);
}

QString problemsText(const Series &series)
{
    QStringList lines;
    for (const Problem &problem : series.problems())
        lines += problem.count > 1
                     ? u"%1× %2"_s.arg(countText(problem.count), toQString(problem.kind))
                     : toQString(problem.kind);
    return lines.join(u'\n');
}

QString nothingText(const Series &series)
{
    if (!series.problems().empty())
        return problemsText(series);
    return u"None of its rows says how much memory was in use. Record it with nvidia-smi "
           "--query-gpu=timestamp,index,memory.used,memory.total --format=csv -l 1."_s;
}

QStringList sampleText(const Series &series, const SeriesScene &scene, const DeviceSamples &device,
                       std::size_t sample, ByteUnit unit)
{
    const SeriesDevice &of = *device.recorded;
    const std::int64_t time = device.times.microseconds()[sample] - scene.start();
    QStringList lines{u"%1 · %2"_s.arg(toQString(of.label), toQString(formatMicroseconds(time)))};
    for (const ByteCurve &curve : of.bytes) {
        const Bytes bytes = curve.values[sample];
        if (curve.role != CurveRole::Category || bytes != 0)
            lines << u"%1  %2"_s.arg(toQString(curve.name), bytes == kNoBytes
                                                                ? u"not known"_s
                                                                : exactBytesText(bytes, unit));
    }
    for (const NumberCurve &curve : of.numbers) {
        const double value = curve.values[sample];
        if (isValue(value))
            lines << u"%1  %2 %3"_s.arg(toQString(curve.name), toQString(formatNumber(value)),
                                        toQString(curve.unit));
    }
    if (sample < of.change.size()) {
        const Bytes change = of.change[sample];
        lines << (change < 0
                      ? u"freed %1"_s.arg(exactBytesText(wrappingDifference(0, change), unit))
                      : u"allocated %1"_s.arg(exactBytesText(change, unit)));
    }
    if (const auto operation = operationAt(series, of, sample); !operation.empty())
        lines << u"in %1"_s.arg(toQString(operation));
    return lines;
}

} // namespace vramscope
