// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/series_report.h"

#include "core/analysis/curves/series_metrics.h"
#include "core/base/counted.h"
#include "core/base/json_text.h"
#include "core/describe/series_story.h"
#include "core/describe/series_tables.h"
#include "core/print/json_parts.h"
#include "core/print/problems_text.h"
#include "core/table/terminal_table.h"

namespace vramscope {

namespace {

const char *clockName(Clock clock)
{
    switch (clock) {
    case Clock::Epoch:
        return "utc";
    case Clock::LocalTime:
        return "local";
    case Clock::Relative:
        return "relative";
    }
    return "";
}

Json bytesJson(Bytes bytes)
{
    return orNull(bytes != kNoBytes, bytes);
}

std::int64_t spanOf(const SeriesDevice &device)
{
    return device.time.empty() ? 0 : wrappingDifference(device.time.back(), device.time.front());
}

template<class T>
Json curveJson(const Series &series, const SeriesDevice &device, const std::string &name,
               const std::string &unit, const std::vector<T> &values)
{
    Json json{{"name", name}, {"unit", textOrNull(unit)}};
    const auto figures = curveMetrics(values);
    const auto put = [&](const char *key, auto member) {
        json[key] = figures ? Json((*figures).*member) : Json();
    };
    put("first", &CurveMetrics<T>::first);
    put("last", &CurveMetrics<T>::last);
    put("min", &CurveMetrics<T>::least);
    put("max", &CurveMetrics<T>::most);
    json["max_at"] = figures ? Json(device.time[figures->mostAt]) : Json();
    json["max_operation"] =
        figures ? textOrNull(operationAt(series, device, figures->mostAt)) : Json();
    return json;
}

Json seriesDeviceJson(const Series &series, const SeriesDevice &device)
{
    Json json{{"device", orNull(device.ordinal >= 0, device.ordinal)},
              {"label", device.label},
              {"name", textOrNull(device.name)},
              {"identity", textOrNull(device.identity)},
              {"total", bytesJson(device.total)},
              {"samples", device.time.size()},
              {"start", device.time.empty() ? Json() : Json(device.time.front())},
              {"span", spanOf(device)}};
    json["curves"] = Json::array();
    for (const ByteCurve &curve : device.bytes)
        json["curves"].push_back(curveJson(series, device, curve.name, "B", curve.values));
    for (const NumberCurve &curve : device.numbers)
        json["curves"].push_back(curveJson(series, device, curve.name, curve.unit, curve.values));
    json["oom"] = listJson(device.failed, [&](const FailedAllocation &failed) -> Json {
        return {{"time", failed.time},
                {"requested", bytesJson(failed.requested)},
                {"allocated", bytesJson(failed.allocated)},
                {"reserved", bytesJson(failed.reserved)},
                {"operation", textOrNull(series.text(failed.operation))}};
    });
    return json;
}

void addFailed(std::string &text, const Series &series, const SeriesDevice &device, ByteUnit unit)
{
    constexpr std::size_t kShown = 10;
    for (std::size_t at = 0; at < std::min(kShown, device.failed.size()); ++at) {
        const FailedAllocation &failed = device.failed[at];
        text += "  out of memory: " + formatBytes(failed.requested, unit) + " requested";
        if (failed.allocated != kNoBytes)
            text += ", " + formatBytes(failed.allocated, unit) + " allocated";
        if (const auto operation = series.text(failed.operation); !operation.empty())
            text += ", in " + printable(operation);
        text += "\n";
    }
    if (device.failed.size() > kShown)
        text += "  and " + formatCount(static_cast<std::int64_t>(device.failed.size() - kShown)) +
                " more times\n";
}

void addSeriesDevice(std::string &text, const Series &series, const SeriesDevice &device,
                     ByteUnit unit)
{
    text += "\n" + printable(device.label);
    if (!device.name.empty())
        text += ", " + printable(device.name);
    if (!device.identity.empty())
        text += ", " + printable(device.identity);
    if (device.total != kNoBytes)
        text += ", " + formatBytes(device.total, unit);
    text += ": " + counted(std::ssize(device.time), "sample") + " in " +
            formatMicroseconds(spanOf(device) / 1000) + "\n";
    if (!device.time.empty())
        text += terminalText(pickedColumns(curvesTable(series, {&device}),
                                           {"curve", "first", "last", "lowest", "highest", "at"}),
                             unit);
    addFailed(text, series, device, unit);
}

void addSpans(std::string &text, const Series &series)
{
    const auto &counts = series.spanCounts();
    std::string line;
    for (std::size_t at = 0; at < kSpanKindCount; ++at) {
        if (counts[at] > 0)
            line += (line.empty() ? "\nSpans: " : ", ") + formatCount(counts[at]) + " " +
                    std::string(spanKindName(SpanKind(at)));
    }
    if (!line.empty())
        text += line + "\n";
}

const char *clockText(Clock clock)
{
    switch (clock) {
    case Clock::Epoch:
        return "times in UTC";
    case Clock::LocalTime:
        return "times in an unknown time zone";
    case Clock::Relative:
        return "times since an unknown moment";
    }
    return "";
}

/// One object of the fields of two, with the field "devices" between them. Each device is written
/// for itself, for a log may have very many.
std::string withDevices(std::string before, std::string_view after, const Series &series)
{
    constexpr std::size_t kFew = 1000; // for so many the text may grow as it is written
    before.back() = ',';
    before += "\"devices\":[";
    std::size_t length = before.size() + 2 + after.size();
    for (const SeriesDevice &device : series.devices())
        length += series.devices().size() > kFew
                      ? jsonText(seriesDeviceJson(series, device)).size() + 1
                      : 0;
    before.reserve(length);
    const char *separator = "";
    for (const SeriesDevice &device : series.devices()) {
        before.append(separator).append(jsonText(seriesDeviceJson(series, device)));
        separator = ",";
    }
    return std::move(before.append("],").append(after.substr(1)));
}

} // namespace

std::string seriesJson(const Series &series, const std::string &file)
{
    Json json{{"file", file},
              {"format", series.format()},
              {"clock", clockName(series.clock())},
              {"rank", orNull(series.rank() >= 0, series.rank())},
              {"world_size", orNull(series.worldSize() >= 0, series.worldSize())}};
    std::string before = jsonText(json);
    json = Json::object();
    const auto &counts = series.spanCounts();
    json["spans"] = Json::object();
    for (std::size_t at = 0; at < kSpanKindCount; ++at)
        json["spans"][std::string(spanKindName(SpanKind(at)))] = counts[at];
    json["facts"] = Json::object();
    for (const Setting &fact : series.facts())
        json["facts"][fact.name] = settingJson(fact);
    json["problems"] = problemsJson(series.problems());
    return withDevices(std::move(before), jsonText(json), series);
}

std::string seriesText(const Series &series, const std::string &file, ByteUnit unit)
{
    std::string text = problemsText(series.problems()) + printable(file) + "\n" + series.format();
    if (series.rank() >= 0)
        text += ", rank " + std::to_string(series.rank());
    if (series.worldSize() >= 0)
        text += " of " + std::to_string(series.worldSize());
    text += std::string(", ") + clockText(series.clock()) + "\n";
    if (!series.devices().empty())
        text += seriesStory(series, unit).answer + "\n";
    for (const SeriesDevice &device : series.devices())
        addSeriesDevice(text, series, device, unit);
    if (series.devices().empty())
        text += "\nNo memory was recorded; for a profiler's trace, record with "
                "profile_memory=True, or run nsys profile with --cuda-memory-usage=true.\n";
    addSpans(text, series);
    if (const DataTable facts = factsTable(series); facts.rows > 0)
        text += "\nFacts\n" + terminalText(facts);
    return text;
}

} // namespace vramscope
