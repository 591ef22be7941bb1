// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/series/series_document.h"

#include "core/trace/redaction.h"
#include "ui/series/series_items.h"
#include "ui/series/series_page.h"
#include "ui/series/series_text.h"

#include <algorithm>
#include <limits>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

bool hasMemory(const SeriesDevice &device)
{
    return !device.time.empty() && std::ranges::any_of(device.bytes, [](const ByteCurve &curve) {
        return curve.role != CurveRole::DeviceTotal;
    });
}

} // namespace

bool SeriesDocument::isLog() const
{
    return std::ranges::any_of(devices, [](const DeviceSamples &device) {
        return device.recorded->curve(CurveRole::DeviceUsed) != nullptr;
    });
}

std::unique_ptr<DocumentPage> SeriesDocument::makePage(const QString &, const QString &,
                                                       QWidget *parent) const
{
    return std::make_unique<SeriesPage>(shared<SeriesDocument>(), parent);
}

DocumentKind SeriesDocument::kind() const
{
    return {formatTitle(*series), u"series"_s,
            u"This is a recording of curves over time; its view is series."_s, true};
}

std::optional<std::size_t> SeriesDocument::deviceIndex(int ordinal) const
{
    if (ordinal < 0)
        return 0;
    const auto at = std::ranges::find(
        devices, ordinal, [](const DeviceSamples &device) { return device.recorded->ordinal; });
    return at == devices.end() ? std::nullopt
                               : std::optional(static_cast<std::size_t>(at - devices.begin()));
}

void SeriesDocument::gatherNames(Redaction &redaction) const
{
    redaction.gather(*series);
}

DocumentPointer SeriesDocument::withoutNames(const Redaction &redaction,
                                             const Progress &progress) const
{
    const auto made = analyse(redaction.applied(*series), progress);
    return made ? made : shared_from_this();
}

void SeriesDocument::addReportSection(Report &report, const std::string &name, std::size_t number,
                                      ByteUnit unit) const
{
    addSeriesSection(report, seriesSubject(shared<SeriesDocument>(), name, number), unit);
}

std::vector<ReportFigure> SeriesDocument::reportFigures(std::size_t number,
                                                        const FigureOptions &options) const
{
    return seriesFigures(shared<SeriesDocument>(), number, options.unit);
}

std::shared_ptr<const SeriesDocument> analyse(std::shared_ptr<const Series> series,
                                              const Progress &progress)
{
    auto document = std::make_shared<SeriesDocument>();
    document->origin = std::numeric_limits<std::int64_t>::max();
    for (const SeriesDevice &device : series->devices()) {
        if (hasMemory(device))
            document->origin = std::min(document->origin, device.time.front());
    }
    const auto all = static_cast<double>(series->devices().size());
    for (const SeriesDevice &device : series->devices()) {
        if (progress && !progress(static_cast<double>(document->devices.size()) / all))
            return nullptr;
        if (!hasMemory(device))
            continue;
        DeviceSamples samples{&device, SampleTimes(device, document->origin), {}};
        for (const ByteCurve &curve : device.bytes)
            samples.curves.push_back(std::make_unique<const SampleCurve>(curve.values));
        document->devices.push_back(std::move(samples));
    }
    document->series = std::move(series);
    return document;
}

} // namespace vramscope
