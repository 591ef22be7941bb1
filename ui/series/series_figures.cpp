// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/series/series_figures.h"

#include "core/report/tables.h"
#include "ui/series/series_text.h"
#include "ui/series/series_view.h"
#include "ui/support/text.h"
#include "ui/timeline/view_state.h"
#include "ui/trace/legend_bar.h"

#include <QPainter>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr int kSeriesHeight = 360;
constexpr int kMargin = 10;
constexpr std::size_t kMostDrawn = 4;

/// The devices to draw, each on its own; none: all in one picture.
using Shown = std::vector<std::optional<std::size_t>>;

Shown shownOf(const SeriesDocument &document)
{
    if (document.isLog() && document.devices.size() > 1)
        return {std::nullopt};
    const auto isHost = [&](std::size_t at) {
        return document.devices[at].recorded->kind == DeviceKind::Cpu;
    };
    // The host comes last; next to devices it is not the subject of the recording.
    Shown shown;
    for (std::size_t at = 0; at < std::min(document.devices.size(), kMostDrawn); ++at) {
        if (at == 0 || !isHost(at))
            shown.emplace_back(at);
    }
    return shown;
}

/// The curves of one device or of all, above their legend.
Drawing curvesDrawing(const SeriesDocument &document, std::optional<std::size_t> device,
                      ByteUnit unit, int width, const Theme &theme)
{
    const SeriesScene scene(document, device);
    TimelineState state;
    state.reset(scene.axis(), scene.wholeBytes());
    SeriesView view(&state);
    view.setScene(document.series.get(), &scene);
    view.setUnit(unit);
    std::vector<LegendEntry> legend;
    for (const SceneCurve &curve : scene.curves())
        legend.push_back({curve.name, curve.color ? curve.color : theme.text.rgb()});
    const int line = QFontMetrics(view.font()).height() + kMargin;
    Drawing drawing = widgetDrawing(view, {width, kSeriesHeight - line}, theme);
    view.setScene(nullptr, nullptr);
    const Drawing below = recorded({width, kSeriesHeight}, [&](QPainter &painter) {
        painter.fillRect(QRect(0, kSeriesHeight - line, width, line), theme.card);
        painter.setFont(view.font());
        paintLegend(
            painter,
            QRectF(kMargin, kSeriesHeight - line, width - 2 * kMargin, line - kMargin / 2.0),
            legend, 0, theme.text);
    });
    drawing.items.insert(drawing.items.end(), below.items.begin(), below.items.end());
    drawing.size.setHeight(kSeriesHeight);
    return drawing;
}

} // namespace

SeriesSubject seriesSubject(const SeriesPointer &series, const std::string &file,
                            std::size_t number)
{
    SeriesSubject subject{
        *series->series, file, number, formatTitle(*series->series).toStdString(), {}, {}};
    for (const auto &device : shownOf(*series))
        subject.drawn.push_back(
            device ? "Memory over time, " +
                         deviceTitle(*series->devices[*device].recorded).toStdString()
                   : "Memory in use of every device over time");
    for (const QString &doubt : problemsText(*series->series).split(u'\n', Qt::SkipEmptyParts))
        subject.doubts.push_back(doubt.toStdString());
    return subject;
}

std::vector<ReportFigure> seriesFigures(const SeriesPointer &series, std::size_t number,
                                        ByteUnit unit)
{
    std::vector<ReportFigure> figures;
    const Shown shown = shownOf(*series);
    for (std::size_t at = 0; at < shown.size(); ++at)
        figures.push_back({figureId("series" + std::to_string(at), number),
                           [series, device = shown[at], unit](int width, const Theme &theme) {
                               return curvesDrawing(*series, device, unit, width, theme);
                           }});
    return figures;
}

} // namespace vramscope
