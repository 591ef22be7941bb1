// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ranks/run_study.h"
#include "ui/support/in_unit.h"
#include "ui/support/theme.h"

#include <QWidget>

class QPainter;

namespace vramscope {

/// What the curves of all ranks of a run are drawn to: the most bytes and the most events of any.
struct RankScale
{
    Bytes highest = 1;
    EventIndex longest = 1;
};
[[nodiscard]] RankScale scaleOf(const RunStudy &study);

/// Where after `event` the memory of a rank is in `plot`.
[[nodiscard]] double rankX(EventIndex event, const QRectF &plot, const RankScale &scale);

/// Paints the active memory of a rank into `plot`, filled to its ground.
void paintRankCurve(QPainter &painter, const CurveOutline &curve, const QRectF &plot,
                    const RankScale &scale, const QColor &color, bool dark);

/// The active memory of one rank with axes, its peak, the request that failed, and the curve of the
/// typical rank as a line.
class RankCurve : public QWidget, public InUnit
{
    Q_OBJECT

public:
    explicit RankCurve(RunStudyPointer study, QWidget *parent = nullptr);

    /// The same ranks with their curves.
    void takeCurves(RunStudyPointer study);
    /// By index into RankedRun::ranks.
    void setRank(std::size_t rank);

    [[nodiscard]] QSize sizeHint() const override { return {520, 260}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {240, 120}; }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    void takeUnit() override { update(); }
    void paintTypical(QPainter &painter, const QRectF &plot, const RankScale &scale) const;
    void paintLegend(QPainter &painter, const QRectF &plot) const;

    RunStudyPointer m_study;
    RankScale m_scale; ///< of all ranks
    std::size_t m_rank = 0;
};

} // namespace vramscope
