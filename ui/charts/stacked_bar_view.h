// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/chart.h"
#include "ui/charts/stacked_bar_chart.h"
#include "ui/support/theme.h"

#include <QtCharts/QBarSet>
#include <QtCharts/QChartView>
#include <QtCharts/QValueAxis>

#include <bitset>
#include <functional>

class QBarCategoryAxis;

namespace vramscope {

/// The inside of a StackedBarChart. Qt Charts draws bars and grid into a plot area that is set
/// here; names, totals, the capacity line, the legend and the selection are painted over them from
/// the same BarGeometry, because the axes of Qt Charts elide their texts if space is short.
class StackedBarView : public QChartView
{
public:
    StackedBarView(Qt::Orientation orientation, QWidget *parent);

    StackedBars content;
    ByteUnit unit = ByteUnit::Binary;
    bool legend = false;
    std::bitset<kPartCount> present; ///< parts of the whole content, and hidden parts
    std::bitset<kPartCount> hidden;
    std::optional<std::size_t> selectedPart;
    std::optional<int> selectedBar;
    std::function<void(std::size_t)> onPart;
    std::function<void(int)> onBar;
    std::function<void(std::size_t)> onHide;

    /// Brings bars, axes and plot area in line with the content, the size and the theme.
    void relayout();
    [[nodiscard]] const BarGeometry &bars() const { return m_bars; }
    [[nodiscard]] std::vector<std::array<double, kPartCount>> drawnValues() const;
    [[nodiscard]] QString hoverText(QPointF point) const;
    [[nodiscard]] int heightAt(int width) const;

protected:
    void drawBackground(QPainter *painter, const QRectF &rect) override;
    void drawForeground(QPainter *painter, const QRectF &rect) override;
    void resizeEvent(QResizeEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void leaveEvent(QEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;

private:
    struct Hit
    {
        std::optional<int> bar;
        std::optional<std::size_t> part;
        bool operator==(const Hit &) const = default;
    };

    [[nodiscard]] bool lying() const { return m_bars.orientation == Qt::Horizontal; }
    [[nodiscard]] QFont smallFont() const { return typeFont(this, Type::Small); }
    [[nodiscard]] double lineHeight() const;
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

    void buildSeries(Qt::Orientation orientation);
    /// Vertical bars become horizontal if their names would not fit below them.
    [[nodiscard]] Qt::Orientation fittingOrientation() const;
    void layoutPlot();
    void layoutRange();
    void fillSets();
    void paintAxis(QPainter &painter, const Theme &theme) const;
    void paintNames(QPainter &painter, const Theme &theme) const;
    void paintTotals(QPainter &painter, const Theme &theme) const;
    void paintBars(QPainter &painter, const Theme &theme) const;
    void paintLabel(QPainter &painter, const QRectF &rect, std::size_t part, Bytes bytes) const;
    void paintCapacity(QPainter &painter, const Theme &theme) const;
    void paintLegend(QPainter &painter, const Theme &theme) const;

    Qt::Orientation m_preferred;
    BarGeometry m_bars;
    std::vector<PartEntry> m_legend;
    std::array<QBarSet *, kPartCount> m_sets{};
    QBarCategoryAxis *m_names = nullptr;
    QValueAxis *m_values = nullptr;
    int m_categories = 0;
    Hit m_hover;
};

} // namespace vramscope
