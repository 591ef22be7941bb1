// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/series/series_items.h"

#include "core/report/tables.h"
#include "ui/page/layout.h"
#include "ui/series/series_text.h"
#include "ui/series/series_view.h"
#include "ui/stage/slide_bars.h"
#include "ui/stage/stage_item.h"
#include "ui/stage/stage_views.h"
#include "ui/support/text.h"
#include "ui/timeline/view_state.h"
#include "ui/trace/legend_bar.h"

#include <QPainter>
#include <QVBoxLayout>

#include <algorithm>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr std::size_t kMostShown = 4; ///< few enough to be read from afar
constexpr std::size_t kInALine = 4;   ///< names of curves

/// The curves of a scene, with their legend.
class SeriesCurves : public QWidget
{
public:
    SeriesCurves(const StagedSeries &of, std::optional<std::size_t> device)
        : m_document(of.document)
        , m_scene(*m_document, device)
        , m_state(new TimelineState(this))
        , m_view(new SeriesView(m_state))
    {
        auto *legend = new LegendBar;
        std::vector<LegendEntry> names;
        for (const SceneCurve &curve : m_scene.curves()) {
            if (curve.shown)
                names.push_back({curve.name, curve.color});
        }
        legend->setFixed(std::move(names), of.unit);
        legend->showNamesAlone(m_scene.curves().size() > kInALine ? 2 : 1);
        setLayout(column({{m_view, 1}, legend}, kStyleSpacing));
        m_view->setUnit(of.unit);
        m_state->reset(m_scene.axis(), m_scene.wholeBytes());
        m_view->setScene(m_document->series.get(), &m_scene);
    }
    ~SeriesCurves() override { m_view->setScene(nullptr, nullptr); }

private:
    std::shared_ptr<const SeriesDocument> m_document;
    SeriesScene m_scene;
    TimelineState *m_state;
    SeriesView *m_view;
};

/// The highest sample of a curve and its moment on the axis of a scene.
struct Peak
{
    const SceneCurve *curve = nullptr;
    Bytes bytes = 0;
    QString time;
};

std::optional<Peak> peakOf(const SeriesScene &scene, const SceneCurve &curve)
{
    const auto at = curve.samples->highest(0, curve.samples->count() - 1);
    if (!at)
        return std::nullopt;
    const std::int64_t time = curve.device->times.microseconds()[*at] - scene.start();
    return Peak{&curve, curve.samples->at(*at), toQString(formatMicroseconds(time))};
}

/// Peaks of the curves that are not part of another one, the highest first.
std::vector<Peak> peaksOf(const SeriesScene &scene)
{
    std::vector<Peak> peaks;
    for (const SceneCurve &curve : scene.curves()) {
        const std::optional<Peak> peak = peakOf(scene, curve);
        if (peak && curve.look != SceneCurve::Look::Band)
            peaks.push_back(*peak);
    }
    std::ranges::stable_sort(peaks, std::greater(), &Peak::bytes);
    return peaks;
}

StageScene answerScene(const StagedSeries &of)
{
    const SeriesScene scene(*of.document, of.device);
    const std::vector<Peak> peaks = peaksOf(scene);
    std::vector<std::pair<QString, Bytes>> levels;
    QStringList remarks;
    for (const Peak &peak : peaks) {
        if (levels.size() < kMostShown)
            levels.emplace_back(peak.curve->name, peak.bytes);
    }
    std::optional<Bytes> limit;
    if (scene.limit() > 0 && scene.showsLimit())
        limit = scene.limit();
    else if (scene.limit() > 0)
        remarks += u"Size of the device: %1"_s.arg(bytesText(scene.limit(), of.unit));
    if (peaks.size() > kMostShown)
        remarks += u"%1 more peak no higher"_s.arg(peaks.size() - kMostShown);
    remarks += formatTitle(*of.document->series) + u" · "_s + recordedText(*of.document, scene);
    return {headlineText(*of.document, scene, of.unit),
            std::make_shared<SlideBarsView>(levelBars(levels, of.unit, limit, std::move(remarks)))};
}

StageScene curvesScene(const StagedSeries &of, std::optional<std::size_t> device)
{
    return {headlineText(*of.document, SeriesScene(*of.document, device), of.unit),
            std::make_shared<SeriesCurves>(of, device)};
}

} // namespace

std::vector<StageItem> seriesItems(StagedSeries series)
{
    std::vector<StageItem> items;
    if (series.document->devices.empty())
        return items;
    const auto of = std::make_shared<const StagedSeries>(std::move(series));
    items.push_back({"answer", u"The answer"_s, [of] { return onCard(answerScene(*of)); }});
    items.push_back(
        {"curves", u"The curves over time"_s, [of] { return curvesScene(*of, of->device); }});
    const auto &devices = of->document->devices;
    for (std::size_t at = 0; devices.size() > 1 && at < devices.size(); ++at)
        items.push_back({"device:" + devices[at].recorded->label,
                         u"The curves of %1"_s.arg(deviceTitle(*devices[at].recorded)),
                         [of, at] { return curvesScene(*of, at); }, false});
    return behindProblems(std::move(items), problemTexts(of->document->series->problems()));
}

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
