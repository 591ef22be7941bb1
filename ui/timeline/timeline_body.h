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

/// What stands inside the plot of a timeline, for one viewport and size: its painting, and what is
/// painted at a point. Points are in the coordinates of ChartArea::plot.
class TimelineBody
{
public:
    virtual ~TimelineBody() = default;

    /// With `over` on top, but for what a kind has no scale for.
    virtual void paint(QPainter &painter, const PlotOverlay &over) const = 0;
    /// The event whose state is painted at `x`.
    [[nodiscard]] virtual EventIndex eventAt(double x) const = 0;
    /// The allocation painted at a point; kNoAllocation where there is none.
    [[nodiscard]] virtual AllocationIndex allocationAt(QPointF) const { return kNoAllocation; }
    /// Lines of text for a point, the first one a heading; none where nothing is painted.
    [[nodiscard]] virtual QStringList textAt(QPointF) const = 0;
    /// Where an allocation is painted; empty where it is not.
    [[nodiscard]] virtual QPolygonF outline(AllocationIndex) const { return {}; }
};

/// The body of a kind. `data` outlives it and has what the kind needs.
[[nodiscard]] std::unique_ptr<TimelineBody> makeBody(TimelineKind kind, const TimelineData &data,
                                                     const ChartArea &area);

} // namespace vramscope
