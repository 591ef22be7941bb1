// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/read_trace.h"
#include "ui/support/theme.h"
#include "ui/timeline/overview.h"
#include "ui/timeline/timeline_view.h"
#include "ui/trace/trace_page.h"

#include <nlohmann/json.hpp>

#include <QApplication>
#include <QMouseEvent>
#include <QWheelEvent>

#include <algorithm>
#include <chrono>
#include <iostream>
#include <random>

using namespace vramscope;

namespace {

constexpr int kSteps = 400;
constexpr QSize kSize(1600, 900);
using Stopwatch = std::chrono::steady_clock;

double percentile(std::vector<double> values, double share)
{
    std::ranges::sort(values);
    return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
}

// What a hand does to a view, one step at a time: each is given to the real widget as events.
class Hand
{
public:
    Hand(QWidget &view, QWidget &overview)
        : m_view(view)
        , m_overview(overview)
    {
    }

    void step(int number)
    {
        if (number % 40 == 0)
            m_place = QPoint(60 + below(m_view.width() - 80), 40 + below(m_view.height() - 120));
        switch (number % 8) {
        case 0:
        case 1:
        case 2:
            wheel(number % 80 < 40 ? 120 : -120);
            break;
        case 3:
            drag(m_view, m_place, m_place + QPoint(below(160) - 80, below(20) - 10), {});
            break;
        case 4:
        case 5:
            mouse(m_view, QEvent::MouseMove, m_place += QPoint(below(40) - 20, below(40) - 20),
                  Qt::NoButton, {});
            break;
        case 6: // the brush
            drag(m_overview, {m_place.x(), 30}, {m_place.x() + 20 + below(200), 30}, {});
            break;
        default: // scrubbing
            QKeyEvent key(QEvent::KeyPress, below(2) ? Qt::Key_Left : Qt::Key_Right, {});
            QApplication::sendEvent(&m_view, &key);
        }
    }

private:
    int below(int bound) { return static_cast<int>(m_random() % static_cast<unsigned>(bound)); }

    void wheel(int angle)
    {
        QWheelEvent event(m_place, m_view.mapToGlobal(m_place), {}, {0, angle}, Qt::NoButton, {},
                          Qt::NoScrollPhase, false);
        QApplication::sendEvent(&m_view, &event);
    }

    static void mouse(QWidget &widget, QEvent::Type type, QPoint place, Qt::MouseButton button,
                      Qt::KeyboardModifiers keys)
    {
        const bool pressed = button != Qt::NoButton && type != QEvent::MouseButtonRelease;
        QMouseEvent event(type, place, widget.mapToGlobal(place),
                          type == QEvent::MouseMove ? Qt::NoButton : button,
                          pressed ? Qt::MouseButtons(button) : Qt::NoButton, keys);
        QApplication::sendEvent(&widget, &event);
    }

    static void drag(QWidget &widget, QPoint from, QPoint to, Qt::KeyboardModifiers keys)
    {
        mouse(widget, QEvent::MouseButtonPress, from, Qt::LeftButton, keys);
        mouse(widget, QEvent::MouseMove, to, Qt::LeftButton, keys);
        mouse(widget, QEvent::MouseButtonRelease, to, Qt::LeftButton, keys);
    }

    QWidget &m_view;
    QWidget &m_overview;
    QPoint m_place{400, 300};
    std::mt19937 m_random{5};
};

nlohmann::json measure(TracePage &page, TraceView view)
{
    page.setView(view);
    page.state()->fit();
    QWidget &widget = *page.viewWidget();
    QImage target(widget.size(), QImage::Format_ARGB32_Premultiplied);
    Hand hand(widget, *page.findChild<Overview *>());
    std::vector<double> times;
    for (int number = 0; number < kSteps; ++number) {
        const auto start = Stopwatch::now();
        hand.step(number);
        widget.render(&target);
        times.push_back(
            std::chrono::duration<double, std::milli>(Stopwatch::now() - start).count());
    }
    return {{"view", traceViewName(view).toStdString()},
            {"p50_ms", percentile(times, 0.5)},
            {"p95_ms", percentile(times, 0.95)},
            {"worst_ms", percentile(times, 1)}};
}

} // namespace

/// Drives the page of a recording without a screen through zooms, pans, brush strokes, hovering and
/// scrubbing, view by view, and prints what a step costs from the event to the painted view, as
/// JSON. bench_view FILE
int main(int argc, char *argv[])
{
    if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    if (argc != 2) {
        std::cerr << "bench_view FILE\n";
        return 2;
    }
    auto trace = readTrace(argv[1]);
    if (!trace.ok()) {
        std::cerr << argv[1] << ": " << trace.error().text() << '\n';
        return 1;
    }
    QApplication::setPalette(themePalette(lightTheme()));
    TracePage page(analyse(*trace));
    page.resize(kSize);
    page.show();
    page.studyNow();
    QCoreApplication::processEvents();
    nlohmann::json views = nlohmann::json::array();
    for (std::size_t at = 0; at < kTraceViewCount; ++at) {
        const auto view = static_cast<TraceView>(at);
        if (page.isAvailable(view))
            views.push_back(measure(page, view));
    }
    std::cout << nlohmann::json{{"file", argv[1]}, {"steps", kSteps}, {"views", views}}.dump(2)
              << '\n';
    return 0;
}
