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
        const auto trace = vramscope::readTrace(file);
        const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
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
            {"mb_per_second", bytes / seconds.count() / 1e6},
            {"peak_rss_bytes", usage.ru_maxrss * 1024L},
        };
        std::cout << result.dump() << '\n';
    }
    return 0;
}
