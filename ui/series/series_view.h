// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/series/series_chart.h"
#include "ui/timeline/chart_widget.h"

namespace vramscope {

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
