// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "core/ranks/run_study.h"
#include "ui/ranks/rank_curve.h"
#include "ui/ranks/rank_order.h"
#include "ui/support/theme.h"

#include <QAbstractScrollArea>

namespace vramscope {

/// The ranks of a run as small multiples: a little curve each, all on the same axes, in rows that
/// fill the width. A click or the arrows choose a rank, a double click or Enter opens it, C
/// compares it with the typical one. Only tiles in sight are painted.
class RankGrid : public QAbstractScrollArea
{
    Q_OBJECT

public:
    explicit RankGrid(RunStudyPointer study, QWidget *parent = nullptr);

    void setUnit(ByteUnit unit);
    void setOrder(RankOrder order);
    /// By rank, 1 for those that are shown; empty: all are.
    void setKept(std::vector<std::uint8_t> kept);
    /// By index into RankedRun::ranks.
    void setCurrent(std::size_t rank);
    [[nodiscard]] std::size_t current() const { return m_current; }

    /// The ranks in the order they stand in.
    [[nodiscard]] const std::vector<std::size_t> &order() const { return m_order; }
    /// Where a rank's tile stands in the viewport.
    [[nodiscard]] QRect tileRect(std::size_t rank) const;
    /// The rank under a point of the viewport.
    [[nodiscard]] std::optional<std::size_t> rankAt(QPoint point) const;
    /// Several lines: file, peaks in full, what it is beside the median.
    [[nodiscard]] QString toolTipOf(std::size_t rank) const;
    /// "outlier +4.6 GiB", "typical", "out of memory"; empty for most.
    [[nodiscard]] QString badgeOf(std::size_t rank) const;

    /// As high as all ranks with curves of a usual height.
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

Q_SIGNALS:
    void currentChanged(std::size_t rank);
    void openWanted(std::size_t rank);
    void comparisonWanted(std::size_t rank);

protected:
    bool viewportEvent(QEvent *event) override;
    void changeEvent(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;
    void contextMenuEvent(QContextMenuEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void scrollContentsBy(int dx, int dy) override;

private:
    static constexpr int kPadding = 8; // inside a tile

    [[nodiscard]] int columns() const;
    [[nodiscard]] int rows() const;
    [[nodiscard]] QSize tileSize() const;
    [[nodiscard]] std::size_t placeOf(std::size_t rank) const;
    void updateScrollBar();
    /// Scrolls until it is in sight.
    void showCurrent();
    // rank_grid_paint.cpp
    void paintTile(QPainter &painter, std::size_t rank, const QRect &tile) const;
    void paintPlot(QPainter &painter, std::size_t rank, const QRect &plot) const;

    RunStudyPointer m_study;
    std::vector<std::size_t> m_order;
    RankOrder m_by = RankOrder::Number;
    std::vector<std::uint8_t> m_kept;
    RankScale m_scale; // the top and the right of every tile
    std::size_t m_current = 0;
    ByteUnit m_unit = ByteUnit::Binary;
};

} // namespace vramscope
