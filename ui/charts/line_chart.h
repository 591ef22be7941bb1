// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/point_chart.h"

#include <QColor>

#include <optional>
#include <vector>

namespace vramscope {

/// One point of a line.
struct LinePoint
{
    double x = 1; ///< above 0
    double y = 0;
    double low = 0; ///< of its band
    double high = 0;
    bool isOpen = false; ///< drawn hollow: the plan it represents does not fit
    QString text;        ///< rich text of its tooltip
    bool operator==(const LinePoint &) const = default;
};

struct ChartLine
{
    QString title;
    std::vector<LinePoint> points; ///< by x
    bool operator==(const ChartLine &) const = default;
};

/// The content of a LineChart.
struct ChartLines
{
    std::vector<ChartLine> lines; ///< the first is drawn with the strongest stroke
    QString titleX;
    QString titleY;
    bool isLogarithmic = false;  ///< vertically; the x axis always is, by powers of two
    std::optional<double> limit; ///< a horizontal line
    QString limitText;
    std::optional<double> beyond; ///< x where the lines leave the measured range
    QString beyondText;
    QString emptyText;
    bool operator==(const ChartLines &) const = default;
};

/// Lines over powers of two, with the band of the selected line or of the first, and a mark where
/// they leave the measured range. Points are selected as in every PointChart; they are numbered
/// line by line.
class LineChart : public PointChart
{
    Q_OBJECT

public:
    using PointChart::PointChart;

    void setContent(const ChartLines &content);
    [[nodiscard]] const ChartLines &content() const { return m_content; }
    [[nodiscard]] std::size_t pointCount() const override;
    [[nodiscard]] QPointF positionOf(std::size_t point) const override;
    /// The line that a point belongs to, and its index there.
    [[nodiscard]] std::pair<std::size_t, std::size_t> placeOf(std::size_t point) const;
    [[nodiscard]] std::size_t pointOf(std::size_t line, std::size_t place) const;

    [[nodiscard]] QSize sizeHint() const override { return {420, 260}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {220, 150}; }

protected:
    [[nodiscard]] Frame frame() const override;
    [[nodiscard]] QString textOf(std::size_t point) const override { return at(point).text; }
    void paintAxes(QPainter &painter) const override;
    void paintPoints(QPainter &painter) const override;

private:
    struct Range
    {
        double low = 0;
        double high = 1;
    };
    [[nodiscard]] const LinePoint &at(std::size_t point) const;
    [[nodiscard]] Range across() const;
    [[nodiscard]] Range upwards() const;
    [[nodiscard]] QPointF position(double x, double y) const;
    [[nodiscard]] QColor colorOf(std::size_t line) const;
    [[nodiscard]] std::size_t shownLine() const;
    [[nodiscard]] std::vector<QRectF> legend(double width) const;
    void paintLegend(QPainter &painter) const;

    ChartLines m_content;
};

} // namespace vramscope
