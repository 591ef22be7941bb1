// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/progress.h"
#include "core/validation/reserve_errors.h"
#include "ui/models/reserve_model.h"
#include "ui/support/plan_follower.h"

#include <QTimer>

#include <functional>
#include <memory>
#include <optional>

class QLabel;
class QPushButton;
class QTableView;

namespace vramscope {

class ElidedLabel;
class Job;
class SettingField;

/// What a plan reserves under the usual settings of the allocator and one of the user's own: under
/// PyTorch's default the plan's own figure. Simulates off the GUI thread, and
/// the latest wish wins.
class AllocatorView : public PlanFollower
{
    Q_OBJECT

public:
    explicit AllocatorView(QWidget *parent = nullptr);
    ~AllocatorView() override;

    /// Simulates now, on this thread: for pictures without an event loop.
    void workNow();

    [[nodiscard]] ReserveModel *model() const { return m_model; }
    [[nodiscard]] QTableView *table() const { return m_table; }
    [[nodiscard]] SettingField *ownField() const { return m_own; }
    [[nodiscard]] QPushButton *copyButton() const { return m_copy; }
    /// How far the factor and the simulation are off; none before the first simulation.
    [[nodiscard]] const std::optional<ReserveErrors> &errors() const { return m_errors; }
    /// Why there is nothing to show; empty where there is something.
    [[nodiscard]] QString emptyText() const;

Q_SIGNALS:
    void answered();

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    struct Found
    {
        PlanReserves reserves;
        ReserveErrors errors;
    };

    QWidget *makeBody();
    void setUpTable();
    void fitColumns();
    void compute() override;
    void takeUnit() override;
    void search();
    [[nodiscard]] std::function<Found(const Progress &)> work() const;
    void take(Found found);
    void showFound();
    void showProblems();
    /// The configuration of the current row; empty: PyTorch's default, or no row is.
    [[nodiscard]] std::string chosen() const;
    [[nodiscard]] std::optional<int> rowOf(const std::string &configuration) const;
    /// Makes its row the current one; where there is none, that of PyTorch's default.
    void choose(const std::string &configuration);
    void copyChosen() const;

    std::string m_wish; ///< a configuration of the user's own; empty: none
    std::optional<ReserveErrors> m_errors;
    QTimer m_wait; // while the plan changes step by step, as under a slider, nothing is replayed
    std::unique_ptr<Job> m_job;
    QLabel *m_factor;
    ElidedLabel *m_why;
    QLabel *m_advice;
    SettingField *m_own;
    QLabel *m_problems;
    QPushButton *m_copy;
    ReserveModel *m_model;
    QTableView *m_table;
    ElidedLabel *m_basis;
    QWidget *m_body;
    QLabel *m_empty;
};

} // namespace vramscope
