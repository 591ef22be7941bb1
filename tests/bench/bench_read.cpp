// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// How fast a trace is read and what memory that takes, as one JSON object a run, beside Python's
// own pickle.load of the same file with its garbage collector off, measured in turn with ours (null
// where there is no python3 or the file is no pickle); then the median of all runs, since single
// ones differ by a third on a shared machine: bench_read FILE [RUNS]

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

// Seconds that Python takes; none where it cannot read the file.
nlohmann::ordered_json pickleLoadSeconds(const std::filesystem::path &file)
{
    setenv("VRAMSCOPE_BENCH_FILE", file.c_str(), 1);
    constexpr const char *kCommand =
        "python3 -c \"import gc, os, pickle, time; gc.disable(); start = time.perf_counter(); "
        "pickle.load(open(os.environ['VRAMSCOPE_BENCH_FILE'], 'rb')); "
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
        const auto trace = vramscope::readTrace(file);
        const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
        const double busy = static_cast<double>(std::clock() - busySince) / CLOCKS_PER_SEC;
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
        const nlohmann::ordered_json python = pickleLoadSeconds(file);
        const auto memory = static_cast<double>(usage.ru_maxrss) * 1024;
        const nlohmann::ordered_json result{
            {"file_bytes", bytes},
            {"events", events},
            {"stacks", (*trace)->stackCount()},
            {"seconds", seconds.count()},
            {"processor_seconds", busy},
            {"mb_per_second", bytes / seconds.count() / 1e6},
            {"pickle_load_seconds", python},
            {"times_as_fast_as_pickle_load",
             python.is_null() ? python
                              : nlohmann::ordered_json(python.get<double>() / seconds.count())},
            {"peak_rss_bytes", usage.ru_maxrss * 1024L},
            {"memory_per_file_byte", memory / bytes},
        };
        std::cout << result.dump() << '\n';
        times.push_back(seconds.count());
        if (!python.is_null())
            ratios.push_back(python.get<double>() / seconds.count());
    }
    nlohmann::ordered_json medians{{"median_seconds", median(times)}};
    if (!ratios.empty())
        medians["median_times_as_fast_as_pickle_load"] = median(ratios);
    std::cout << medians.dump() << '\n';
    return 0;
}
