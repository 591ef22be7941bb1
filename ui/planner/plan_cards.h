// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "ui/planner/plan_bars.h"

#include <QLabel>
#include <QWidget>

#include <span>

class QBoxLayout;

namespace vramscope {

class LowerCard;
class StepPage;

/// The charts of a plan in two cards: where the memory goes at the peak, and the lower card with
/// the course of a step as its first page.
class PlanCards : public QWidget
{
    Q_OBJECT

public:
    explicit PlanCards(QWidget *parent = nullptr);

    /// Shows scenarios side by side, and the course of the first, which is that of `plan`.
    void showPlan(const Plan &plan, std::span<const NamedEstimate> scenarios, ByteUnit unit);
    /// Puts a widget beside the title of the bars.
    void addToHead(QWidget *widget);
    void setSelectedPart(std::optional<std::size_t> part);
    void setSelectedMoment(std::optional<int> moment);

    [[nodiscard]] StackedBarChart *breakdown() const { return m_breakdown; }
    [[nodiscard]] StepPage *step() const { return m_step; }
    [[nodiscard]] LowerCard *lower() const { return m_lower; }

Q_SIGNALS:
    void partClicked(std::size_t part);
    void momentClicked(int moment);

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    StackedBarChart *m_breakdown;
    LowerCard *m_lower;
    StepPage *m_step;
    QLabel *m_breakdownTitle;
    QBoxLayout *m_head;
};

} // namespace vramscope
