// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/bar_geometry.h"
#include "ui/charts/chart.h"
#include "ui/support/parts.h"

#include <bitset>
#include <optional>
#include <vector>

namespace vramscope {

/// One bar: a name and the bytes of each part.
struct StackedBar
{
    QString name;
    PartBytes parts{};
    bool joins = false; ///< belongs to the bar before it: both are selected together
    QString note = {};  ///< part of its hover text
    [[nodiscard]] Bytes total() const { return totalOf(parts); }
    /// Without memory outside the tensors.
    [[nodiscard]] Bytes allocated() const { return total() - parts[kOutsidePart]; }
    bool operator==(const StackedBar &) const = default;
};

/// The content of a StackedBarChart.
struct StackedBars
{
    std::vector<StackedBar> bars;
    std::optional<Bytes> capacity; ///< drawn as a dashed line if known
    std::optional<int> marked;     ///< the bar to emphasise: the peak
    QString emptyText;             ///< shown in place of the bars if the list is empty
    bool operator==(const StackedBars &) const = default;
};

/// Stacked bars of memory parts against the capacity, horizontal (scenarios) or vertical (moments
/// of a step; horizontal if space is short), with total, axis, legend, hover and selection.
class StackedBarChart : public Chart
{
    Q_OBJECT

public:
    explicit StackedBarChart(Qt::Orientation orientation, QWidget *parent = nullptr);

    void setContent(const StackedBars &content);
    [[nodiscard]] const StackedBars &content() const { return m_content; }
    /// Leaves a part out of the bars, or puts it back; so do Ctrl and a click on its name in the
    /// legend, and the key H for the selected part.
    void setPartHidden(std::size_t part, bool hidden);
    void setLegendVisible(bool visible);
    /// The part outlined in every bar.
    void setSelectedPart(std::optional<std::size_t> part);
    [[nodiscard]] std::optional<std::size_t> selectedPart() const { return m_selectedPart; }
    /// The bar with a tinted slot, and those that join it.
    void setSelectedBar(std::optional<int> bar);

    /// The layout of the bars in this widget's pixels.
    [[nodiscard]] const BarGeometry &geometryOfBars() const { return m_bars; }
    /// The content without hidden parts.
    [[nodiscard]] const StackedBars &shown() const { return m_shown; }
    [[nodiscard]] QString hoverText(QPointF point) const override;

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return {240, 120}; }
    [[nodiscard]] int heightForWidth(int width) const override;

Q_SIGNALS:
    void partClicked(std::size_t part);
    void barClicked(int bar);

protected:
    void relayout() override;
    void paintEvent(QPaintEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void leaveEvent(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    struct Hit
    {
        std::optional<int> bar;
        std::optional<std::size_t> part;
        bool operator==(const Hit &) const = default;
    };

    [[nodiscard]] bool lying() const { return m_bars.orientation == Qt::Horizontal; }
    [[nodiscard]] QString giga(Bytes bytes) const;
    [[nodiscard]] QString totalText(const StackedBar &bar) const;
    [[nodiscard]] double totalLabelWidth() const;
    [[nodiscard]] QString capacityText() const;
    [[nodiscard]] double capacityTextWidth() const; ///< with a margin; 0 without a capacity
    [[nodiscard]] double nameColumnWidth(double width) const;
    [[nodiscard]] double namesHeight(double slotWidth) const;
    [[nodiscard]] std::vector<PartEntry> legendItems(double width, double top) const;
    [[nodiscard]] double legendHeight(double width) const;
    [[nodiscard]] double interval() const;
    [[nodiscard]] Hit hitAt(QPointF point) const;

    void showContent();
    /// Vertical bars become horizontal if their names would not fit below them.
    [[nodiscard]] Qt::Orientation fittingOrientation() const;
    void layoutPlot();
    void layoutRange();
    void paintGround(QPainter &painter, const Theme &theme) const;
    void paintAxis(QPainter &painter, const Theme &theme) const;
    void paintNames(QPainter &painter, const Theme &theme) const;
    void paintTotals(QPainter &painter, const Theme &theme) const;
    void paintBars(QPainter &painter, const Theme &theme) const;
    void paintLabel(QPainter &painter, const QRectF &rect, std::size_t part, Bytes bytes) const;
    void paintCapacity(QPainter &painter, const Theme &theme) const;
    void paintLegend(QPainter &painter, const Theme &theme) const;

    Qt::Orientation m_preferred;
    StackedBars m_content; ///< including hidden parts
    StackedBars m_shown;
    std::bitset<kPartCount> m_present; ///< parts of the whole content
    std::bitset<kPartCount> m_hidden;
    bool m_hasLegend = false;
    std::optional<std::size_t> m_selectedPart;
    std::optional<int> m_selectedBar;
    BarGeometry m_bars;
    std::vector<PartEntry> m_legend;
    Hit m_hover;
};

} // namespace vramscope
