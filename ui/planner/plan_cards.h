// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "ui/planner/plan_bars.h"

#include <QLabel>
#include <QWidget>

#include <span>

namespace vramscope {

class LowerCard;

/// The two charts of a plan in their cards: where the memory goes at the peak, and the moments of
/// a step, which is the first page of the lower card.
class PlanCards : public QWidget
{
    Q_OBJECT

public:
    explicit PlanCards(QWidget *parent = nullptr);

    /// Shows scenarios side by side and the moments of the first.
    void showEstimates(std::span<const NamedEstimate> scenarios, ByteUnit unit, bool serving);
    void setSelectedPart(std::optional<std::size_t> part);
    void setSelectedMoment(std::optional<int> moment);

    [[nodiscard]] StackedBarChart *breakdown() const { return m_breakdown; }
    [[nodiscard]] StackedBarChart *moments() const { return m_moments; }
    [[nodiscard]] LowerCard *lower() const { return m_lower; }

Q_SIGNALS:
    void partClicked(std::size_t part);
    void momentClicked(int moment);

private:
    StackedBarChart *m_breakdown;
    StackedBarChart *m_moments;
    LowerCard *m_lower;
    QWidget *m_step; ///< the page of the moments
    QLabel *m_breakdownTitle;
    QLabel *m_momentsTitle;
};

} // namespace vramscope
