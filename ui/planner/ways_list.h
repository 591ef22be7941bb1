// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "core/plan/plan.h"
#include "core/solver/ways_to_fit.h"

#include <QListWidget>
#include <QToolButton>

#include <vector>

class QLabel;

namespace vramscope {

/// What a way gives: "−6.99 GiB" of the device, or "+57,120 tokens" of the cache.
[[nodiscard]] QString gainText(const WayToFit &way, ByteUnit unit);

/// The single changes that lower what a plan needs, cheapest first: what each saves, what it costs
/// and whether the plan fits with it. A click or Enter asks for one. What is not visible is not
/// computed; ranking takes well under a millisecond.
class WaysList : public QWidget
{
    Q_OBJECT

public:
    explicit WaysList(QWidget *parent = nullptr);

    /// How many are shown before more are asked for.
    void setFirst(std::size_t count);
    void showPlan(const Plan &plan, const Estimate &estimate, ByteUnit unit);
    [[nodiscard]] const std::vector<WayToFit> &ways() const { return m_ways; }
    [[nodiscard]] QListWidget *list() const { return m_list; }
    /// What is said in place of the list, or above it.
    [[nodiscard]] QString remark() const;

Q_SIGNALS:
    void wayChosen(const vramscope::WayToFit &way);

protected:
    void showEvent(QShowEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    void refresh();
    void fill();
    void fitHeight();
    [[nodiscard]] QString remarkText() const;
    [[nodiscard]] QString tipText(const WayToFit &way) const;

    QLabel *m_title;
    QLabel *m_remark;
    QListWidget *m_list;
    QToolButton *m_more;
    Plan m_plan;
    Estimate m_estimate;
    ByteUnit m_unit = ByteUnit::Binary;
    std::vector<WayToFit> m_ways;
    std::size_t m_first = 6;
    bool m_outdated = false; ///< the plan changed while nobody looked
    bool m_all = false;      ///< or the first few
};

} // namespace vramscope
