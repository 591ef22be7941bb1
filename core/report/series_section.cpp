// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/series_section.h"

#include "core/describe/series_story.h"
#include "core/describe/series_tables.h"
#include "core/print/cells.h"
#include "core/report/tables.h"

namespace vramscope {

namespace {

constexpr std::int64_t kMostFailures = 10;

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
    const Story story = seriesStory(subject.series, unit);
    addAnswer(report, story.answer, story.findings.empty() ? Tone::Plain : Tone::Bad);
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
