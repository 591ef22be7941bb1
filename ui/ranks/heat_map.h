// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/ranks/heat_rows.h"
#include "ui/ranks/rank_picture.h"
#include "ui/support/theme.h"

#include <QImage>

#include <algorithm>

namespace vramscope {

/// What the colours of a heat map say.
enum class HeatColoring : std::uint8_t {
    Active,   ///< active memory, of the highest peak of the run
    Distance, ///< what it is above or below the median of the rank's group at that time
};

/// All ranks of a run in one picture: ranks down, time or events or steps across, active memory as
/// colour. A row of pixels that stands for several ranks shows the highest. At the right edge is
/// marked who failed, stands out, is damaged or is missing, however small. Ctrl and the wheel zoom
/// into ranks, Shift and Ctrl with it into time.
class HeatMap : public RankPicture
{
    Q_OBJECT

public:
    explicit HeatMap(RunStudyPointer study, QWidget *parent = nullptr);

    /// The same ranks with their curves: what is chosen, sorted, folded and in sight stays.
    void takeCurves(RunStudyPointer study);
    void setAxis(RankAxis axis);
    void setColoring(HeatColoring coloring);
    void setOrder(RankOrder order) override;
    void setKept(std::vector<std::uint8_t> kept) override;
    /// Folds all groups, or none.
    void setFolded(bool folded);
    void foldGroup(std::size_t group, bool folded);
    /// How many times as high as the rows that fill the view; from 1.
    void setZoom(double zoom);

    [[nodiscard]] RankAxis axis() const { return m_axis; }
    [[nodiscard]] HeatColoring coloring() const { return m_coloring; }
    [[nodiscard]] RankOrder order() const { return m_order; }
    [[nodiscard]] const HeatLayout &rowLayout() const { return m_layout; }
    /// The plot in the viewport.
    [[nodiscard]] QRect plot() const;
    /// Where several share a point, the one whose colour it has.
    [[nodiscard]] std::optional<std::size_t> rankAt(QPoint point) const override;
    [[nodiscard]] QString toolTipAt(QPoint point) const override;

    [[nodiscard]] QSize sizeHint() const override { return {640, 420}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {320, 180}; }

protected:
    void changeEvent(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void scrollContentsBy(int dx, int dy) override;
    void showCurrent() override;
    [[nodiscard]] QPoint menuPlace() const override { return plot().center(); }

private:
    void readColumns();
    void readMedians();
    void arrange();
    void updateScrollBars();
    // heat_map_input.cpp
    void zoomRanks(double factor, double anchor);
    void zoomColumns(double factor, double anchor);
    void step(int by);

    /// Pixels of the plot from the top of all rows.
    [[nodiscard]] double scrolled() const;
    [[nodiscard]] std::optional<std::size_t> groupTitleAt(QPoint point) const;
    /// The columns of the matrix that a pixel of the plot covers, at least one.
    [[nodiscard]] std::pair<std::size_t, std::size_t> columnsAt(double x) const;
    [[nodiscard]] QString placeText(double place) const;
    [[nodiscard]] double columnPlace(double column) const;
    [[nodiscard]] std::vector<float> valuesOf(std::span<const std::size_t> ranks) const;
    [[nodiscard]] float shareOf(float value) const;
    // heat_map_paint.cpp
    [[nodiscard]] QImage picture(double ratio) const;
    void paintTitles(QPainter &painter) const;
    void paintBand(QPainter &painter, std::size_t group, const QRectF &place) const;
    void paintFailures(QPainter &painter) const;
    // heat_map_frame.cpp
    void paintMarks(QPainter &painter) const;
    void paintCurrent(QPainter &painter) const;
    void paintLabels(QPainter &painter) const;
    void paintAxis(QPainter &painter) const;
    void paintLegend(QPainter &painter) const;
    [[nodiscard]] std::optional<double> failureX(const RankSummary &rank) const;

    RankAxis m_axis = RankAxis::Events;
    HeatColoring m_coloring = HeatColoring::Active;
    RankOrder m_order = RankOrder::Number;
    std::vector<std::uint8_t> m_kept;
    std::vector<std::uint8_t> m_folded; ///< by group
    double m_zoom = 1;
    double m_firstColumn = 0; ///< that is seen, and how many are
    double m_columns = 1;

    RankMatrix m_matrix;
    std::vector<std::vector<float>> m_medians; ///< by group
    float m_highest = 1;                       ///< that the colours end with
    float m_farthest = 1;
    HeatLayout m_layout;
    QImage m_picture; ///< null: to be painted anew
};

/// A number of bytes, events or steps of the file, which may hold any.
[[nodiscard]] inline std::int64_t wholeOf(double value)
{
    constexpr double kMost = 9e18;
    return static_cast<std::int64_t>(std::clamp(value, -kMost, kMost));
}

/// The axes in words: "by time", …
[[nodiscard]] QString rankAxisText(RankAxis axis);

} // namespace vramscope
