// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/estimate/verdict.h"
#include "ui/charts/bar_geometry.h"
#include "ui/charts/chart.h"
#include "ui/support/parts.h"

#include <optional>
#include <vector>

namespace vramscope {

/// One column: the bytes of each part at one value, or why that value is refused.
struct StackedColumn
{
    QString label;      ///< on the axis: "8,192"
    QString name;       ///< in hover texts: "Sequence length 8,192"
    QString at;         ///< the moment of these bytes
    QString refused;    ///< empty if there are bytes
    bool major = false; ///< its label takes precedence over others
    PartBytes parts{};
    std::optional<Verdict> verdict{}; ///< the colour of its foot
    [[nodiscard]] Bytes total() const { return totalOf(parts); }
    bool operator==(const StackedColumn &) const = default;
};

/// The content of a ColumnChart.
struct StackedColumns
{
    std::vector<StackedColumn> columns;
    std::optional<Bytes> capacity;
    std::optional<int> current;  ///< the column of the plan as it is now
    std::optional<int> crossing; ///< the column before which fitting begins or ends
    QString crossingText;
    QString emptyText; ///< shown in place of the columns if the list is empty
    bool operator==(const StackedColumns &) const = default;
};

/// Many stacked columns side by side as one area, against the capacity: one for each value of a
/// field, in equal widths. Columns are painted as rectangles, so the chart shows only computed
/// values and interpolates nothing. A click or Enter takes a column, arrow keys move between them.
class ColumnChart : public Chart
{
    Q_OBJECT

public:
    explicit ColumnChart(QWidget *parent = nullptr);

    void setContent(const StackedColumns &content);
    [[nodiscard]] const StackedColumns &content() const { return m_content; }
    [[nodiscard]] const BarGeometry &geometryOfColumns() const { return m_geometry; }
    [[nodiscard]] QString hoverText(QPointF point) const override;

    [[nodiscard]] QSize sizeHint() const override { return {560, 260}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {240, 150}; }

Q_SIGNALS:
    void columnChosen(int column);

protected:
    void paintEvent(QPaintEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void leaveEvent(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    void relayout() override;
    void setCursorColumn(std::optional<int> column);
    [[nodiscard]] QString textOf(const StackedColumn &column,
                                 std::optional<std::size_t> part) const;
    [[nodiscard]] std::optional<std::size_t> partAt(int column, QPointF point) const;
    void paintGrid(QPainter &painter) const;
    void paintColumns(QPainter &painter) const;
    void paintLabels(QPainter &painter) const;
    void paintLines(QPainter &painter) const;

    StackedColumns m_content;
    BarGeometry m_geometry;
    std::vector<PartEntry> m_legend;
    bool m_cut = false; ///< columns continue above the plot
    std::optional<int> m_cursor;
};

} // namespace vramscope
