// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/profile_builder.h"
#include "ui/profile/profile_timeline.h"
#include "ui/support/theme.h"

#include <nlohmann/json.hpp>

#include <QApplication>
#include <QMouseEvent>
#include <QWheelEvent>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <iostream>
#include <random>
#include <string>

using namespace vramscope;

namespace {

constexpr QSize kSize(1600, 900);
constexpr int kSteps = 400;
using Stopwatch = std::chrono::steady_clock;

/// A made-up run of so many events: two streams of kernels, of which one in twelve overlaps the one
/// before, collectives beside them, a call and two nested operators for each, on two threads.
std::shared_ptr<const Profile> madeUp(std::int64_t events)
{
    ProfileBuilder builder;
    std::mt19937 random(7);
    const auto below = [&](std::int64_t bound) {
        return static_cast<std::int64_t>(random() % static_cast<unsigned>(bound));
    };
    std::vector<StringId> names;
    for (int at = 0; at < 200; ++at)
        names.push_back(
            builder.internText((at % 20 == 0 ? "ncclDevKernel_" : "void at::native::gemm_kernel<") +
                               std::to_string(at)));
    const StringId call = builder.internText("cudaLaunchKernel");
    const std::uint32_t threads[] = {builder.thread("1", "1"), builder.thread("1", "2")};
    std::int64_t host[2] = {0, 0};
    std::int64_t device[2] = {5000, 5000};
    for (std::int64_t at = 0; at < events / 4; ++at) {
        const auto side = static_cast<std::size_t>(below(8) == 0);
        ProfileEvent event;
        event.thread = threads[side];
        event.name = names[static_cast<std::size_t>(below(200))];
        event.kind = ProfileEventKind::Operator;
        event.start = host[side] + below(500);
        event.end = event.start + 6000 + below(4000);
        builder.add(event);
        ProfileEvent inner = event;
        inner.start += 500;
        inner.end -= 500;
        builder.add(inner);
        ProfileEvent launch = inner;
        launch.kind = ProfileEventKind::Call;
        launch.name = call;
        launch.start += 500;
        launch.end = launch.start + 1500;
        launch.correlation = at;
        builder.add(launch);
        ProfileEvent work = event;
        work.kind = ProfileEventKind::Work;
        work.device = 0;
        work.stream = 7 + static_cast<std::int64_t>(side) * 4;
        work.correlation = at;
        work.start = std::max(device[side], launch.end);
        work.end = work.start + 500 + below(12'000);
        builder.add(work);
        device[side] = below(12) == 0 ? work.end - 100 : work.end + below(800);
        host[side] = event.end + below(2000);
    }
    builder.setEventCount(events);
    return builder.finish([] { return true; });
}

nlohmann::json figures(std::vector<double> times)
{
    std::ranges::sort(times);
    const auto at = [&](double share) {
        return times[static_cast<std::size_t>(share * static_cast<double>(times.size() - 1))];
    };
    return {{"p50_ms", at(0.5)}, {"p95_ms", at(0.95)}, {"worst_ms", at(1)}};
}

void drag(QWidget &widget, QPoint from, QPoint to)
{
    const auto send = [&](QEvent::Type type, QPoint at, Qt::MouseButton button,
                          Qt::MouseButtons held) {
        QMouseEvent event(type, at, widget.mapToGlobal(at), button, held, {});
        QApplication::sendEvent(&widget, &event);
    };
    send(QEvent::MouseButtonPress, from, Qt::LeftButton, Qt::LeftButton);
    send(QEvent::MouseMove, to, Qt::NoButton, Qt::LeftButton);
    send(QEvent::MouseButtonRelease, to, Qt::LeftButton, {});
}

void measure(ProfileTimeline &timeline, nlohmann::json &result)
{
    QWidget &plane = *timeline.viewport();
    QImage target(plane.size(), QImage::Format_ARGB32_Premultiplied);
    std::mt19937 random(5);
    const auto below = [&](int bound) {
        return static_cast<int>(random() % static_cast<unsigned>(bound));
    };
    std::vector<double> zooms;
    std::vector<double> pans;
    std::vector<double> hovers;
    std::vector<double> worked; // of the processor: says more where others use the machine too
    QPoint place(800, 400);
    for (int number = 0; number < kSteps; ++number) {
        if (number % 40 == 0)
            place = QPoint(200 + below(1300), 100 + below(700));
        const auto start = Stopwatch::now();
        const std::clock_t before = std::clock();
        std::vector<double> *of = &zooms;
        if (number % 10 < 5) {
            QWheelEvent event(place, plane.mapToGlobal(place), {},
                              {0, number % 80 < 40 ? 120 : -120}, Qt::NoButton, {},
                              Qt::NoScrollPhase, false);
            QApplication::sendEvent(&plane, &event);
        } else if (number % 10 < 8) {
            of = &pans;
            drag(plane, place, place + QPoint(below(160) - 80, below(20) - 10));
        } else {
            of = &hovers;
            const QPoint at = place + QPoint(below(40) - 20, below(40) - 20);
            QMouseEvent event(QEvent::MouseMove, at, plane.mapToGlobal(at), Qt::NoButton, {}, {});
            QApplication::sendEvent(&plane, &event);
        }
        plane.render(&target);
        of->push_back(std::chrono::duration<double, std::milli>(Stopwatch::now() - start).count());
        worked.push_back(1000.0 * static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC);
    }
    result["zoom"] = figures(zooms);
    result["pan"] = figures(pans);
    result["hover"] = figures(hovers);
    result["cpu"] = figures(worked);
}

} // namespace

/// Drives the timeline of a made-up profile without a screen through zooms, pans and hovering at
/// 1600 × 900, and prints what a step costs from the event to the painted view, as JSON.
/// bench_profile_view [EVENTS]
int main(int argc, char *argv[])
{
    if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    const std::int64_t events = argc > 1 ? std::stoll(argv[1]) : 5'000'000;
    QApplication::setPalette(themePalette(lightTheme()));
    nlohmann::json result{{"events", events}, {"steps", kSteps}};
    const auto profile = madeUp(events);
    const auto start = Stopwatch::now();
    const auto document = analyse(profile);
    result["analyse_ms"] =
        std::chrono::duration<double, std::milli>(Stopwatch::now() - start).count();
    ProfileState state;
    ProfileTimeline timeline(document, &state);
    state.reset(static_cast<double>(document->end - document->origin));
    timeline.resize(kSize);
    timeline.show();
    QCoreApplication::processEvents();
    measure(timeline, result);
    std::cout << result.dump(2) << '\n';
    return 0;
}
