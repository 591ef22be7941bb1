// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// How fast a profiler trace is read and all its tables are made, and what memory that takes, as one
// JSON object a run, beside Python's json.loads() of the same text, measured in turn with ours
// (null where there is no python3); then the medians: bench_profile TRACE.json [RUNS]. It takes an
// export of Nsight Systems as well, which Python does not read: make_nsight_export FILE GIGABYTES
// writes one of any size. The text is not compressed: unfolding is another thread's work.

#include "core/print/profile_report.h"
#include "core/profile/profile_study.h"
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

namespace {

using Clock = std::chrono::steady_clock;

double secondsSince(Clock::time_point start)
{
    return std::chrono::duration<double>(Clock::now() - start).count();
}

} // namespace

int main(int argc, char **argv)
{
    if (argc < 2) {
        std::cerr << "usage: bench_profile TRACE.json [RUNS]\n";
        return 2;
    }
    const std::filesystem::path file = argv[1];
    const int runs = argc > 2 ? std::max(1, std::atoi(argv[2])) : 5;
    const auto bytes = static_cast<double>(std::filesystem::file_size(file));
    std::vector<double> times;
    std::vector<double> ratios;
    for (int run = 0; run < runs; ++run) {
        const auto start = Clock::now();
        const std::clock_t busySince = std::clock();
        auto recording = vramscope::readRecording(file);
        const auto *profile =
            recording.ok() ? std::get_if<std::shared_ptr<const vramscope::Profile>>(&*recording)
                           : nullptr;
        if (profile == nullptr) {
            std::cerr << "This is no profiler trace.\n";
            return 1;
        }
        const double reading = secondsSince(start);
        const vramscope::ProfileStudy study(*profile);
        study.prepareReport();
        const std::size_t printed = vramscope::profileJson(study, {}).size();
        const double all = secondsSince(start);
        const double busy = static_cast<double>(std::clock() - busySince) / CLOCKS_PER_SEC;
        rusage usage{};
        getrusage(RUSAGE_SELF, &usage);
        // Only of a text: another file would be read into memory to no end.
        const auto python = file.extension() == ".json"
                                ? vramscope::bench::pythonSeconds("import json; text = file.read()",
                                                                  "json.loads(text)", file)
                                : std::nullopt;
        const nlohmann::ordered_json result{
            {"file_bytes", bytes},
            {"events", (*profile)->eventCount()},
            {"reading_seconds", reading},
            {"seconds", all},
            {"processor_seconds", busy},
            {"mb_per_processor_second", bytes / busy / 1e6},
            {"printed_bytes", printed},
            {"json_loads_seconds",
             python ? nlohmann::ordered_json(*python) : nlohmann::ordered_json()},
            {"peak_rss_bytes", usage.ru_maxrss * 1024L},
            {"memory_per_file_byte", static_cast<double>(usage.ru_maxrss) * 1024 / bytes},
        };
        std::cout << result.dump() << '\n';
        times.push_back(busy);
        if (python)
            ratios.push_back(*python / busy);
    }
    nlohmann::ordered_json medians{
        {"median_processor_seconds", vramscope::bench::median(times)},
        {"median_mb_per_processor_second", bytes / vramscope::bench::median(times) / 1e6}};
    if (!ratios.empty())
        medians["median_times_as_fast_as_json_loads"] = vramscope::bench::median(ratios);
    std::cout << medians.dump() << '\n';
    return 0;
}
