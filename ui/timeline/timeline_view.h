// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/timeline/chart_widget.h"
#include "ui/timeline/timeline_chart.h"

namespace vramscope {

/// A timeline of one device; its kind determines what it draws. A click selects the item painted
/// there, a double click zooms to its lifetime.
class TimelineView : public ChartWidget<TimelineChart>
{
    Q_OBJECT

public:
    explicit TimelineView(TimelineState *state, QWidget *parent = nullptr);

    void setData(const TimelineData &timeline);
    [[nodiscard]] const TimelineData &data() const { return m_data; }
    void setKind(TimelineKind kind);
    [[nodiscard]] TimelineKind kind() const { return m_kind; }
    /// The allocation painted at a point of the widget.
    [[nodiscard]] AllocationIndex allocationAt(QPointF position) const override;
    [[nodiscard]] QStringList textAt(QPointF position) const override;
    /// The event whose state is painted at a point of the widget.
    [[nodiscard]] EventIndex eventAt(QPointF position) const override;

protected:
    [[nodiscard]] bool hasData() const override { return m_data.valid(); }
    [[nodiscard]] EventIndex peakEvent() const override;
    void doubleClicked(QPointF position) override;
    [[nodiscard]] TimelineChart makeChart(const ChartStyle &style) const override;
    void paintHighlights(QPainter &painter) const override;
    [[nodiscard]] QRegion highlightRegion() const override;

private:
    [[nodiscard]] const TimelineBody &body() const { return chart().body(); }
    void zoomToLifetime(AllocationIndex allocation);
    // Parts that change without the chart.
    void paintAllocation(QPainter &painter, AllocationIndex allocation, bool selected) const;
    [[nodiscard]] QRectF tickOf(AllocationIndex allocation) const;
    [[nodiscard]] QStringList overlayTip(double x) const;

    TimelineKind m_kind = TimelineKind::Active;
    TimelineData m_data;
};

} // namespace vramscope
