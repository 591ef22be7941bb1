// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/timeline_chart.h"

#include <QGuiApplication>
#include <QPainter>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <iostream>
#include <random>

using namespace vramscope;

namespace {

constexpr int kSteps = 300;
constexpr QSize kSize(1600, 900);

// A device written event by event.
class Writer
{
public:
    explicit Writer(std::uint32_t seed)
        : m_random(seed)
    {
    }

    int below(int bound) { return static_cast<int>(m_random() % static_cast<unsigned>(bound)); }

    std::uint64_t allocate(Bytes size, int stack)
    {
        record(Action::Alloc, m_next += 0x1000'0000, size, stack);
        return m_next;
    }

    void release(std::uint64_t address, Bytes size, int stack)
    {
        record(Action::FreeRequested, address, size, stack);
        record(Action::FreeCompleted, address, size, stack);
    }

    DeviceTrace device;

private:
    void record(Action action, std::uint64_t address, Bytes size, int stack)
    {
        device.events.action.push_back(action);
        device.events.address.push_back(address);
        device.events.size.push_back(size);
        device.events.time.push_back(device.events.count() * 4);
        device.events.stack.push_back(StackId{static_cast<std::uint32_t>(stack)});
        device.events.stream.push_back(StreamId{});
        device.events.pool.push_back(PoolId::Default);
        device.events.context.push_back(ContextId::None);
    }

    std::mt19937 m_random;
    std::uint64_t m_next = 0;
};

struct Live
{
    std::uint64_t address;
    Bytes size;
};

// Parameters stay, activations pile up and go in reverse order, temporaries come and go.
DeviceTrace trainingRun(EventIndex events)
{
    Writer writer(1);
    for (int parameter = 0; parameter < 3000; ++parameter)
        writer.allocate(Bytes(1 + writer.below(64)) * 256 * kKiB, 1 + parameter % 12);
    std::vector<Live> activations;
    while (writer.device.events.count() < events) {
        for (int layer = 0; layer < 1500; ++layer) {
            for (int kind = 0; kind < 2; ++kind) {
                const Bytes size = Bytes(1 + writer.below(40)) * 128 * kKiB;
                activations.push_back({writer.allocate(size, 20 + kind), size});
            }
            for (int temporary = 0; temporary < 3; ++temporary)
                writer.release(writer.allocate(8 * kMiB, 40 + temporary), 8 * kMiB, 50);
        }
        for (; !activations.empty(); activations.pop_back())
            writer.release(activations.back().address, activations.back().size, 60);
    }
    return std::move(writer.device);
}

// 6,000 live blocks of which any may go next: every column changes from the bottom up.
DeviceTrace randomRun(EventIndex events)
{
    Writer writer(2);
    std::vector<Live> live;
    while (writer.device.events.count() < events) {
        if (live.size() < 6000) {
            const Bytes size = Bytes(1 + writer.below(64)) * 128 * kKiB;
            live.push_back({writer.allocate(size, 1 + writer.below(80)), size});
        } else {
            Live &gone = live[static_cast<std::size_t>(writer.below(6000))];
            writer.release(gone.address, gone.size, 90);
            gone = live.back();
            live.pop_back();
        }
    }
    return std::move(writer.device);
}

double millisecondsSince(std::chrono::steady_clock::time_point start)
{
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
        .count();
}

double percentile(std::vector<double> values, double share)
{
    std::ranges::sort(values);
    return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
}

// Zooms in at a random place and out again, with moves in between, as a hand does.
std::vector<Viewport> journey(const TimelineData &data)
{
    std::mt19937 random(3);
    TimelineState state;
    state.reset(data.axis(), data.wholeBytes());
    const Viewport whole = state.whole();
    std::vector<Viewport> places;
    double anchor = 0;
    while (places.size() < kSteps) {
        const std::size_t phase = places.size() % 60;
        if (phase == 0)
            anchor = whole.x.length() * static_cast<double>(random() % 1000) / 1000;
        if (phase % 3 == 2)
            state.moveX(state.visible().x.length() * 0.05);
        else
            state.zoomX(phase < 30 ? 0.75 : 1 / 0.75, anchor);
        places.push_back(state.visible());
    }
    return places;
}

void measure(const char *name, const DeviceTrace &device)
{
    const Allocations allocations(device);
    const UsageCurve curve(device, allocations);
    BandColors colors;
    colors.colors = {seriesColors()[5]};
    colors.of.assign(allocations.count(), 0);
    TimelineData data;
    data.allocations = &allocations;
    data.curve = &curve;
    data.colors = &colors;
    data.times = device.events.time;
    QImage target(kSize, QImage::Format_ARGB32_Premultiplied);
    const ChartStyle style{lightTheme(), ByteUnit::Binary, QGuiApplication::font(), 1};
    const auto paint = [&](const Viewport &viewport) {
        const auto start = std::chrono::steady_clock::now();
        target.fill(style.theme.window);
        QPainter painter(&target);
        TimelineChart(TimelineKind::Active, data, data.axis(), viewport, target.rect(), style)
            .paint(painter);
        return millisecondsSince(start);
    };
    const Viewport whole{data.axis().whole(), data.wholeBytes()};
    const double first = paint(whole);
    std::vector<double> steps;
    std::vector<double> busy; // processor time over all threads: what other load does not change
    for (const Viewport &viewport : journey(data)) {
        const std::clock_t before = std::clock();
        steps.push_back(paint(viewport));
        busy.push_back(1000.0 * static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC);
    }
    const StackGeometry geometry(data.active(), data.axis(), whole, target.width(),
                                 target.height());
    auto start = std::chrono::steady_clock::now();
    const AllocationIndex hit = geometry.lifeAt(geometry.columns() / 2, 50);
    const double hitTime = millisecondsSince(start);
    start = std::chrono::steady_clock::now();
    const std::size_t slices = geometry.slices(hit).size();
    const double outlineTime = millisecondsSince(start);
    std::cout << "{\"run\": \"" << name << "\", \"events\": " << device.events.count()
              << ", \"live_at_peak\": " << allocations.liveAfter(curve.peakActiveEvent()).size()
              << ", \"first_ms\": " << first << ", \"step_median_ms\": " << percentile(steps, 0.5)
              << ", \"step_p95_ms\": " << percentile(steps, 0.95)
              << ", \"step_median_cpu_ms\": " << percentile(busy, 0.5)
              << ", \"step_p95_cpu_ms\": " << percentile(busy, 0.95)
              << ", \"step_worst_ms\": " << percentile(steps, 1) << ", \"hit_ms\": " << hitTime
              << ", \"outline_ms\": " << outlineTime << ", \"outline_columns\": " << slices
              << "}\n";
}

} // namespace

/// Times of painting the active-memory chart at 1600 × 900 along a journey of zooms and moves, one
/// line of JSON a run; milliseconds. bench_timeline [EVENTS]
int main(int argc, char *argv[])
{
    if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    const QGuiApplication application(argc, argv);
    const EventIndex events = argc > 1 ? std::atoi(argv[1]) : 5'000'000;
    measure("training", trainingRun(events));
    measure("random", randomRun(events));
    return 0;
}
