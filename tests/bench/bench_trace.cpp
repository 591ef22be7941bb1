// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What a user waits for with a recording, one JSON object a file, seconds and milliseconds:
// reading, the analysis before the first picture, the first picture of the active memory at 1600 ×
// 900, what is alive at random events, and the address space behind the bands: bench_trace FILE…

#include "core/analysis/replayed/address_space.h"
#include "core/readers/read_trace.h"
#include "ui/timeline/timeline_chart.h"
#include "ui/trace/trace_document.h"

#include <nlohmann/json.hpp>

#include <QGuiApplication>
#include <QPainter>

#include <algorithm>
#include <chrono>
#include <iostream>
#include <random>

#include <sys/resource.h>

using namespace vramscope;

namespace {

using Stopwatch = std::chrono::steady_clock;
using Json = nlohmann::ordered_json;

constexpr int kQueries = 1000;
constexpr QSize kSize(1600, 900);

double secondsSince(Stopwatch::time_point start)
{
    return std::chrono::duration<double>(Stopwatch::now() - start).count();
}

double percentile(std::vector<double> values, double share)
{
    std::ranges::sort(values);
    return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
}

double peakMemory()
{
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_maxrss) * 1024;
}

// Milliseconds of query(event) at random events.
template<class Query>
Json atRandomEvents(EventIndex events, Query query)
{
    std::mt19937 random(1);
    std::vector<double> times;
    std::size_t answers = 0;
    for (int at = 0; at < kQueries; ++at) {
        const auto event = static_cast<EventIndex>(random() % (unsigned(events) + 1)) - 1;
        const auto start = Stopwatch::now();
        answers += query(event);
        times.push_back(1000 * secondsSince(start));
    }
    return {{"p50_ms", percentile(times, 0.5)},
            {"p95_ms", percentile(times, 0.95)},
            {"worst_ms", percentile(times, 1)},
            {"mean_answer", answers / kQueries}};
}

double firstPicture(const TraceDocument &document)
{
    const auto start = Stopwatch::now();
    const Study &device = *document.devices.front();
    TimelineData data;
    data.allocations = &device.allocations();
    data.curve = &device.curve();
    data.colors = &document.byStack.front().colors;
    data.times = device.device().events.time;
    QImage target(kSize, QImage::Format_ARGB32_Premultiplied);
    const ChartStyle style{lightTheme(), ByteUnit::Binary, QGuiApplication::font(), 1};
    target.fill(style.theme.window);
    QPainter painter(&target);
    const Viewport whole{data.axis().whole(), data.wholeBytes()};
    TimelineChart(TimelineKind::Active, data, data.axis(), whole, target.rect(), style)
        .paint(painter);
    return secondsSince(start);
}

int measure(const std::filesystem::path &file)
{
    auto start = Stopwatch::now();
    auto trace = readTrace(file);
    const double reading = secondsSince(start);
    if (!trace.ok()) {
        std::cerr << file.string() << ": " << trace.error().text() << '\n';
        return 1;
    }
    start = Stopwatch::now();
    const auto document = analyse(*trace);
    const double analysis = secondsSince(start);
    const double picture = firstPicture(*document);
    const double memory = peakMemory(); // of what came before: the first picture is on the screen

    const DeviceTrace &device = (*trace)->devices().front();
    start = Stopwatch::now();
    const Allocations allocations(device);
    const auto space =
        AddressSpace::replay(device, allocations, allocatorRules(**trace), {}, BandsKept::Every);
    const double replay = secondsSince(start);
    const EventIndex events = device.events.count();
    const auto bytes = static_cast<double>(std::filesystem::file_size(file));
    const Json result{
        {"file", file.filename().string()},
        {"file_bytes", bytes},
        {"events", events},
        {"read_s", reading},
        {"analyse_s", analysis},
        {"picture_s", picture},
        {"open_to_picture_s", reading + analysis + picture},
        {"memory_per_file_byte", memory / bytes},
        {"live_set",
         atRandomEvents(events, [&](EventIndex at) { return allocations.liveAfter(at).size(); })},
        {"address_space_s", replay},
        {"address_space_state",
         atRandomEvents(events,
                        [&](EventIndex at) { return space->stateAfter(at).regions.size(); })},
    };
    std::cout << result.dump() << std::endl;
    return 0;
}

} // namespace

int main(int argc, char **argv)
{
    if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    const QGuiApplication application(argc, argv);
    if (argc < 2) {
        std::cerr << "usage: bench_trace FILE…\n";
        return 2;
    }
    int status = 0;
    for (int at = 1; at < argc; ++at)
        status |= measure(argv[at]);
    return status;
}
