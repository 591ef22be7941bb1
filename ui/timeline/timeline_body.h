// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/timeline/chart_area.h"
#include "ui/timeline/pixel_lines.h"
#include "ui/timeline/timeline_data.h"

#include <QPolygonF>

#include <memory>

class QPainter;

namespace vramscope {

/// The inside of the plot of a timeline, for one viewport and size: paints it and finds what is
/// painted at a point. Points are in the coordinates of ChartArea::plot.
class TimelineBody
{
public:
    virtual ~TimelineBody() = default;

    /// Paints with `over` on top, except what the kind has no scale for.
    virtual void paint(QPainter &painter, const PlotOverlay &over) const = 0;
    /// The event whose state is painted at `x`.
    [[nodiscard]] virtual EventIndex eventAt(double x) const = 0;
    /// The allocation painted at a point, or kNoAllocation.
    [[nodiscard]] virtual AllocationIndex allocationAt(QPointF) const { return kNoAllocation; }
    /// Lines of text for a point, the first one a heading; empty if nothing is painted there.
    [[nodiscard]] virtual QStringList textAt(QPointF) const = 0;
    /// The outline of an allocation as painted; empty if it is not.
    [[nodiscard]] virtual QPolygonF outline(AllocationIndex) const { return {}; }
};

/// The body of a kind. `data` outlives it and has what the kind needs.
[[nodiscard]] std::unique_ptr<TimelineBody> makeBody(TimelineKind kind, const TimelineData &data,
                                                     const ChartArea &area);

} // namespace vramscope
