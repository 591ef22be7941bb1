// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/series/series_text.h"

#include "core/analysis/series_figures.h"
#include "ui/support/text.h"

#include <QCoreApplication>

#include <array>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

QString tr(const char *text)
{
    return QCoreApplication::translate("SeriesText", text);
}

QString clockText(Clock clock)
{
    switch (clock) {
    case Clock::Epoch:
        return tr("times in UTC");
    case Clock::LocalTime:
        return tr("local times");
    case Clock::Relative:
        break;
    }
    return tr("no time of day");
}

// "1,154 kernels, 40 copies": what ran while the recording was made.
QString spansText(const Series &series)
{
    std::array<std::int64_t, kSpanKindCount> counts{};
    for (const SpanKind kind : series.spans().kind)
        ++counts[static_cast<std::size_t>(kind)];
    static constexpr std::array<std::pair<const char *, const char *>, kSpanKindCount> kNames = {{
        {QT_TRANSLATE_NOOP("SeriesText", "1 kernel"),
         QT_TRANSLATE_NOOP("SeriesText", "%1 kernels")},
        {QT_TRANSLATE_NOOP("SeriesText", "1 copy"), QT_TRANSLATE_NOOP("SeriesText", "%1 copies")},
        {QT_TRANSLATE_NOOP("SeriesText", "1 fill"), QT_TRANSLATE_NOOP("SeriesText", "%1 fills")},
        {QT_TRANSLATE_NOOP("SeriesText", "1 annotation"),
         QT_TRANSLATE_NOOP("SeriesText", "%1 annotations")},
        {QT_TRANSLATE_NOOP("SeriesText", "1 annotation on the device"),
         QT_TRANSLATE_NOOP("SeriesText", "%1 annotations on the device")},
    }};
    QStringList parts;
    for (std::size_t at = 0; at < counts.size(); ++at) {
        const auto &[one, many] = kNames[at];
        if (counts[at] > 0)
            parts += counts[at] == 1 ? tr(one) : tr(many).arg(countText(counts[at]));
    }
    return parts.join(u", "_s);
}

} // namespace

QString formatTitle(const Series &series)
{
    if (series.format() == "chrome-trace")
        return tr("Profiler trace");
    if (series.format() == "memory-timeline")
        return tr("Memory timeline");
    return series.format() == "nvidia-smi" ? tr("Log of nvidia-smi") : toQString(series.format());
}

QString deviceTitle(const SeriesDevice &device)
{
    QStringList parts{toQString(device.label), toQString(device.name)};
    parts.removeAll(QString());
    return parts.join(u" · "_s);
}

QString recordedText(const SeriesDocument &document, const SeriesScene &scene)
{
    const Series &series = *document.series;
    QStringList parts;
    if (series.rank() >= 0)
        parts << (series.worldSize() > 0
                      ? tr("rank %1 of %2").arg(series.rank()).arg(series.worldSize())
                      : tr("rank %1").arg(series.rank()));
    std::int64_t samples = 0;
    for (const DeviceSamples &device : document.devices) {
        if (scene.device() ? scene.device() == &device : !scene.hasLeftOut(device))
            samples += static_cast<std::int64_t>(device.recorded->time.size());
    }
    parts << (samples == 1 ? tr("one sample") : tr("%1 samples").arg(countText(samples)));
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
    if (series.format() != "chrome-trace" && !series.problems().empty())
        return problemsText(series);
    if (series.format() != "chrome-trace")
        return tr("None of its rows says how much memory was in use. Record it with nvidia-smi "
                  "--query-gpu=timestamp,index,memory.used,memory.total --format=csv -l 1.");
    const QString spans = spansText(series);
    return tr("%1Record with torch.profiler.profile(profile_memory=True) to see how much memory "
              "was "
              "allocated and reserved at every moment, and by which operator.")
        .arg(spans.isEmpty() ? QString()
                             : tr("It holds %1, but no memory was recorded. ").arg(spans));
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
                                                                ? tr("not known")
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
                      ? tr("freed %1").arg(exactBytesText(wrappingDifference(0, change), unit))
                      : tr("allocated %1").arg(exactBytesText(change, unit)));
    }
    if (const auto operation = operationAt(series, of, sample); !operation.empty())
        lines << tr("in %1").arg(toQString(operation));
    return lines;
}

} // namespace vramscope
