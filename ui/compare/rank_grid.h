// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "core/ranks/rank_folder.h"
#include "ui/support/theme.h"

#include <QAbstractScrollArea>

namespace vramscope {

/// The ranks of a run as small multiples: a little curve each, all on the same axes, in rows that
/// fill the width. Click or Enter opens a rank, C compares it with the typical one, arrows move.
/// Only tiles in sight are painted.
class RankGrid : public QAbstractScrollArea
{
    Q_OBJECT

public:
    enum class Order { Number, Peak };

    explicit RankGrid(std::shared_ptr<const RankFolder> folder, QWidget *parent = nullptr);

    void setUnit(ByteUnit unit);
    void setOrder(Order order);
    /// By index into RankFolder::ranks.
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
    void mouseReleaseEvent(QMouseEvent *event) override;
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
    // rank_grid_paint.cpp
    void paintTile(QPainter &painter, std::size_t rank, const QRect &tile) const;
    void paintCurve(QPainter &painter, const CurveOutline &curve, const QRect &plot,
                    const QColor &color) const;

    std::shared_ptr<const RankFolder> m_folder;
    std::vector<std::size_t> m_order;
    Bytes m_highest = 1;      // of all ranks: the top of every tile
    EventIndex m_longest = 1; // of all ranks: the right of every tile
    std::size_t m_current = 0;
    std::optional<std::size_t> m_pressed;
    ByteUnit m_unit = ByteUnit::Binary;
};

} // namespace vramscope
