// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/series/series_view.h"

#include "ui/series/series_text.h"

namespace vramscope {

using namespace Qt::StringLiterals;

SeriesView::SeriesView(TimelineState *state, QWidget *parent)
    : ChartWidget(state, parent)
{
    setAccessibleName(u"Memory over time"_s);
    setAccessibleDescription(keysText());
}

void SeriesView::setScene(const Series *series, const SeriesScene *scene)
{
    m_series = series;
    m_scene = scene;
    stopGesture();
    discardPicture();
}

SeriesChart SeriesView::makeChart(const ChartStyle &style) const
{
    return {*m_scene, state()->visible(), rect(), style};
}

QStringList SeriesView::textAt(QPointF position) const
{
    const auto sample = hasData() ? chart().sampleAt(position) : std::nullopt;
    return sample ? sampleText(*m_series, *m_scene, *sample->device, sample->sample, unit())
                  : QStringList();
}

EventIndex SeriesView::eventAt(QPointF position) const
{
    if (const auto sample = chart().sampleAt(position))
        return m_scene->eventOf(*sample->device, sample->sample);
    return axisEventAt(position);
}

EventIndex SeriesView::peakEvent() const
{
    const SceneCurve &curve = m_scene->main();
    const auto peak = curve.samples->highest(0, curve.samples->count() - 1);
    return m_scene->eventOf(*curve.device, peak.value_or(0));
}

} // namespace vramscope
