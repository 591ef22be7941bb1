// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/series_section.h"

#include "core/analysis/curves/series_metrics.h"
#include "core/describe/series_tables.h"
#include "core/print/cells.h"
#include "core/report/tables.h"

#include <optional>

namespace vramscope {

namespace {

constexpr std::int64_t kMostFailures = 10;

/// The curve that tells how full a device is.
const ByteCurve *mainCurve(const SeriesDevice &device)
{
    for (const CurveRole role : {CurveRole::Allocated, CurveRole::DeviceUsed, CurveRole::Process}) {
        if (const ByteCurve *curve = device.curve(role))
            return curve;
    }
    return device.bytes.empty() ? nullptr : &device.bytes.front();
}

struct Highest
{
    const SeriesDevice *device = nullptr;
    const ByteCurve *curve = nullptr;
    CurveMetrics<Bytes> figures;
};

/// Of the devices, not the host, where there are any.
std::optional<Highest> highestOf(const Series &series)
{
    std::optional<Highest> found;
    for (const SeriesDevice &device : series.devices()) {
        const ByteCurve *curve = mainCurve(device);
        const auto figures = curve ? curveMetrics(curve->values) : std::nullopt;
        const bool isHost = device.kind == DeviceKind::Cpu;
        if (figures && (!found || (!isHost && figures->most > found->figures.most)))
            found = Highest{&device, curve, *figures};
    }
    return found;
}

void addVerdict(Report &report, const Series &series, ByteUnit unit)
{
    const auto highest = highestOf(series);
    if (!highest)
        return addAnswer(report, "No memory was recorded", Tone::Plain);
    const SeriesDevice &device = *highest->device;
    const std::int64_t at = device.time[highest->figures.mostAt];
    std::string text = printable(device.label) + " peaks at " +
                       formatBytes(highest->figures.most, unit) + " (" +
                       printable(highest->curve->name) + "), ";
    text += at == device.time.front() ? "at its first sample"
                                      : sinceStart(device, at) + " after its first sample";
    std::size_t failed = 0;
    for (const SeriesDevice &each : series.devices())
        failed += each.failed.size();
    if (failed > 0)
        text += "; " + counted(static_cast<std::int64_t>(failed), "allocation") + " failed";
    addAnswer(report, text, failed > 0 ? Tone::Bad : Tone::Plain);
}

DataTable::Cell sizeCell(Bytes bytes)
{
    return bytes == kNoBytes ? DataTable::Cell() : DataTable::Cell(bytes);
}

void addDevices(Report &report, const Series &series, ByteUnit unit)
{
    using enum DataTable::Kind;
    RowTable table("What was recorded", {{"device", "Device"},
                                         {"name", ""},
                                         {"size", "Size", Size},
                                         {"samples", "Samples", Count},
                                         {"during", "During", Figure}});
    for (const SeriesDevice &device : series.devices()) {
        if (!device.time.empty())
            table.add({device.label, device.name, sizeCell(device.total), device.time.size(),
                       sinceStart(device, device.time.back())});
    }
    addTable(report, std::move(table).table(), unit);
}

void addFailures(Report &report, const Series &series, ByteUnit unit)
{
    using enum DataTable::Kind;
    RowTable table("Allocations that failed", {{"device", "Device"},
                                               {"after", "After", Figure},
                                               {"asked", "Asked", Size},
                                               {"allocated", "Allocated", Size},
                                               {"operation", "In"}});
    std::int64_t shown = 0;
    for (const SeriesDevice &device : series.devices())
        for (const FailedAllocation &failed : device.failed)
            if (shown++ < kMostFailures)
                table.add({device.label, sinceStart(device, failed.time),
                           sizeCell(failed.requested), sizeCell(failed.allocated),
                           series.text(failed.operation)});
    addTable(report, std::move(table).table(), unit);
    if (shown > kMostFailures)
        addParagraph(report, "And " + formatCount(shown - kMostFailures) + " more.");
}

} // namespace

void addSeriesSection(Report &report, const SeriesSubject &subject, ByteUnit unit)
{
    addHeading(report, 1, printable(subject.file));
    for (const std::string &doubt : subject.doubts) // first: they limit what the answer means
        addParagraph(report, printable(doubt), Tone::Warning);
    addVerdict(report, subject.series, unit);
    addParagraph(report, printable(subject.kind) + ".");
    for (std::size_t at = 0; at < subject.drawn.size(); ++at)
        addFigure(report, "series" + std::to_string(at), subject.number, subject.drawn[at]);
    addDevices(report, subject.series, unit);
    std::vector<const SeriesDevice *> devices;
    for (const SeriesDevice &device : subject.series.devices())
        if (!device.time.empty())
            devices.push_back(&device);
    addTable(report, "The curves",
             pickedColumns(curvesTable(subject.series, devices),
                           {"curve", "highest", "after", "lowest", "first", "last", "operation"}),
             unit);
    addFailures(report, subject.series, unit);
    addTable(report, "Facts in the file", factsTable(subject.series), unit);
}

} // namespace vramscope
