// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare/compare_view.h"

#include "ui/support/text.h"

namespace vramscope {

using namespace Qt::StringLiterals;

CompareView::CompareView(TimelineState *state, QWidget *parent)
    : ChartWidget(state, parent)
{
    setAccessibleName(u"Memory of all recordings"_s);
    setAccessibleDescription(keysText());
}

void CompareView::setScene(const ComparisonDocument *document, const CompareScene *scene,
                           const QString &anchorText)
{
    m_document = document;
    m_scene = scene;
    m_anchorText = anchorText;
    stopGesture();
    discardPicture();
}

CompareChart CompareView::makeChart(const ChartStyle &style) const
{
    return {*m_scene, m_anchorText, state()->visible(), rect(), style};
}

QStringList CompareView::textAt(QPointF position) const
{
    if (!hasData() || !plot().contains(position))
        return {};
    const EventIndex at = eventAt(position);
    const EventAxis axis = m_scene->axis();
    QStringList lines{axis.kind() == EventAxis::Kind::Time
                          ? toQString(formatMicroseconds(
                                static_cast<std::int64_t>(std::max(0.0, axis.start(at)))))
                          : u"event %1"_s.arg(countText(at))};
    for (const SceneTrack &track : m_scene->tracks()) {
        if (!track.shown)
            continue;
        const QString title = titleOf(m_document->traces[track.trace], track.trace);
        const auto event = m_scene->eventOf(track, at);
        lines << (event ? u"%1: %2, after its event %3"_s.arg(
                              title, exactBytesText(track.curve->at(*event), unit()),
                              countText(*event))
                        : u"%1: not recorded here"_s.arg(title));
    }
    return lines;
}

QStringList CompareView::valuesAt(EventIndex event) const
{
    QStringList values;
    for (const SceneTrack &track : hasData() ? m_scene->tracks() : std::vector<SceneTrack>()) {
        const auto own = m_scene->eventOf(track, event);
        if (track.shown && own)
            values << u"%1 %2"_s.arg(letterOf(track.trace),
                                     bytesText(track.curve->at(*own), unit()));
    }
    return values;
}

EventIndex CompareView::eventAt(QPointF position) const
{
    if (const auto nearest = chart().trackAt(position))
        return m_scene->sharedEvent(*nearest->track, nearest->event);
    return axisEventAt(position);
}

EventIndex CompareView::peakEvent() const
{
    const SceneTrack *main = m_scene->trackOf(m_main);
    const SceneTrack &track = main ? *main : m_scene->tracks().front();
    return m_scene->sharedEvent(track, track.curve->peakEvent());
}

} // namespace vramscope
