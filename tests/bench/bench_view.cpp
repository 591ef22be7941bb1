// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/read_trace.h"
#include "ui/stacks/flame_view.h"
#include "ui/support/theme.h"
#include "ui/timeline/overview.h"
#include "ui/timeline/scrub_strip.h"
#include "ui/timeline/steps_plot.h"
#include "ui/trace/render.h"
#include "ui/trace/stacks_view.h"
#include "ui/trace/trace_page.h"

#include <nlohmann/json.hpp>

#include <QApplication>
#include <QMouseEvent>
#include <QTableView>
#include <QWheelEvent>

#include <algorithm>
#include <array>
#include <chrono>
#include <ctime>
#include <iostream>
#include <random>

using namespace vramscope;

namespace {

constexpr int kSteps = 400;
constexpr std::chrono::microseconds kFrame{16'667};
using Stopwatch = std::chrono::steady_clock;

double percentile(std::vector<double> values, double share)
{
    std::ranges::sort(values);
    return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
}

// What a hand does to a view, one step at a time: each is given to the real widgets as events.
class Hand
{
public:
    static constexpr std::array kGestures = {"zoom",  "pan",    "hover", "brush",
                                             "scrub", "search", "choose"};

    Hand(TracePage &page, TraceView view)
        : m_stacks(view == TraceView::Stacks ? page.findChild<StacksView *>() : nullptr)
        , m_view(m_stacks ? m_stacks->flame()->viewport()
                          : partOf<QTableView>(page, view, TraceView::Events))
        , m_strip(view == TraceView::State ? page.findChild<ScrubStrip *>() : nullptr)
        , m_overview(page.findChild<Overview *>())
        , m_moves(view != TraceView::Stacks && view != TraceView::Events &&
                  view != TraceView::Steps)
    {
        if (view == TraceView::Steps)
            m_view = page.findChild<StepsPlot *>();
    }

    /// Gives the gesture, an index into kGestures.
    std::size_t step(int number)
    {
        if (number % 40 == 0)
            m_place = QPoint(60 + below(m_view->width() - 80), 40 + below(m_view->height() - 120));
        switch (number % 10) {
        case 0:
        case 1:
        case 2:
        case 3:
            zoom(number % 80 < 40);
            return 0;
        case 4:
        case 5:
            return pan(QPoint(below(160) - 80, below(20) - 10));
        case 6:
        case 7:
            mouse(*m_view, QEvent::MouseMove, m_place += QPoint(below(40) - 20, below(40) - 20),
                  Qt::NoButton);
            return 2;
        case 8:
            drag(*m_overview, {m_place.x(), 30}, {m_place.x() + 20 + below(200), 30});
            return 3;
        default:
            if (m_stacks) {
                m_stacks->setSearch(number % 20 < 10 ? QStringLiteral("forward") : QString());
                return 5;
            }
            scrub();
            return 4;
        }
    }

private:
    // The part of a view that is given events: the rows of a list, else all of it.
    template<class List>
    static QWidget *partOf(TracePage &page, TraceView view, TraceView ofList)
    {
        QWidget *whole = page.viewWidget();
        return view == ofList ? whole->findChild<List *>()->viewport() : whole;
    }

    int below(int bound) { return static_cast<int>(m_random() % static_cast<unsigned>(bound)); }

    // A wheel's notch, with Ctrl on the map; a click on a box or a way out of it in the flame
    // graph.
    void zoom(bool in)
    {
        if (m_stacks) {
            const QPoint box(20 + below(m_view->width() - 40), 30 + below(m_view->height() / 2));
            if (in)
                drag(*m_view, box, box);
            else
                key(*m_stacks->flame(), Qt::Key_Backspace);
            return;
        }
        const Qt::KeyboardModifiers keys = m_strip ? Qt::ControlModifier : Qt::NoModifier;
        QWheelEvent event(m_place, m_view->mapToGlobal(m_place), {}, {0, in ? 120 : -120},
                          Qt::NoButton, keys, Qt::NoScrollPhase, false);
        QApplication::sendEvent(m_view, &event);
    }

    // Too short a way is a click: it chooses what is there, as any way does in views that do not
    // move.
    std::size_t pan(QPoint by)
    {
        drag(*m_view, m_place, m_place + by);
        const bool clicks = by.manhattanLength() < QApplication::startDragDistance();
        return clicks || !m_moves ? 6 : 1;
    }

    // The cursor moves: far by the strip of the map, else to the event before or after.
    void scrub()
    {
        if (m_strip)
            drag(*m_strip, {below(m_strip->width()), 10}, {below(m_strip->width()), 10});
        else
            key(*m_view, below(2) ? Qt::Key_Left : Qt::Key_Right);
    }

    static void key(QWidget &widget, int which)
    {
        QKeyEvent event(QEvent::KeyPress, which, {});
        QApplication::sendEvent(&widget, &event);
    }

    static void mouse(QWidget &widget, QEvent::Type type, QPoint place, Qt::MouseButton button)
    {
        const bool pressed = button != Qt::NoButton && type != QEvent::MouseButtonRelease;
        QMouseEvent event(type, place, widget.mapToGlobal(place),
                          type == QEvent::MouseMove ? Qt::NoButton : button,
                          pressed ? Qt::MouseButtons(button) : Qt::NoButton, {});
        QApplication::sendEvent(&widget, &event);
    }

    static void drag(QWidget &widget, QPoint from, QPoint to)
    {
        mouse(widget, QEvent::MouseButtonPress, from, Qt::LeftButton);
        mouse(widget, QEvent::MouseMove, to, Qt::LeftButton);
        mouse(widget, QEvent::MouseButtonRelease, to, Qt::LeftButton);
    }

    StacksView *m_stacks;
    QWidget *m_view;
    ScrubStrip *m_strip;
    Overview *m_overview;
    bool m_moves;
    QPoint m_place{400, 300};
    std::mt19937 m_random{5};
};

nlohmann::json figures(const std::vector<double> &times)
{
    return {{"p50_ms", percentile(times, 0.5)},
            {"p95_ms", percentile(times, 0.95)},
            {"worst_ms", percentile(times, 1)}};
}

// A hand moves a screen's frames apart: until then the window does what its jobs bring it. Returns
// the longest time, in ms, that it did not look for events.
double rest(Stopwatch::time_point until)
{
    double longest = 0;
    for (auto now = Stopwatch::now(); now < until; now = Stopwatch::now()) {
        QCoreApplication::processEvents();
        const auto turn = Stopwatch::now() - now;
        longest = std::max(longest, std::chrono::duration<double, std::milli>(turn).count());
    }
    return longest;
}

// Of every step, from the event to what a window of the page shows: all that the step makes dirty
// is laid out and painted into its backing store.
nlohmann::json measure(TracePage &page, TraceView view, QSize size)
{
    page.setView(view);
    page.state()->fit();
    QCoreApplication::processEvents();
    // The view itself gets the size; what stands beside it takes its share of every change.
    for (int turn = 0; turn < 20 && page.viewWidget()->size() != size; ++turn) {
        page.resize(page.size() + size - page.viewWidget()->size());
        QCoreApplication::processEvents();
    }
    workNow(page);
    QCoreApplication::processEvents();
    Hand hand(page, view);
    std::vector<double> times;
    std::vector<double> between; // the longest turn of the window's own between two steps
    std::vector<double> worked;  // of all threads: says more where others use the machine too
    std::array<std::vector<double>, Hand::kGestures.size()> byGesture;
    for (int number = 0; number < kSteps; ++number) {
        const auto start = Stopwatch::now();
        const std::clock_t before = std::clock();
        const std::size_t gesture = hand.step(number);
        QCoreApplication::sendPostedEvents(); // layouts and what is to be painted
        times.push_back(
            std::chrono::duration<double, std::milli>(Stopwatch::now() - start).count());
        byGesture[gesture].push_back(times.back());
        worked.push_back(1000.0 * static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC);
        between.push_back(rest(start + kFrame));
    }
    nlohmann::json result = figures(times);
    result["between"] = figures(between);
    result["cpu_p95_ms"] = percentile(worked, 0.95);
    result["view"] = rowOf(view).name.toStdString();
    result["size"] = {page.viewWidget()->width(), page.viewWidget()->height()};
    for (std::size_t at = 0; at < byGesture.size(); ++at) {
        if (!byGesture[at].empty())
            result[Hand::kGestures[at]] = figures(byGesture[at]);
    }
    return result;
}

} // namespace

/// Drives the page of a recording without a screen through zooms, pans, hovering, brush strokes and
/// scrubbing (searching, in the flame graph), view by view, each SIZE large (1920x1080 where none
/// is given), and prints what a step costs from the event to the painted window, as JSON.
/// bench_view FILE [SIZE [VIEW]]
int main(int argc, char *argv[])
{
    if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    const QStringList arguments = QApplication::arguments();
    const QStringList sides = arguments.value(2, QStringLiteral("1920x1080")).split(u'x');
    const QSize size(sides.value(0).toInt(), sides.value(1).toInt());
    if (argc < 2 || argc > 4 || size.isEmpty()) {
        std::cerr << "bench_view FILE [WIDTHxHEIGHT [VIEW]]\n";
        return 2;
    }
    auto trace = readTrace(argv[1]);
    if (!trace.ok()) {
        std::cerr << argv[1] << ": " << trace.error().text() << '\n';
        return 1;
    }
    QApplication::setPalette(themePalette(lightTheme()));
    TracePage page(analyse(*trace));
    page.resize(size);
    page.show();
    page.studyNow();
    QCoreApplication::processEvents();
    nlohmann::json views = nlohmann::json::array();
    for (const TraceViewRow &row : traceViews()) {
        const bool wanted = argc < 4 || row.name == arguments[3];
        if (wanted && page.isAvailable(row.view))
            views.push_back(measure(page, row.view, size));
    }
    std::cout << nlohmann::json{{"file", argv[1]}, {"steps", kSteps}, {"views", views}}.dump(2)
              << '\n';
    return 0;
}
