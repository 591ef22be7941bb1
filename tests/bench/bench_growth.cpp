// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// How the time and memory of each stage of a snapshot grow with its events, as a table in Markdown:
// bench_growth RUNS FILE… Milliseconds and MiB, medians of so many runs, each in a process of its
// own, stage after stage on one thread but for reading; beside it Python's pickle.load of the same
// file with its garbage collector off, measured in turn with ours (- where there is no python3).

#include "core/analysis/study/study.h"
#include "core/print/trace_report.h"
#include "core/readers/read_trace.h"
#include "tests/bench/python_time.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace vramscope;

namespace {

struct Stage
{
    const char *name;
    Study::Part part;
};

constexpr std::array kStages{
    Stage{"allocations and address space", Study::Part::Allocations},
    Stage{"curves of active and reserved", Study::Part::Curve},
    Stage{"summary", Study::Part::Summary},
    Stage{"steps", Study::Part::Steps},
    Stage{"leaks", Study::Part::Leaks},
    Stage{"categories", Study::Part::Categories},
};

using Figures = std::vector<std::pair<std::string, double>>;
using Stopwatch = std::chrono::steady_clock;

double millisecondsSince(Stopwatch::time_point start)
{
    return std::chrono::duration<double, std::milli>(Stopwatch::now() - start).count();
}

double peakMebibytes()
{
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_maxrss) / 1024;
}

Figures measure(const std::filesystem::path &file)
{
    Figures figures;
    auto start = Stopwatch::now();
    const auto trace = readTrace(file);
    figures.emplace_back("reading", millisecondsSince(start));
    if (!trace.ok() || (*trace)->devices().empty())
        return {};
    const double reading = peakMebibytes();
    const Study study(*trace, (*trace)->devices().front());
    for (const Stage &stage : kStages) {
        start = Stopwatch::now();
        study.make({stage.part});
        figures.emplace_back(stage.name, millisecondsSince(start));
    }
    figures.emplace_back("peak memory of reading, MiB", reading);
    figures.emplace_back("peak memory of all, MiB", peakMebibytes());
    return figures;
}

/// The report as vramscope-cli trace --json makes it, on all threads.
Figures measureReport(const std::filesystem::path &file)
{
    const auto start = Stopwatch::now();
    const auto trace = readTrace(file);
    if (!trace.ok())
        return {};
    const std::string json = traceJson(*trace, file.string());
    return {{"trace --json, without start and end of its process", millisecondsSince(start)},
            {"peak memory of trace --json, MiB", peakMebibytes()}};
}

/// What measure(file) gives in a process of its own, so that each has its own peak of memory.
template<class Measure>
Figures inOwnProcess(Measure measure, const std::filesystem::path &file)
{
    std::array<int, 2> ends{};
    if (pipe(ends.data()) != 0)
        return {};
    const pid_t child = fork();
    if (child == 0) {
        std::FILE *const out = fdopen(ends[1], "w");
        for (const auto &[name, value] : measure(file))
            std::fprintf(out, "%.6f %s\n", value, name.c_str());
        std::fclose(out);
        std::_Exit(0);
    }
    close(ends[1]);
    Figures figures;
    std::FILE *const in = fdopen(ends[0], "r");
    std::array<char, 200> line{};
    while (std::fgets(line.data(), static_cast<int>(line.size()), in) != nullptr) {
        char *name = nullptr;
        const double value = std::strtod(line.data(), &name);
        std::string text(name + 1);
        text.pop_back();
        figures.emplace_back(std::move(text), value);
    }
    std::fclose(in);
    waitpid(child, nullptr, 0);
    return figures;
}

Figures pickleLoad(const std::filesystem::path &file)
{
    constexpr double kMilliseconds = 1000;
    const auto seconds = bench::pythonSeconds("import pickle", "pickle.load(file)", file);
    return seconds ? Figures{{"Python's pickle.load", kMilliseconds * *seconds}} : Figures{};
}

} // namespace

int main(int argc, char **argv)
{
    const int runs = argc > 2 ? std::atoi(argv[1]) : 0;
    if (runs < 1) {
        std::cerr << "usage: bench_growth RUNS FILE…\n";
        return 2;
    }
    const std::vector<std::filesystem::path> files(argv + 2, argv + argc);
    std::vector<std::string> names; // in their order
    std::map<std::pair<std::string, std::size_t>, std::vector<double>> values;
    for (std::size_t at = 0; at < files.size(); ++at) {
        for (int run = 0; run < runs; ++run) {
            for (const Figures &figures :
                 {inOwnProcess(measure, files[at]), inOwnProcess(measureReport, files[at]),
                  pickleLoad(files[at])}) {
                for (const auto &[name, value] : figures) {
                    if (std::ranges::find(names, name) == names.end())
                        names.push_back(name);
                    values[{name, at}].push_back(value);
                }
            }
        }
    }
    std::cout << "| |";
    for (const std::filesystem::path &file : files)
        std::cout << ' ' << file.stem().string() << " |";
    std::cout << "\n|---|";
    for (std::size_t at = 0; at < files.size(); ++at)
        std::cout << "---|";
    std::cout << '\n';
    for (const std::string &name : names) {
        std::cout << "| " << name << " |";
        for (std::size_t at = 0; at < files.size(); ++at) {
            const auto &of = values[{name, at}];
            std::array<char, 32> cell{'-'};
            if (!of.empty())
                std::snprintf(cell.data(), cell.size(), "%.1f", bench::median(of));
            std::cout << ' ' << cell.data() << " |";
        }
        std::cout << '\n';
    }
    return 0;
}
