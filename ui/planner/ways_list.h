// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/solver/ways_to_fit.h"
#include "ui/support/plan_follower.h"

#include <QListWidget>
#include <QToolButton>

#include <vector>

class QLabel;

namespace vramscope {

/// What a way gives: "−6.99 GiB" of the device, or "+57,120 tokens" of the cache.
[[nodiscard]] QString gainText(const WayToFit &way, ByteUnit unit);

/// The single changes that lower what a plan needs, cheapest first: what each saves, what it costs
/// and whether the plan fits with it. A click or Enter asks for one. Ranking takes
/// well under a millisecond.
class WaysList : public PlanFollower
{
    Q_OBJECT

public:
    explicit WaysList(QWidget *parent = nullptr);

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
    void compute() override;
    void fill();
    void fitHeight();
    [[nodiscard]] QString remarkText() const;
    [[nodiscard]] QString tipText(const WayToFit &way) const;

    QLabel *m_title;
    QLabel *m_remark;
    QListWidget *m_list;
    QToolButton *m_more;
    std::vector<WayToFit> m_ways;
    bool m_all = false; ///< or the first few
};

} // namespace vramscope
