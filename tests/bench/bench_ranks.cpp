// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
//   bench_ranks FILE.vramranks
//
// Opens the summaries of a run and paints their page at 1920 × 1080, without a screen: how long it
// takes to its first picture, with the figures of the ranks, and to its last, with their curves,
// and the processor time of both; the parts of it; and the processor time of a frame of the heat
// map that is painted anew, as while it is zoomed.
#include "core/ranks/collect_runs.h"
#include "core/ranks/run_study.h"
#include "ui/ranks/heat_map.h"
#include "ui/ranks/ranks_page.h"
#include "ui/support/theme.h"

#include <nlohmann/json.hpp>

#include <QApplication>
#include <QImage>

#include <algorithm>
#include <array>
#include <chrono>
#include <ctime>
#include <filesystem>
#include <iostream>
#include <vector>

using namespace vramscope;

namespace {

using Stopwatch = std::chrono::steady_clock;

double millisecondsSince(Stopwatch::time_point start)
{
    return std::chrono::duration<double, std::milli>(Stopwatch::now() - start).count();
}

/// The same of this thread's work alone, whatever runs beside it.
template<class Work>
double processorTime(const Work &work)
{
    const std::clock_t start = std::clock();
    work();
    return 1e3 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

template<class Work>
double timed(const Work &work)
{
    const auto start = Stopwatch::now();
    work();
    return millisecondsSince(start);
}

} // namespace

int main(int argc, char *argv[])
{
    qputenv("QT_QPA_PLATFORM", "offscreen");
    const QApplication application(argc, argv);
    if (argc < 2) {
        std::cerr << "bench_ranks FILE.vramranks\n";
        return 2;
    }
    const std::filesystem::path file(argv[1]);
    nlohmann::ordered_json json;
    constexpr QSize kScreen(1920, 1080);
    const auto start = Stopwatch::now();
    const std::clock_t work = std::clock();
    // On the clock, and on the processors, which other programs take from it.
    const auto note = [&](const char *name) {
        json[name] = {
            {"clock_ms", millisecondsSince(start)},
            {"processor_ms", 1e3 * static_cast<double>(std::clock() - work) / CLOCKS_PER_SEC}};
    };
    const auto read = readRunFigures(file);
    if (!read) {
        std::cerr << read.error().text() << '\n';
        return 1;
    }
    note("figures");
    RanksPage page(*read);
    page.setPalette(themePalette(lightTheme()));
    page.resize(kScreen);
    QImage image(kScreen, QImage::Format_RGB32);
    note("page");
    page.render(&image);
    note("first_picture");
    while (!page.study().run.areCurvesRead) // a job reads them, which began with the page
        QApplication::processEvents(QEventLoop::WaitForMoreEvents);
    note("curves");
    page.render(&image);
    note("all");
    const RunStudyPointer study = page.sharedStudy();
    json["ranks"] = study->count();

    CollectedRuns runs;
    json["parts"]["collect_ms"] = timed([&] { runs = collectRuns(std::array{file}).value(); });
    RankedRun run;
    json["parts"]["rank_ms"] = timed([&] { run = rankedRun(runs.run); });
    json["parts"]["findings_ms"] = timed([&] { (void)findingsOf(run); });
    if (HeatMap *map = page.heatMap()) {
        std::vector<double> frames;
        constexpr int kFrames = 20;
        for (int at = 0; at < kFrames; ++at) {
            map->setZoom(1.0 + at); // paints all of it anew
            frames.push_back(processorTime([&] { map->render(&image); }));
        }
        std::ranges::sort(frames);
        json["frame_median_ms"] = frames[kFrames / 2];
        json["frame_most_ms"] = frames.back();
        map->setZoom(1);
        json["frame_whole_ms"] = processorTime([&] { map->render(&image); });
        json["frame_kept_ms"] = processorTime([&] { map->render(&image); });
    }
    std::cout << json.dump(2) << '\n';
    return 0;
}
