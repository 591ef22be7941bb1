// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// How fast a profiler trace is read and all its tables are made, and what memory that takes, as one
// JSON object a run, beside Python's json.loads() of the same text, measured in turn with ours
// (null where there is no python3); then the medians: bench_profile TRACE.json [RUNS]. It takes an
// export of Nsight Systems as well: make_nsight_export FILE GIGABYTES writes one of any size.
// The text is not compressed: unfolding is another thread's work.

#include "core/print/profile_report.h"
#include "core/profile/profile_study.h"
#include "core/readers/read_trace.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
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

// Seconds that Python takes; none where it cannot read the file.
nlohmann::ordered_json jsonLoadsSeconds(const std::filesystem::path &file)
{
    setenv("VRAMSCOPE_BENCH_FILE", file.c_str(), 1);
    constexpr const char *kCommand =
        "python3 -c \"import json, os, time; text = open(os.environ['VRAMSCOPE_BENCH_FILE'], "
        "'rb').read(); start = time.perf_counter(); json.loads(text); "
        "print(time.perf_counter() - start)\" 2>/dev/null";
    double seconds = 0;
    std::FILE *output = popen(kCommand, "r");
    const bool known = output != nullptr && std::fscanf(output, "%lf", &seconds) == 1;
    if (output != nullptr)
        pclose(output);
    return known ? nlohmann::ordered_json(seconds) : nlohmann::ordered_json();
}

double median(std::vector<double> values)
{
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::ranges::nth_element(values, middle);
    return *middle;
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
        const nlohmann::ordered_json python = jsonLoadsSeconds(file);
        const nlohmann::ordered_json result{
            {"file_bytes", bytes},
            {"events", (*profile)->eventCount()},
            {"reading_seconds", reading},
            {"seconds", all},
            {"processor_seconds", busy},
            {"mb_per_processor_second", bytes / busy / 1e6},
            {"printed_bytes", printed},
            {"json_loads_seconds", python},
            {"peak_rss_bytes", usage.ru_maxrss * 1024L},
            {"memory_per_file_byte", static_cast<double>(usage.ru_maxrss) * 1024 / bytes},
        };
        std::cout << result.dump() << '\n';
        times.push_back(busy);
        if (!python.is_null())
            ratios.push_back(python.get<double>() / busy);
    }
    nlohmann::ordered_json medians{{"median_processor_seconds", median(times)},
                                   {"median_mb_per_processor_second", bytes / median(times) / 1e6}};
    if (!ratios.empty())
        medians["median_times_as_fast_as_json_loads"] = median(ratios);
    std::cout << medians.dump() << '\n';
    return 0;
}
