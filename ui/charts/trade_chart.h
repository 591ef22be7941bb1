// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "core/estimate/verdict.h"
#include "ui/charts/point_chart.h"

#include <optional>
#include <vector>

namespace vramscope {

/// One choice: its cost, and the memory that it needs.
struct TradePoint
{
    double cost = 0;
    Bytes bytes = 0;
    QString letter;
    QString text; ///< of its tooltip, rich
    Verdict verdict = Verdict::Fits;
    bool operator==(const TradePoint &) const = default;
};

/// What a TradeChart shows.
struct TradePoints
{
    std::vector<TradePoint> points;
    std::optional<Bytes> capacity;
    QString costTitle;   ///< "sent a step, in GiB"
    double costUnit = 1; ///< cost that the axis counts as 1
    QString emptyText;
    bool operator==(const TradePoints &) const = default;
};

/// Choices as points: memory upwards, a cost to the right, each with its letter, so that choices
/// which trade one for the other are side by side.
class TradeChart : public PointChart
{
    Q_OBJECT

public:
    using PointChart::PointChart;

    void setContent(const TradePoints &content);
    [[nodiscard]] const TradePoints &content() const { return m_content; }
    [[nodiscard]] std::size_t pointCount() const override { return m_content.points.size(); }
    [[nodiscard]] QPointF positionOf(std::size_t point) const override;

    [[nodiscard]] QSize sizeHint() const override { return {320, 240}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {200, 140}; }

protected:
    [[nodiscard]] Frame frame() const override;
    [[nodiscard]] QString textOf(std::size_t point) const override
    {
        return m_content.points[point].text;
    }
    void paintAxes(QPainter &painter) const override;
    void paintPoints(QPainter &painter) const override;

private:
    [[nodiscard]] double costRange() const;
    [[nodiscard]] double byteRange() const;

    TradePoints m_content;
};

} // namespace vramscope
