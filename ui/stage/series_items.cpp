// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/stage/series_items.h"

#include "ui/series/series_strip.h"
#include "ui/series/series_text.h"
#include "ui/series/series_view.h"
#include "ui/stage/levels_picture.h"
#include "ui/stage/stage_views.h"
#include "ui/support/text.h"

#include <QLabel>
#include <QVBoxLayout>

#include <algorithm>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

using Shared = std::shared_ptr<const StagedSeries>;

constexpr std::size_t kMostRows = 5; ///< that are read from afar

/// The curves of a scene, with what they are of.
class CurvesView : public QWidget
{
public:
    CurvesView(const StagedSeries &of, std::optional<std::size_t> device)
        : m_document(of.document)
        , m_scene(*m_document, device)
        , m_state(new TimelineState(this))
        , m_view(new SeriesView(m_state))
    {
        auto *strip = new SeriesStrip(m_document);
        strip->setUnit(of.unit);
        strip->setScene(m_scene, device);
        for (QWidget *figure : strip->findChildren<QLabel *>())
            figure->hide(); // the sentence above tells them
        auto *layout = new QVBoxLayout(this);
        layout->setContentsMargins(0, 0, 0, 0);
        layout->addWidget(strip);
        layout->addWidget(m_view, 1);
        m_view->setUnit(of.unit);
        m_state->reset(m_scene.axis(), m_scene.wholeBytes());
        m_view->setScene(m_document->series.get(), &m_scene);
    }
    ~CurvesView() override { m_view->setScene(nullptr, nullptr); }

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

/// Of the curves that are no part of another one, the highest first.
std::vector<Peak> peaksOf(const SeriesScene &scene)
{
    std::vector<Peak> peaks;
    for (const SceneCurve &curve : scene.curves()) {
        const auto at = curve.samples->highest(0, curve.samples->count() - 1);
        if (!at || curve.look == SceneCurve::Look::Band)
            continue;
        const std::int64_t time = curve.device->times.microseconds()[*at] - scene.start();
        peaks.push_back({&curve, curve.samples->at(*at), toQString(formatMicroseconds(time))});
    }
    std::ranges::stable_sort(peaks, std::greater(), &Peak::bytes);
    return peaks;
}

QString headlineOf(const std::vector<Peak> &peaks, ByteUnit unit)
{
    if (peaks.empty())
        return u"The parts over time."_s;
    const Peak &most = peaks.front();
    return u"Peak %1 %2, after %3."_s.arg(most.curve->name, bytesText(most.bytes, unit), most.time);
}

StageScene answerScene(const StagedSeries &of)
{
    const SeriesScene scene(*of.document, of.device);
    const std::vector<Peak> peaks = peaksOf(scene);
    Levels levels;
    for (const Peak &peak : peaks) {
        if (levels.rows.size() < kMostRows)
            levels.rows.push_back({peak.curve->name, peak.bytes, 0, 0});
    }
    if (scene.limit() > 0)
        levels.limit = scene.limit();
    if (peaks.size() > kMostRows)
        levels.remarks += u"%1 more peak lower."_s.arg(peaks.size() - kMostRows);
    levels.remarks +=
        formatTitle(*of.document->series) + u" · "_s + recordedText(*of.document, scene);
    return {headlineOf(peaks, of.unit), std::make_shared<LevelsPicture>(levels, of.unit)};
}

StageScene curvesScene(const StagedSeries &of, std::optional<std::size_t> device)
{
    const QString headline = headlineOf(peaksOf(SeriesScene(*of.document, device)), of.unit);
    const QString name =
        device ? deviceTitle(*of.document->devices[*device].recorded) + u": "_s : QString();
    return {name + headline, std::make_shared<CurvesView>(of, device)};
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
    return items;
}

} // namespace vramscope
