// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/series/series_scene.h"
#include "ui/timeline/chart_area.h"
#include "ui/timeline/chart_widget.h"

#include <QStringList>

class QPainter;

namespace vramscope {

/// The curves of a scene inside a plot: every line from its lowest to its highest sample in each
/// pixel column, bands as they stood when most was in use. Gaps stay open.
void paintCurves(QPainter &painter, const SeriesScene &scene, const ChartArea &area);

/// A sample of one of the scene's devices.
struct SceneSample
{
    const DeviceSamples *device = nullptr;
    std::size_t sample = 0;
};

/// A chart of curves without anything that follows the mouse: axes, curves, the device's size, the
/// peak, failed allocations. Coordinates are device-independent pixels.
class SeriesChart
{
public:
    /// The scene outlives the chart.
    SeriesChart(const SeriesScene &scene, const Viewport &viewport, const QRectF &area,
                const ChartStyle &style);

    [[nodiscard]] const ChartArea &area() const { return m_area; }
    void paint(QPainter &painter) const;
    /// The sample painted nearest to a point: that of its column in which its curve is highest.
    [[nodiscard]] std::optional<SceneSample> sampleAt(QPointF point) const;

private:
    void paintLimit(QPainter &painter) const;
    void paintPeak(QPainter &painter) const;
    void paintFailures(QPainter &painter) const;

    const SeriesScene &m_scene;
    QRectF m_place;
    ChartArea m_area;
    QFont m_small;
};

/// The curves of a scene over time, explored like every other timeline.
class SeriesView : public ChartWidget<SeriesChart>
{
    Q_OBJECT

public:
    explicit SeriesView(TimelineState *state, QWidget *parent = nullptr);

    /// The series and the scene outlive the view, or are replaced first.
    void setScene(const Series *series, const SeriesScene *scene);

    /// Lines of text for a point of the widget; empty if nothing was recorded there.
    [[nodiscard]] QStringList textAt(QPointF position) const override;

protected:
    [[nodiscard]] bool hasData() const override { return m_scene && m_scene->valid(); }
    [[nodiscard]] EventIndex eventAt(QPointF position) const override;
    [[nodiscard]] EventIndex peakEvent() const override;
    [[nodiscard]] SeriesChart makeChart(const ChartStyle &style) const override;

private:
    const Series *m_series = nullptr;
    const SeriesScene *m_scene = nullptr;
};

} // namespace vramscope
