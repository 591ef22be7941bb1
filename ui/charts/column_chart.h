// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "core/estimate/verdict.h"
#include "ui/charts/bar_geometry.h"
#include "ui/support/parts.h"

#include <QWidget>

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
    [[nodiscard]] Bytes total() const;
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
class ColumnChart : public QWidget
{
    Q_OBJECT

public:
    explicit ColumnChart(QWidget *parent = nullptr);

    void setContent(const StackedColumns &content);
    [[nodiscard]] const StackedColumns &content() const { return m_content; }
    void setUnit(ByteUnit unit);
    [[nodiscard]] const BarGeometry &geometryOfColumns() const { return m_geometry; }
    /// The hover text of a point; empty if nothing is there.
    [[nodiscard]] QString hoverText(QPointF point) const;

    [[nodiscard]] QSize sizeHint() const override { return {560, 260}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {240, 150}; }

Q_SIGNALS:
    void columnChosen(int column);

protected:
    bool event(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void leaveEvent(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    struct LegendItem
    {
        std::size_t part = 0;
        QRectF rect; ///< below the top of the legend
    };

    void relayout();
    void setCursorColumn(std::optional<int> column);
    [[nodiscard]] QString textOf(const StackedColumn &column,
                                 std::optional<std::size_t> part) const;
    [[nodiscard]] std::optional<std::size_t> partAt(int column, QPointF point) const;
    void paintGrid(QPainter &painter) const;
    void paintColumns(QPainter &painter) const;
    void paintLabels(QPainter &painter) const;
    void paintLines(QPainter &painter) const;
    void paintLegend(QPainter &painter) const;
    [[nodiscard]] std::vector<LegendItem> legendItems() const;
    [[nodiscard]] double legendHeight() const;
    [[nodiscard]] double lineHeight() const;
    [[nodiscard]] QFont smallFont() const;

    StackedColumns m_content;
    ByteUnit m_unit = ByteUnit::Binary;
    BarGeometry m_geometry;
    bool m_cut = false; ///< columns continue above the plot
    std::optional<int> m_cursor;
};

} // namespace vramscope
