// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/ranks/rank_curve.h"
#include "ui/ranks/rank_picture.h"
#include "ui/support/theme.h"

namespace vramscope {

/// The ranks of a run as small multiples: a little curve each, all on the same axes, in rows that
/// fill the width. Only tiles in sight are painted.
class RankGrid : public RankPicture
{
    Q_OBJECT

public:
    explicit RankGrid(RunStudyPointer study, QWidget *parent = nullptr);

    void setOrder(RankOrder order) override;
    void setKept(std::vector<std::uint8_t> kept) override;

    /// The ranks in the order they stand in.
    [[nodiscard]] const std::vector<std::size_t> &order() const { return m_order; }
    /// Where a rank's tile stands in the viewport.
    [[nodiscard]] QRect tileRect(std::size_t rank) const;
    [[nodiscard]] std::optional<std::size_t> rankAt(QPoint point) const override;
    /// File, peaks in full, and the distance from the median of its group.
    [[nodiscard]] QString toolTipAt(QPoint point) const override;
    /// "outlier +4.6 GiB", "typical", "out of memory"; empty for most.
    [[nodiscard]] QString badgeOf(std::size_t rank) const;

    /// As high as all ranks with curves of a usual height.
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void changeEvent(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void scrollContentsBy(int dx, int dy) override;
    void showCurrent() override;
    [[nodiscard]] QPoint menuPlace() const override { return tileRect(current()).center(); }

private:
    static constexpr int kPadding = 8; // inside a tile

    [[nodiscard]] int columns() const;
    [[nodiscard]] int rows() const;
    [[nodiscard]] QSize tileSize() const;
    [[nodiscard]] std::size_t placeOf(std::size_t rank) const;
    void updateScrollBar();
    void paintTile(QPainter &painter, std::size_t rank, const QRect &tile) const;
    void paintPlot(QPainter &painter, std::size_t rank, const QRect &plot) const;

    std::vector<std::size_t> m_order;
    RankOrder m_by = RankOrder::Number;
    std::vector<std::uint8_t> m_kept;
    RankScale m_scale; // the top and the right of every tile
};

} // namespace vramscope
