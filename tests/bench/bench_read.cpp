// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// How fast a trace is read and what memory that takes, as one JSON object a run, beside Python's
// own pickle.load of the same file with its garbage collector off, measured in turn with ours (null
// where there is no python3 or the file is no pickle); then the median of all runs, since single
// ones differ by a third on a shared machine: bench_read FILE [RUNS]

#include "core/readers/read_trace.h"
#include "tests/bench/python_time.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <iostream>
#include <vector>

#include <sys/resource.h>

using namespace vramscope;
using bench::median;
using Json = nlohmann::ordered_json;

int main(int argc, char **argv)
{
    if (argc < 2) {
        std::cerr << "usage: bench_read FILE [RUNS]\n";
        return 2;
    }
    const std::filesystem::path file = argv[1];
    const int runs = argc > 2 ? std::max(1, std::atoi(argv[2])) : 5;
    std::vector<double> times;
    std::vector<double> ratios;
    for (int run = 0; run < runs; ++run) {
        const auto start = std::chrono::steady_clock::now();
        const std::clock_t busySince = std::clock();
        const auto trace = readTrace(file);
        const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
        const double busy = static_cast<double>(std::clock() - busySince) / CLOCKS_PER_SEC;
        if (!trace.ok()) {
            std::cerr << trace.error().text() << '\n';
            return 1;
        }
        std::int64_t events = 0;
        for (const DeviceTrace &device : (*trace)->devices())
            events += device.events.count();
        rusage usage{};
        getrusage(RUSAGE_SELF, &usage);
        const auto bytes = static_cast<double>(std::filesystem::file_size(file));
        const auto python = bench::pythonSeconds("import pickle", "pickle.load(file)", file);
        const auto memory = static_cast<double>(usage.ru_maxrss) * 1024;
        const Json result{
            {"file_bytes", bytes},
            {"events", events},
            {"stacks", (*trace)->stackCount()},
            {"seconds", seconds.count()},
            {"processor_seconds", busy},
            {"mb_per_second", bytes / seconds.count() / 1e6},
            {"pickle_load_seconds", python ? Json(*python) : Json()},
            {"times_as_fast_as_pickle_load", python ? Json(*python / seconds.count()) : Json()},
            {"peak_rss_bytes", usage.ru_maxrss * 1024L},
            {"memory_per_file_byte", memory / bytes},
        };
        std::cout << result.dump() << '\n';
        times.push_back(seconds.count());
        if (python)
            ratios.push_back(*python / seconds.count());
    }
    Json medians{{"median_seconds", median(times)}};
    if (!ratios.empty())
        medians["median_times_as_fast_as_pickle_load"] = median(ratios);
    std::cout << medians.dump() << '\n';
    return 0;
}
