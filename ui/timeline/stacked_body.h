// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/timeline/pixel_lines.h"
#include "ui/timeline/stack_geometry.h"
#include "ui/timeline/timeline_body.h"

#include <array>
#include <span>

namespace vramscope {

/// Active memory, every allocation a band, or reserved memory, every segment one.
class StackBody final : public TimelineBody
{
public:
    enum class Of { Allocations, Segments };

    StackBody(const TimelineData &data, const ChartArea &area, Of of);

    void paint(QPainter &painter, const PlotOverlay &over) const override;
    [[nodiscard]] EventIndex eventAt(double x) const override;
    [[nodiscard]] AllocationIndex allocationAt(QPointF point) const override;
    [[nodiscard]] QStringList textAt(QPointF point) const override;
    [[nodiscard]] QPolygonF outline(AllocationIndex allocation) const override;

private:
    const TimelineData &m_data;
    ChartArea m_area;
    Of m_of;
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

/// Bands at least this many rows high have a darker upper edge.
inline constexpr int kSeparatedRows = 4;

/// Paints the whole geometry into lines of pixels from below, with `over` on top; each line has one
/// pixel per column. A row of the geometry is `together` lines, the last one perhaps fewer; empty
/// parts of a line get the colour of its first pixel, its ground. The cost follows the changes from
/// column to column. Uses two threads.
void paintStack(const StackGeometry &geometry, std::span<QRgb *const> lines,
                const PlotOverlay &over = {}, int together = 1);

inline constexpr std::size_t kBandCount = 5;

/// The name and the colour of each of Bands, from the bottom.
struct BandLook
{
    QString name;
    QRgb color;
    Bytes Bands::*bytes;
};
[[nodiscard]] const std::array<BandLook, kBandCount> &bandLooks();

/// The reserved bytes by their use, stacked: a column shows the state after the event in it with
/// the most reserved bytes.
class BandsBody final : public TimelineBody
{
public:
    BandsBody(const TimelineData &data, const ChartArea &area);

    void paint(QPainter &painter, const PlotOverlay &over) const override;
    [[nodiscard]] EventIndex eventAt(double x) const override;
    [[nodiscard]] QStringList textAt(QPointF point) const override;

private:
    const TimelineData &m_data;
    ChartArea m_area;
    std::vector<EventIndex> m_events; // by column
};

} // namespace vramscope
