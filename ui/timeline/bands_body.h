// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/timeline/timeline_body.h"

#include <array>

namespace vramscope {

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
