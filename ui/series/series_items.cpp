// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/series/series_items.h"

#include "ui/page/layout.h"
#include "ui/series/series_text.h"
#include "ui/series/series_view.h"
#include "ui/stage/levels_picture.h"
#include "ui/stage/stage_problems.h"
#include "ui/stage/stage_views.h"
#include "ui/support/text.h"
#include "ui/trace/legend_bar.h"

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

QString headlineOf(const SeriesScene &scene, ByteUnit unit)
{
    const std::optional<Peak> most = peakOf(scene, scene.main());
    if (!most)
        return u"Nothing was measured."_s;
    if (scene.axis().count() == 1)
        return u"%1 in use (%2)."_s.arg(bytesText(most->bytes, unit), most->curve->name);
    return u"Peak %1 (%2), %3 after the start."_s.arg(bytesText(most->bytes, unit),
                                                      most->curve->name, most->time);
}

StageScene answerScene(const StagedSeries &of)
{
    const SeriesScene scene(*of.document, of.device);
    const std::vector<Peak> peaks = peaksOf(scene);
    LevelBars levels;
    for (const Peak &peak : peaks) {
        if (levels.rows.size() < kMostShown)
            levels.rows.push_back({peak.curve->name, peak.bytes, 0, 0});
    }
    if (scene.limit() > 0 && scene.showsLimit())
        levels.limit = scene.limit();
    else if (scene.limit() > 0)
        levels.remarks += u"Size of the device: %1"_s.arg(bytesText(scene.limit(), of.unit));
    if (peaks.size() > kMostShown)
        levels.remarks += u"%1 more peak no higher"_s.arg(peaks.size() - kMostShown);
    levels.remarks +=
        formatTitle(*of.document->series) + u" · "_s + recordedText(*of.document, scene);
    return {headlineOf(scene, of.unit), std::make_shared<LevelsPicture>(levels, of.unit)};
}

StageScene curvesScene(const StagedSeries &of, std::optional<std::size_t> device)
{
    const auto &devices = of.document->devices;
    const QString name = device && devices.size() > 1
                             ? deviceTitle(*devices[*device].recorded) + u": "_s
                             : QString();
    return {name + headlineOf(SeriesScene(*of.document, device), of.unit),
            std::make_shared<SeriesCurves>(of, device)};
}

} // namespace

std::vector<StageItem> seriesItems(StagedSeries series)
{
    std::vector<StageItem> items;
    if (series.document->devices.empty())
        return items;
    const auto of = std::make_shared<const StagedSeries>(std::move(series));
    items.push_back(
        {"answer", u"The answer"_s, {}, true, [of] { return onCard(answerScene(*of)); }});
    items.push_back({"curves", u"The curves over time"_s, {}, true, [of] {
                         return curvesScene(*of, of->device);
                     }});
    const auto &devices = of->document->devices;
    for (std::size_t at = 0; devices.size() > 1 && at < devices.size(); ++at)
        items.push_back({"device:" + devices[at].recorded->label,
                         u"The curves of %1"_s.arg(deviceTitle(*devices[at].recorded)),
                         {},
                         false,
                         [of, at] { return curvesScene(*of, at); }});
    return behindProblems(std::move(items), problemTexts(of->document->series->problems()));
}

} // namespace vramscope
