// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/report/trace_figures.h"

#include "core/document/tables.h"
#include "ui/compare/compare_legend.h"
#include "ui/compare/compare_view.h"
#include "ui/timeline/view_state.h"
#include "ui/trace/render.h"

#include <QPainter>
#include <QVBoxLayout>

#include <algorithm>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr int kHeight = 420;
constexpr int kFlameHeight = 640; // stacks are deep

ReportFigure viewFigure(const ReportedTracePointer &trace, std::string_view kind,
                        std::size_t number, TraceView view, ByteUnit unit)
{
    TraceShot shot;
    shot.view = view;
    const int height = view == TraceView::Stacks ? kFlameHeight : kHeight;
    return {figureId(kind, number), [trace, shot, unit, height](int width, const Theme &theme) {
                QImage image = pageImage({width, height}, theme);
                QPainter painter(&image);
                paintView(painter, QRect(0, 0, width, height), trace->document, trace->device, shot,
                          theme, unit, trace->studied);
                return image;
            }};
}

/// What CompareView draws from; the view refers to it.
struct ComparedCurves
{
    ComparedCurves(const std::vector<ReportedTracePointer> &traces)
    {
        for (const ReportedTracePointer &trace : traces)
            document.traces.push_back({trace->file, {}, trace->document, trace->device});
        scene = CompareScene(document, {});
    }
    ComparisonDocument document;
    CompareScene scene;
};

QImage comparedImage(const std::vector<ReportedTracePointer> &traces, ByteUnit unit, int width,
                     const Theme &theme)
{
    const ComparedCurves curves(traces);
    TimelineState state;
    state.reset(curves.scene.axis(), curves.scene.wholeBytes());
    QWidget page;
    auto *legend = new CompareLegend;
    auto *view = new CompareView(&state);
    legend->setUnit(unit);
    legend->setTraces(curves.document);
    view->setUnit(unit);
    auto *layout = new QVBoxLayout(&page);
    layout->addWidget(legend);
    layout->addWidget(view, 1);
    view->setScene(&curves.document, &curves.scene, {});
    QImage image = widgetImage(page, {width, kHeight}, theme);
    view->setScene(nullptr, nullptr, {});
    return image;
}

} // namespace

std::vector<ReportFigure> traceFigures(const ReportedTracePointer &trace, std::size_t number,
                                       ByteUnit unit)
{
    const DeviceDocument &device = trace->shown();
    std::vector<ReportFigure> figures;
    const auto add = [&](std::string_view kind, TraceView view) {
        figures.push_back(viewFigure(trace, kind, number, view, unit));
    };
    if (device.hasHistory())
        add("active", TraceView::Active);
    if (device.hasHistory() && device.summary.isReservedKnown)
        add("bands", TraceView::Bands);
    if (trace->document->trace->stackCount() > 0)
        add("stacks", TraceView::Stacks);
    if (device.summary.isReservedKnown)
        add("state", TraceView::State);
    return figures;
}

std::vector<ReportFigure> tracesFigures(const std::vector<ReportedTracePointer> &traces,
                                        ByteUnit unit)
{
    const auto drawn = std::ranges::count_if(
        traces, [](const ReportedTracePointer &trace) { return trace->shown().hasHistory(); });
    if (drawn < 2 || traces.size() > kMostCompared)
        return {};
    return {{figureId("traces", 0), [traces, unit](int width, const Theme &theme) {
                 return comparedImage(traces, unit, width, theme);
             }}};
}

} // namespace vramscope
