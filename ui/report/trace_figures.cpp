// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/report/trace_figures.h"

#include "core/analysis/replayed/summary.h"
#include "core/report/tables.h"
#include "ui/compare/compare_items.h"
#include "ui/trace/render.h"

#include <QLayout>
#include <QPainter>

#include <algorithm>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr int kHeight = 420;
constexpr int kFlameHeight = 900; // stacks are deep, but must stand on a page

/// A flame graph without what is empty below its boxes.
Drawing cutBelowBoxes(Drawing drawing)
{
    constexpr double kLabelMargin = 10;
    constexpr double kTallest = 60; // of a box; what is taller is background
    double bottom = 0;
    for (const Drawing::Item &item : drawing.items) {
        const auto *shape = std::get_if<Drawing::Shape>(&item.what);
        const QRectF bounds = shape ? shape->path.boundingRect() : QRectF();
        if (bounds.height() < kTallest)
            bottom = std::max(bottom, bounds.bottom() + kLabelMargin);
    }
    drawing.size.setHeight(std::min(drawing.size.height(), static_cast<int>(bottom)));
    return drawing;
}

ReportFigure viewFigure(const ComparedTrace &trace, std::string_view kind, std::size_t number,
                        TraceView view, ByteUnit unit)
{
    TraceShot shot;
    shot.view = view;
    shot.titled = false; // the report says it
    const int height = view == TraceView::Stacks ? kFlameHeight : kHeight;
    return {figureId(kind, number), [trace, shot, unit, height](int width, const Theme &theme) {
                const Drawing drawing = pageDrawing({width, height}, theme, [&](QPainter &painter) {
                    paintView(painter, QRect(0, 0, width, height), trace.document, trace.device,
                              shot, theme, unit, trace.document->devices[trace.device], kFineness);
                });
                return shot.view == TraceView::Stacks ? cutBelowBoxes(drawing) : drawing;
            }};
}

Drawing comparedDrawing(const std::vector<ComparedTrace> &traces, ByteUnit unit, int width,
                        const Theme &theme)
{
    StagedComparison comparison;
    comparison.document.traces = traces;
    comparison.unit = unit;
    ComparedCurves curves(comparison, false);
    curves.layout()->unsetContentsMargins(); // it fills no slide
    return widgetDrawing(curves, {width, kHeight}, theme);
}

} // namespace

std::vector<ReportFigure> traceFigures(const ComparedTrace &trace, std::size_t number,
                                       ByteUnit unit)
{
    const Study &device = trace.shown();
    std::vector<ReportFigure> figures;
    const auto add = [&](std::string_view kind, TraceView view) {
        figures.push_back(viewFigure(trace, kind, number, view, unit));
    };
    if (device.hasHistory())
        add("active", TraceView::Active);
    if (device.hasHistory() && device.summary().isReservedKnown)
        add("bands", TraceView::Bands);
    if (trace.document->trace->stackCount() > 0)
        add("stacks", TraceView::Stacks);
    if (device.summary().isReservedKnown)
        add("state", TraceView::State);
    return figures;
}

std::vector<ReportFigure> tracesFigures(const std::vector<ComparedTrace> &traces, ByteUnit unit)
{
    const auto drawn = std::ranges::count_if(
        traces, [](const ComparedTrace &trace) { return trace.shown().hasHistory(); });
    if (drawn < 2 || traces.size() > kMostCompared)
        return {};
    return {{figureId("traces", 0), [traces, unit](int width, const Theme &theme) {
                 return comparedDrawing(traces, unit, width, theme);
             }}};
}

} // namespace vramscope
