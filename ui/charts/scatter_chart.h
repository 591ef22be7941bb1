// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/point_chart.h"

#include <QStringList>

#include <optional>
#include <vector>

namespace vramscope {

/// Kinds of points, distinguished by shape and colour; later ones are drawn over earlier ones.
enum class PointMark { Circle, Square, Diamond, Triangle };
inline constexpr std::size_t kPointMarkCount = 4;

/// Two sizes of one thing, both above 0 bytes.
struct ScatterPoint
{
    double x = 0;
    double y = 0;
    PointMark mark = PointMark::Circle;
    QString text;     ///< rich text of its tooltip
    QString sentence; ///< the same as plain text for screen readers
};

/// The content of a ScatterChart.
struct ScatterPoints
{
    std::vector<ScatterPoint> points;
    QStringList legend; ///< the meaning of each PointMark, in their order
    QString titleX;
    QString titleY;
    QString emptyText;
};

/// Bytes against bytes on two logarithmic axes of the same range, with the diagonal where both are
/// equal and a band of ten percent around it.
class ScatterChart : public PointChart
{
    Q_OBJECT

public:
    using PointChart::PointChart;

    void setContent(ScatterPoints content);
    [[nodiscard]] const ScatterPoints &content() const { return m_content; }
    [[nodiscard]] std::size_t pointCount() const override { return m_content.points.size(); }
    [[nodiscard]] QPointF positionOf(std::size_t point) const override;

    [[nodiscard]] QSize sizeHint() const override { return {480, 340}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {260, 180}; }

protected:
    [[nodiscard]] Frame frame() const override;
    [[nodiscard]] QString textOf(std::size_t point) const override
    {
        return m_content.points[point].text;
    }
    [[nodiscard]] QString sentenceOf(std::size_t point) const override
    {
        return m_content.points[point].sentence;
    }
    void paintAxes(QPainter &painter) const override;
    void paintPoints(QPainter &painter) const override;

private:
    struct LegendItem
    {
        PointMark mark = PointMark::Circle;
        QRectF rect; ///< from the top of the legend
    };

    [[nodiscard]] QPointF place(double x, double y) const;
    [[nodiscard]] std::vector<LegendItem> legend() const;
    void paintGrid(QPainter &painter) const;
    void paintAgreement(QPainter &painter) const;
    void paintLegend(QPainter &painter) const;

    ScatterPoints m_content;
    double m_from = 0; ///< logarithm of the smallest byte count on both axes
    double m_to = 1;
};

/// The byte counts that an axis labels in a range: 1, 10 and 100 of a unit, and more of them if the
/// range is short.
[[nodiscard]] std::vector<double> logarithmicTicks(double from, double to, ByteUnit unit);

} // namespace vramscope
