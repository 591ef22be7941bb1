// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/categories/categories.h"
#include "core/analysis/categories/groups.h"
#include "core/analysis/costs/call_tree.h"
#include "core/analysis/findings/leaks.h"
#include "core/analysis/findings/peak.h"
#include "core/analysis/study/study.h"
#include "core/readers/read_trace.h"

#include <nlohmann/json.hpp>

#include <chrono>
#include <iostream>

using namespace vramscope;

namespace {

nlohmann::ordered_json times;

// Runs `work`, notes its time under `name` and gives what it gives.
template<class Work>
auto timed(const std::string &name, Work work)
{
    const auto start = std::chrono::steady_clock::now();
    auto result = work();
    times[name + "_ms"] =
        std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    return result;
}

} // namespace

/// Times of each analysis over the first device of a recording, as one line of JSON; milliseconds.
/// bench_groups FILE
int main(int argc, char *argv[])
{
    if (argc != 2) {
        std::cerr << "usage: bench_groups FILE\n";
        return 2;
    }
    const auto read = timed("read", [&] { return readTrace(argv[1]); });
    if (!read.ok() || (*read)->devices().empty()) {
        std::cerr << argv[1] << ": " << (read.ok() ? "no device" : read.error().text()) << '\n';
        return 1;
    }
    const Trace &trace = **read;
    const DeviceTrace &device = trace.devices().front();
    const auto allocations =
        timed("allocations", [&] { return std::make_unique<Allocations>(device); });
    const auto curve =
        timed("curve", [&] { return std::make_unique<UsageCurve>(device, *allocations); });
    const Steps steps =
        timed("steps", [&] { return findSteps(trace, device, *allocations, *curve); });
    const Leaks leaks = timed("leaks", [&] { return findLeaks(*allocations, *curve, steps); });
    const Categories categories =
        timed("categories", [&] { return categorize(trace, device, *allocations); });
    const Study study(*read, device);
    static_cast<void>(study.categories());
    const Peak peak = timed("peak", [&] { return findPeak(study); });
    const CostMeter meter(device, *allocations, peak.event, peak.event);
    for (std::size_t by = 0; by < kGroupByCount; ++by)
        static_cast<void>(timed("by_" + std::string(groupByName(static_cast<GroupBy>(by))), [&] {
            const Keys keys = keysBy(static_cast<GroupBy>(by), study);
            return costsByKey(keys, meter).size();
        }));
    const std::vector<Costs> byStack =
        timed("costs_by_stack", [&] { return costsByStack(trace, meter); });
    static_cast<void>(
        timed("frames_inclusive", [&] { return inclusiveCostsByFrame(trace, byStack).size(); }));
    const CallTree down = timed(
        "tree_top_down", [&] { return CallTree(trace, byStack, CallTree::Direction::TopDown); });
    const CallTree up = timed(
        "tree_bottom_up", [&] { return CallTree(trace, byStack, CallTree::Direction::BottomUp); });

    nlohmann::ordered_json report{
        {"events", device.events.count()}, {"allocations", allocations->count()},
        {"stacks", trace.stackCount()},    {"frames", trace.frameCount()},
        {"steps", steps.steps.size()},     {"leaks", leaks.leaks.size()},
        {"nodes", down.size() + up.size()}};
    report.update(times);
    std::cout << report.dump() << '\n';
    return 0;
}
