// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// How fast a trace is read and what memory that takes, as one JSON object a run:
// bench_read FILE [RUNS]

#include "core/readers/read_trace.h"

#include <nlohmann/json.hpp>

#include <chrono>
#include <cstdlib>
#include <iostream>

#include <sys/resource.h>

namespace {

/// Time on a processor so far, which others on the machine do not lengthen.
double processorSeconds()
{
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    const auto seconds = [](const timeval &time) {
        return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
    };
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

} // namespace

int main(int argc, char **argv)
{
    if (argc < 2) {
        std::cerr << "usage: bench_read FILE [RUNS]\n";
        return 2;
    }
    const std::filesystem::path file = argv[1];
    const int runs = argc > 2 ? std::atoi(argv[2]) : 1;
    for (int run = 0; run < runs; ++run) {
        const auto start = std::chrono::steady_clock::now();
        const double processorStart = processorSeconds();
        const auto trace = vramscope::readTrace(file);
        const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
        const double processor = processorSeconds() - processorStart;
        if (!trace.ok()) {
            std::cerr << trace.error().text() << '\n';
            return 1;
        }
        std::int64_t events = 0;
        for (const vramscope::DeviceTrace &device : (*trace)->devices())
            events += device.events.count();
        rusage usage{};
        getrusage(RUSAGE_SELF, &usage);
        const auto bytes = static_cast<double>(std::filesystem::file_size(file));
        const nlohmann::ordered_json result{
            {"file_bytes", bytes},
            {"events", events},
            {"stacks", (*trace)->stackCount()},
            {"seconds", seconds.count()},
            {"processor_seconds", processor},
            {"mb_per_processor_second", bytes / processor / 1e6},
            {"peak_rss_bytes", usage.ru_maxrss * 1024L},
        };
        std::cout << result.dump() << '\n';
    }
    return 0;
}
