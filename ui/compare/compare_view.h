// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/compare/compare_scene.h"
#include "ui/timeline/chart_area.h"
#include "ui/timeline/chart_widget.h"

class QPainter;

namespace vramscope {

/// The curves of a scene inside a plot, each from its lowest to its highest bytes in every pixel
/// column; flat stretches in the strokes of their recording. A later one lies on top: where
/// two are the same, the earlier shows in its gaps.
void paintTracks(QPainter &painter, const CompareScene &scene, const ChartArea &area);

/// An event of one of a scene's recordings.
struct TrackEvent
{
    const SceneTrack *track = nullptr;
    EventIndex event = -1;
};

/// A chart of a comparison without anything that follows the mouse: axes, curves, where they are
/// aligned, the peak of each. Coordinates are device-independent pixels.
class CompareChart
{
public:
    /// The scene outlives the chart; `anchorText` says what falls together at its anchor.
    CompareChart(const CompareScene &scene, const QString &anchorText, const Viewport &viewport,
                 const QRectF &area, const ChartStyle &style);

    [[nodiscard]] const ChartArea &area() const { return m_area; }
    void paint(QPainter &painter) const;
    /// The highest event of the curve painted nearest to a point, in its column.
    [[nodiscard]] std::optional<TrackEvent> trackAt(QPointF point) const;

private:
    void paintAnchor(QPainter &painter) const;
    void paintPeaks(QPainter &painter) const;

    const CompareScene &m_scene;
    QString m_anchorText;
    QRectF m_place;
    ChartArea m_area;
    QFont m_small;
};

/// The curves of a comparison, explored like every other timeline. The cursor stands at an event of
/// the common axis; P goes to the peak of the first of the two that are compared.
class CompareView : public ChartWidget<CompareChart>
{
    Q_OBJECT

public:
    explicit CompareView(TimelineState *state, QWidget *parent = nullptr);

    /// Both outlive the view, or are replaced first; `anchorText` as in CompareChart.
    void setScene(const ComparisonDocument *document, const CompareScene *scene,
                  const QString &anchorText);
    /// The recording whose peak P goes to.
    void setMain(std::size_t trace) { m_main = trace; }
    /// A curve was hidden or shown.
    void refresh() { discardPicture(); }

    /// What every shown recording holds at a point of the widget, a line each; none beside the
    /// plot.
    [[nodiscard]] QStringList textAt(QPointF position) const override;
    /// What they hold at an event of the axis: "A 3.1 GiB".
    [[nodiscard]] QStringList valuesAt(EventIndex event) const;

protected:
    [[nodiscard]] bool hasData() const override { return m_scene && m_scene->valid(); }
    [[nodiscard]] EventIndex eventAt(QPointF position) const override;
    [[nodiscard]] EventIndex peakEvent() const override;
    [[nodiscard]] CompareChart makeChart(const ChartStyle &style) const override;

private:
    const ComparisonDocument *m_document = nullptr;
    const CompareScene *m_scene = nullptr;
    QString m_anchorText;
    std::size_t m_main = 0;
};

} // namespace vramscope
