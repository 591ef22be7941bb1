// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Times of scrubbing through the address space at 1600 × 900, as one JSON object; milliseconds. A
// device of 1,500 segments in which 6,000 blocks are alive at any time: bench_space [EVENTS]

#include "ui/support/theme.h"
#include "ui/timeline/space_view.h"

#include <QApplication>
#include <QImage>

#include <algorithm>
#include <chrono>
#include <iostream>
#include <map>
#include <random>

using namespace vramscope;

namespace {

using Stopwatch = std::chrono::steady_clock;

constexpr std::uint64_t kBase = 0x7f0000000000;
constexpr int kSegments = 1500;
constexpr int kSlots = 5; // of 4 MiB in each segment of 20 MiB
constexpr int kLive = 6000;
constexpr int kFrames = 300;

double millisecondsSince(Stopwatch::time_point start)
{
    return std::chrono::duration<double, std::milli>(Stopwatch::now() - start).count();
}

double percentile(std::vector<double> values, double share)
{
    std::ranges::sort(values);
    return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
}

void record(DeviceTrace &device, Action action, std::uint64_t address, Bytes size, int stack)
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

// Any block may go next; another takes any free slot.
DeviceTrace randomRun(EventIndex events)
{
    std::mt19937 random(1);
    const auto below = [&](std::size_t bound) { return random() % bound; };
    DeviceTrace device;
    std::vector<std::uint64_t> free;
    for (std::uint64_t slot = 0; slot < kSegments * kSlots; ++slot)
        free.push_back(kBase + slot * 4 * kMiB);
    std::map<std::uint64_t, Bytes> blocks;
    std::vector<std::uint64_t> live;
    while (device.events.count() < events) {
        std::vector<std::uint64_t> &from = live.size() < kLive ? free : live;
        std::swap(from[below(from.size())], from.back());
        const std::uint64_t address = from.back();
        from.pop_back();
        if (&from == &free) {
            const Bytes size = 2 * kMiB + static_cast<Bytes>(below(2'000'000));
            blocks[address] = size;
            live.push_back(address);
            record(device, Action::Alloc, address, size, static_cast<int>(below(80)));
        } else {
            record(device, Action::FreeRequested, address, blocks[address], 90);
            record(device, Action::FreeCompleted, address, blocks[address], 90);
            blocks.erase(address);
            free.push_back(address);
        }
    }
    for (std::uint64_t segment = 0; segment < kSegments; ++segment) {
        const std::uint64_t start = kBase + segment * kSlots * 4 * kMiB;
        FinalSegment last{.address = start, .size = kSlots * 4 * kMiB};
        last.firstBlock = static_cast<std::uint32_t>(device.blocks.size());
        std::uint64_t at = start;
        const auto fill = [&](std::uint64_t to) {
            if (to > at)
                device.blocks.push_back({.address = at, .size = static_cast<Bytes>(to - at)});
            at = to;
        };
        for (auto block = blocks.lower_bound(start);
             block != blocks.end() && block->first < start + kSlots * 4 * kMiB; ++block) {
            fill(block->first);
            const Bytes size = (block->second + 511) / 512 * 512;
            device.blocks.push_back({.address = at,
                                     .size = size,
                                     .requested = block->second,
                                     .state = BlockState::Allocated});
            at += static_cast<std::uint64_t>(size);
        }
        fill(start + kSlots * 4 * kMiB);
        last.blockCount = static_cast<std::uint32_t>(device.blocks.size()) - last.firstBlock;
        device.segments.push_back(last);
    }
    return device;
}

} // namespace

int main(int argc, char *argv[])
{
    if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    const QApplication application(argc, argv);
    const DeviceTrace device = randomRun(argc > 1 ? std::atoi(argv[1]) : 5'000'000);
    const Allocations allocations(device);
    const UsageCurve curve(device, allocations);
    const auto space = AddressSpace::replay(device, allocations, {}, {}, BandsKept::Every);
    BandColors colors;
    colors.colors.assign(seriesColors().begin(), seriesColors().end());
    for (const StackId stack : allocations.stack)
        colors.of.push_back(static_cast<std::uint8_t>(static_cast<std::size_t>(stack) % 12));
    TimelineData data;
    data.allocations = &allocations;
    data.curve = &curve;
    data.colors = &colors;
    data.space = space.get();
    TimelineState state;
    SpaceView view(&state);
    view.resize(1600, 900);
    view.setData(data);
    state.reset(data.axis(), data.wholeBytes());
    QImage target(view.size(), QImage::Format_ARGB32_Premultiplied);
    auto start = Stopwatch::now();
    view.render(&target);
    const double first = millisecondsSince(start);
    std::mt19937 random(2);
    std::vector<double> states;
    std::vector<double> frames;
    for (int frame = 0; frame < kFrames; ++frame) {
        const auto event = static_cast<EventIndex>(random() % static_cast<unsigned>(curve.count()));
        start = Stopwatch::now();
        state.setCursor(event);
        view.render(&target);
        frames.push_back(millisecondsSince(start));
        start = Stopwatch::now();
        static_cast<void>(space->stateAfter(event));
        states.push_back(millisecondsSince(start));
    }
    std::cout << "{\"events\": " << curve.count()
              << ", \"regions\": " << space->stateAfter(curve.count() / 2).regions.size()
              << ", \"unplaced\": " << space->consistency().unplaced << ", \"first_ms\": " << first
              << ", \"frame_p50_ms\": " << percentile(frames, 0.5)
              << ", \"frame_p95_ms\": " << percentile(frames, 0.95)
              << ", \"frame_worst_ms\": " << percentile(frames, 1)
              << ", \"state_p50_ms\": " << percentile(states, 0.5)
              << ", \"state_p95_ms\": " << percentile(states, 0.95) << "}\n";
    return 0;
}
