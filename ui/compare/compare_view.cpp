// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare/compare_view.h"

#include "ui/support/text.h"
#include "ui/timeline/chart_axes.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr double kLineWidth = 2;

/// Whether a stroke covers the point at this distance along a line, in pixels.
bool isStroke(const QList<double> &strokes, double along)
{
    if (strokes.isEmpty())
        return true;
    double rest = std::fmod(along, std::accumulate(strokes.begin(), strokes.end(), 0.0));
    for (qsizetype at = 0; at < strokes.size(); ++at) {
        rest -= strokes[at];
        if (rest < 0)
            return at % 2 == 0;
    }
    return true;
}

void paintTrack(QPainter &painter, const CompareScene &scene, const SceneTrack &track,
                const ChartArea &area)
{
    const double pixel = 1 / area.style.pixelRatio;
    const LinearScale across{area.viewport.x, static_cast<double>(area.columns())};
    const QColor color = QColor(colorOf(track.trace));
    const QList<double> &strokes = strokesOf(track.trace);
    for (int column = 0; column < area.columns(); ++column) {
        const auto events = scene.eventsIn(track, across, column);
        if (!events)
            continue;
        const double top =
            area.y(track.curve->at(track.curve->highest(events->first, events->last)));
        const double bottom =
            area.y(track.curve->at(track.curve->lowest(events->first, events->last)));
        // What rises or falls is drawn whole: a gap must not hide a peak.
        if (bottom - top < kLineWidth && !isStroke(strokes, column * pixel))
            continue;
        painter.fillRect(QRectF(area.plot.left() + column * pixel, std::floor(top), pixel,
                                std::max(kLineWidth, std::floor(bottom) - std::floor(top) + 1)),
                         color);
    }
}

} // namespace

void paintTracks(QPainter &painter, const CompareScene &scene, const ChartArea &area)
{
    for (const SceneTrack &track : scene.tracks()) {
        if (track.shown)
            paintTrack(painter, scene, track, area);
    }
}

CompareChart::CompareChart(const CompareScene &scene, const QString &anchorText,
                           const Viewport &viewport, const QRectF &area, const ChartStyle &style)
    : m_scene(scene)
    , m_anchorText(anchorText)
    , m_place(area)
    , m_area{{}, scene.axis(), viewport, style}
    , m_small(smallFont(style.font))
{
    m_area.plot = plotBetweenLines(area, style.font);
}

void CompareChart::paint(QPainter &painter) const
{
    painter.fillRect(m_place, m_area.style.theme.window);
    if (m_area.plot.width() < 1 || m_area.plot.height() < 1)
        return;
    painter.setFont(m_small);
    paintByteAxis(painter, m_area);
    paintEventAxis(painter, m_area, {});
    painter.save();
    painter.setClipRect(m_area.plot);
    paintAnchor(painter);
    paintTracks(painter, m_scene, m_area);
    paintPeaks(painter);
    painter.restore();
}

void CompareChart::paintAnchor(QPainter &painter) const
{
    if (m_anchorText.isEmpty() || !m_area.viewport.x.contains(m_scene.anchor()))
        return;
    const double at = crisp(m_area.x(m_scene.anchor()));
    QPen dashed(m_area.style.theme.dim, 1);
    dashed.setDashPattern({4, 4});
    painter.setPen(dashed);
    painter.drawLine(QPointF(at, m_area.plot.top()), QPointF(at, m_area.plot.bottom()));
    const QFontMetricsF metrics(m_small);
    const double width = metrics.horizontalAdvance(m_anchorText);
    const bool fits = at + kChartGap + width < m_area.plot.right();
    paintChartLabel(painter, m_area,
                    {fits ? at + kChartGap : at - kChartGap - width,
                     m_area.plot.bottom() - metrics.descent() - 3},
                    m_anchorText, m_area.style.theme.dim);
}

// Labels of near peaks stand under each other.
void CompareChart::paintPeaks(QPainter &painter) const
{
    const Theme &theme = m_area.style.theme;
    const QFontMetricsF metrics(m_small);
    std::vector<QRectF> taken;
    for (const SceneTrack &track : m_scene.tracks()) {
        const EventIndex peak = track.curve->peakEvent();
        const Bytes bytes = track.curve->at(peak);
        const QPointF tip(m_area.x(CompareScene::markOf(track, peak)), m_area.y(bytes));
        if (!track.shown || bytes == 0 || !m_area.plot.contains(tip))
            continue;
        paintPeakMark(painter, tip, QColor(colorOf(track.trace)));
        const QString text =
            u"%1  %2"_s.arg(letterOf(track.trace), bytesText(bytes, m_area.style.unit));
        const double width = metrics.horizontalAdvance(text);
        const bool fits = tip.x() + 12 + width < m_area.plot.right();
        QRectF place(fits ? tip.x() + 9 : tip.x() - 9 - width, tip.y() - metrics.ascent() - 1,
                     width, metrics.height() + 2);
        place.moveTop(std::max(place.top(), m_area.plot.top()));
        for (const QRectF &other : taken) {
            if (place.intersects(other))
                place.moveTop(other.bottom());
        }
        taken.push_back(place.adjusted(-3, 0, 3, 0));
        paintChartLabel(painter, m_area, {place.left(), place.top() + metrics.ascent()}, text,
                        theme.text);
    }
}

std::optional<TrackEvent> CompareChart::trackAt(QPointF point) const
{
    if (!m_area.plot.contains(point))
        return std::nullopt;
    const LinearScale across{m_area.viewport.x, static_cast<double>(m_area.columns())};
    const int column = std::clamp(m_area.columnAt(point.x()), 0, m_area.columns() - 1);
    std::optional<TrackEvent> nearest;
    double distance = 0;
    for (const SceneTrack &track : m_scene.tracks()) {
        const auto events = m_scene.eventsIn(track, across, column);
        if (!track.shown || !events)
            continue;
        const EventIndex event = track.curve->highest(events->first, events->last);
        const double away = std::abs(m_area.y(track.curve->at(event)) - point.y());
        if (nearest && away >= distance)
            continue;
        nearest = TrackEvent{&track, event};
        distance = away;
    }
    return nearest;
}

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
