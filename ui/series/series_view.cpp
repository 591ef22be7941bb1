// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/series/series_view.h"

#include "ui/series/series_text.h"
#include "ui/support/pixel_ratio.h"

namespace vramscope {

using namespace Qt::StringLiterals;

SeriesView::SeriesView(TimelineState *state, QWidget *parent)
    : TimelineWidget(state, parent)
{
    setAccessibleName(u"Memory over time"_s);
    setAccessibleDescription(u"W and S zoom, A and D move, F shows everything, P goes to the "
                             "peak, the arrow keys move the cursor."_s);
}

void SeriesView::setScene(const Series *series, const SeriesScene *scene)
{
    m_series = series;
    m_scene = scene;
    stopGesture();
    discardPicture();
}

void SeriesView::setUnit(ByteUnit unit)
{
    m_unit = unit;
    discardPicture();
}

const SeriesChart &SeriesView::chart() const
{
    return m_picture.chart(*this, [this] {
        return SeriesChart(*m_scene, state()->visible(), rect(),
                           {themeOf(this), m_unit, font(), pixelRatio(*this)});
    });
}

void SeriesView::paintPicture(QPainter &painter) const
{
    (void)chart();
    m_picture.paint(painter, *this);
}

QStringList SeriesView::textAt(QPointF position) const
{
    const auto sample = hasData() ? chart().sampleAt(position) : std::nullopt;
    return sample ? sampleText(*m_series, *m_scene, *sample->device, sample->sample, m_unit)
                  : QStringList();
}

EventIndex SeriesView::eventAt(QPointF position) const
{
    if (const auto sample = chart().sampleAt(position))
        return m_scene->eventOf(*sample->device, sample->sample);
    return state()->axis().eventAt(area().across().toValue(position.x() - plot().left()));
}

EventIndex SeriesView::peakEvent() const
{
    const SceneCurve &curve = m_scene->main();
    const auto peak = curve.samples->highest(0, curve.samples->count() - 1);
    return m_scene->eventOf(*curve.device, peak.value_or(0));
}

} // namespace vramscope
