// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/timeline/timeline_body.h"

namespace vramscope {

/// Active memory: every allocation a band.
class ActiveBody final : public TimelineBody
{
public:
    ActiveBody(const TimelineData &data, const ChartArea &area);

    void paint(QPainter &painter, const PlotOverlay &over) const override;
    [[nodiscard]] EventIndex eventAt(double x) const override;
    [[nodiscard]] AllocationIndex allocationAt(QPointF point) const override;
    [[nodiscard]] QStringList textAt(QPointF point) const override;
    [[nodiscard]] QPolygonF outline(AllocationIndex allocation) const override;

private:
    const TimelineData &m_data;
    ChartArea m_area;
    StackGeometry m_geometry;
};

/// Reserved memory: every segment a band.
class ReservedBody final : public TimelineBody
{
public:
    ReservedBody(const TimelineData &data, const ChartArea &area);

    void paint(QPainter &painter, const PlotOverlay &over) const override;
    [[nodiscard]] EventIndex eventAt(double x) const override;
    [[nodiscard]] QStringList textAt(QPointF point) const override;

private:
    const TimelineData &m_data;
    ChartArea m_area;
    StackGeometry m_geometry;
};

/// Pools and streams apart: a stack of allocations each, one above the other, each on a scale of
/// its own that ends at its peak.
class LanesBody final : public TimelineBody
{
public:
    LanesBody(const TimelineData &data, const ChartArea &area);

    void paint(QPainter &painter, const PlotOverlay &over) const override;
    [[nodiscard]] EventIndex eventAt(double x) const override;
    [[nodiscard]] AllocationIndex allocationAt(QPointF point) const override;
    [[nodiscard]] QStringList textAt(QPointF point) const override;
    [[nodiscard]] QPolygonF outline(AllocationIndex allocation) const override;

private:
    struct Lane
    {
        const TimelineLane *lane;
        ChartArea area;
        StackGeometry geometry;
    };

    [[nodiscard]] const Lane *laneAt(QPointF point) const;

    const TimelineData &m_data;
    ChartArea m_area;
    std::vector<Lane> m_lanes;
};

/// The outline of a life: along the bottom of its columns and back along the top.
[[nodiscard]] QPolygonF outlineOf(const StackGeometry &geometry, const ChartArea &area,
                                  LifeIndex life, Bytes size);

} // namespace vramscope
