// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ranks/rank_order.h"
#include "core/ranks/run_study.h"
#include "ui/support/in_unit.h"

#include <QAbstractScrollArea>

#include <cstdint>
#include <optional>
#include <vector>

namespace vramscope {

/// A picture of the ranks of a run: a click or the arrows choose a rank, a double click or Enter
/// opens it, C compares it with the typical one of its group. A menu offers both.
class RankPicture : public QAbstractScrollArea, public InUnit
{
    Q_OBJECT

public:
    virtual void setOrder(RankOrder order) = 0;
    /// By rank, 1 for those that are shown; empty: all are.
    virtual void setKept(std::vector<std::uint8_t> kept) = 0;
    /// By index into RankedRun::ranks.
    void setCurrent(std::size_t rank);
    [[nodiscard]] std::size_t current() const { return m_current; }

    /// The rank under a point of the viewport.
    [[nodiscard]] virtual std::optional<std::size_t> rankAt(QPoint point) const = 0;
    /// What a point shows, in several lines; empty where there is nothing.
    [[nodiscard]] virtual QString toolTipAt(QPoint point) const = 0;

Q_SIGNALS:
    void currentChanged(std::size_t rank);
    void openWanted(std::size_t rank);
    void comparisonWanted(std::size_t rank);

protected:
    /// `keys` describes the keys for screen readers.
    RankPicture(RunStudyPointer study, const QString &name, const QString &keys, QWidget *parent);

    [[nodiscard]] const RunStudyPointer &study() const { return m_study; }
    /// The same ranks with more of them known.
    void setStudy(RunStudyPointer study) { m_study = std::move(study); }
    /// Scrolls until the current rank is in sight.
    virtual void showCurrent() = 0;
    /// The point of the viewport that a menu of the current rank opens at.
    [[nodiscard]] virtual QPoint menuPlace() const = 0;

    bool viewportEvent(QEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;
    void contextMenuEvent(QContextMenuEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    void takeUnit() override { viewport()->update(); }
    RunStudyPointer m_study;
    std::size_t m_current = 0;
};

} // namespace vramscope
