// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/study/study.h"
#include "core/analysis/what_if/recorded_requests.h"
#include "core/analysis/what_if/replay.h"
#include "core/analysis/what_if/what_if.h"
#include "core/readers/read_trace.h"
#include "core/simulator/recommendation.h"

#include <nlohmann/json.hpp>

#include <chrono>
#include <iostream>

using namespace vramscope;

namespace {

/// Milliseconds of the fastest of three runs.
template<class Work>
double fastest(Work work)
{
    double least = 1e300;
    for (int run = 0; run < 3; ++run) {
        const auto start = std::chrono::steady_clock::now();
        work();
        const std::chrono::duration<double, std::milli> time =
            std::chrono::steady_clock::now() - start;
        least = std::min(least, time.count());
    }
    return least;
}

} // namespace

/// Times of replaying and simulating the first device of a recording, as one line of JSON;
/// milliseconds. bench_replay FILE
int main(int argc, char *argv[])
{
    const auto read = argc == 2 ? readTrace(argv[1]) : Error{ErrorCode::Invalid, "needs a FILE"};
    if (!read.ok()) {
        std::cerr << "bench_replay: " << read.error().text() << '\n';
        return 1;
    }
    const Trace &trace = **read;
    const DeviceTrace &device = trace.devices().front();
    const Allocations allocations(device);
    const auto space = AddressSpace::replay(device, allocations, allocatorRules(trace));

    std::optional<Replay> found;
    const double replayTime = fastest([&] { found = replay(trace, device, allocations, *space); });
    RequestStream stream;
    const double requestTime =
        fastest([&] { stream = recordedRequests(trace, device, allocations, true); });
    nlohmann::ordered_json each;
    for (const std::string &configuration : usualConfigurations(true)) {
        const AllocatorSettings settings = configuredSettings(configuration).settings;
        each[configuration] =
            fastest([&] { static_cast<void>(simulate(stream, settings, kUnknownCapacity)); });
    }
    const auto configurations = usualConfigurations(false);
    const Study study(*read, device);
    const double allTime =
        fastest([&] { static_cast<void>(whatIf(study, configurations, 80 * kGiB)); });
    std::cout << nlohmann::ordered_json{{"events", device.events.count()},
                                        {"exact", found->exact()},
                                        {"replay", replayTime},
                                        {"requests", requestTime},
                                        {"settings", configurations.size() + 1},
                                        {"what_if", allTime},
                                        {"simulate", each}}
              << '\n';
}
