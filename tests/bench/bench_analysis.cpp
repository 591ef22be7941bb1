// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/costs/costs.h"
#include "core/analysis/replayed/summary.h"
#include "core/analysis/replayed/usage_curve.h"
#include "core/trace/trace_builder.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <random>

using namespace vramscope;

namespace {

constexpr std::size_t kLiveBlocks = 6000;
constexpr int kQueries = 1000;

double millisecondsSince(std::chrono::steady_clock::time_point start)
{
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
        .count();
}

// Random allocations and frees around a constant number of live blocks, addresses reused as an
// allocator does, a third of them for long.
std::shared_ptr<const Trace> makeTrace(EventIndex events)
{
    std::mt19937_64 random(1);
    TraceBuilder builder;
    std::vector<StackId> stacks;
    for (int index = 0; index < 200; ++index) {
        const FrameId frame = builder.internFrame("forward", "model.py", index);
        stacks.push_back(builder.internStack(std::span(&frame, 1)));
    }
    const StreamId stream = builder.internStream(0);
    EventLog log;
    std::vector<std::uint64_t> live;
    std::vector<std::uint64_t> cached;
    std::uint64_t next = 0x7f0000000000U;
    std::int64_t time = 1'700'000'000'000'000;
    const auto add = [&](Action action, std::uint64_t address) {
        const auto stack = stacks[random() % stacks.size()];
        const auto size = static_cast<Bytes>(address % 4096 + 512);
        log.append({.action = action,
                    .address = address,
                    .size = size,
                    .time = time += 5,
                    .stack = stack,
                    .stream = stream});
    };
    while (log.count() < static_cast<std::size_t>(events)) {
        if (live.size() < kLiveBlocks || random() % 2 == 0) {
            if (cached.empty())
                cached.push_back(next += 2048);
            live.push_back(cached.back());
            cached.pop_back();
            add(Action::Alloc, live.back());
        } else {
            // Mostly the youngest go, as temporaries do.
            const std::size_t among = random() % 3 == 0 ? live.size() : 40;
            const std::size_t at = live.size() - 1 - random() % among;
            add(Action::FreeRequested, live[at]);
            add(Action::FreeCompleted, live[at]);
            cached.push_back(live[at]);
            std::swap(live[at], live.back());
            live.pop_back();
        }
    }
    builder.addEvents(0, std::move(log));
    std::vector<FinalBlock> blocks;
    std::ranges::sort(live);
    for (const std::uint64_t address : live) {
        blocks.assign(1, {.size = 2048, .requested = 512, .state = BlockState::Allocated});
        builder.addSegment(0, {.address = address, .size = 2048}, blocks);
    }
    return std::move(*builder.finish());
}

} // namespace

/// Times of the analysis on a recording made in memory, as one line of JSON; milliseconds.
/// bench_analysis [EVENTS]
int main(int argc, char *argv[])
{
    const EventIndex events = argc > 1 ? std::atoi(argv[1]) : 5'000'000;
    const std::shared_ptr<const Trace> trace = makeTrace(events);
    const DeviceTrace &device = trace->devices().front();

    auto start = std::chrono::steady_clock::now();
    const Allocations allocations(device);
    const double allocationsTime = millisecondsSince(start);

    start = std::chrono::steady_clock::now();
    const UsageCurve curve(device, allocations);
    const double curveTime = millisecondsSince(start);

    start = std::chrono::steady_clock::now();
    const DeviceSummary summary = summarize(*trace, device, allocations, curve);
    const double summaryTime = millisecondsSince(start);

    std::mt19937 random(2);
    std::vector<double> queries;
    std::size_t found = 0;
    for (int query = 0; query < kQueries; ++query) {
        const auto event =
            static_cast<EventIndex>(random() % static_cast<unsigned>(device.events.count()));
        start = std::chrono::steady_clock::now();
        found += allocations.liveAfter(event).size();
        queries.push_back(millisecondsSince(start));
    }
    std::ranges::sort(queries);

    start = std::chrono::steady_clock::now();
    const auto groups = groupByStack(allocations, allocations.liveAfter(curve.peakActiveEvent()));
    const double groupsTime = millisecondsSince(start);

    const nlohmann::ordered_json report{{"events", summary.events},
                                        {"allocations", allocations.count()},
                                        {"allocations_ms", allocationsTime},
                                        {"curve_ms", curveTime},
                                        {"summary_ms", summaryTime},
                                        {"live_blocks_mean", found / kQueries},
                                        {"live_after_median_ms", queries[queries.size() / 2]},
                                        {"live_after_worst_ms", queries.back()},
                                        {"groups_at_peak", groups.size()},
                                        {"groups_at_peak_ms", groupsTime}};
    std::cout << report.dump() << '\n';
    return 0;
}
