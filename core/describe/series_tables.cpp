// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/describe/series_tables.h"

#include "core/analysis/curves/series_metrics.h"

#include <algorithm>

namespace vramscope {

namespace {

using CurveKind = DataTable::Kind;

/// Adds the row of a curve; `write` makes the cell of one of its values.
template<class Values, class Write>
void addCurve(RowTable &table, const Series &series, const SeriesDevice &device,
              const std::string &name, const Values &values, Write write, std::int64_t start,
              int place)
{
    const auto figures = curveMetrics(values);
    if (!figures)
        return;
    const std::string after =
        formatMicroseconds(wrappingDifference(device.time[figures->mostAt], start) / 1000);
    const std::string operation(operationAt(series, device, figures->mostAt));
    table.add({name, write(figures->first), write(figures->last), write(figures->least),
               write(figures->most), after, operation,
               operation.empty() ? after : after + " in " + operation},
              {.kind = place, .at = figures->mostAt});
}

} // namespace

std::string sinceStart(const SeriesDevice &device, std::int64_t time)
{
    return formatMicroseconds(wrappingDifference(time, device.time.front()) / 1000);
}

DataTable curvesTable(const Series &series, const std::vector<const SeriesDevice *> &devices)
{
    RowTable table("Peaks", {{"curve", ""},
                             {"first", "First", CurveKind::Size},
                             {"last", "Last", CurveKind::Size},
                             {"lowest", "Lowest", CurveKind::Size},
                             {"highest", "Highest", CurveKind::Size},
                             {"after", "After", CurveKind::Figure},
                             {"operation", "Highest in"},
                             {"at", "At"}});
    std::int64_t start = 0;
    for (const SeriesDevice *device : devices)
        start = device == devices.front() ? device->time.front()
                                          : std::min(start, device->time.front());
    for (std::size_t place = 0; place < devices.size(); ++place) {
        const SeriesDevice &device = *devices[place];
        const auto add = [&](const std::string &name, const auto &values, auto write) {
            addCurve(table, series, device,
                     devices.size() == 1 ? name : device.label + " · " + name, values, write, start,
                     static_cast<int>(place));
        };
        for (const ByteCurve &curve : device.bytes)
            add(curve.name, curve.values, [](Bytes bytes) { return DataTable::Cell(bytes); });
        for (const NumberCurve &curve : device.numbers)
            add(curve.name, curve.values, [&curve](double value) {
                const std::string number = formatNumber(value);
                return DataTable::Cell(value).as(curve.unit.empty() ? number
                                                                    : number + ' ' + curve.unit);
            });
    }
    return std::move(table).table();
}

DataTable factsTable(const Series &series)
{
    constexpr std::size_t kLongest = 80; // what is longer is for programs
    RowTable table("Facts", {{"name", ""}, {"value", ""}});
    for (const Setting &fact : series.facts())
        if (fact.value.size() <= kLongest)
            table.add({fact.name, fact.value});
    return std::move(table).table();
}

} // namespace vramscope
