// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/progress.h"
#include "core/estimate/estimate.h"
#include "core/planned_requests/planned_reserve.h"
#include "core/validation/reserve_errors.h"
#include "ui/support/plan_follower.h"

#include <QString>
#include <QTimer>

#include <functional>
#include <memory>
#include <optional>

class QLabel;
class QPushButton;
class QTableView;

namespace vramscope {

class DataTableModel;
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
    /// The columns of its table, in their order.
    enum Column { Setting, Reserved, Likely, Word, Stranded, Segments, Retries, Where };

    explicit AllocatorView(QWidget *parent = nullptr);
    ~AllocatorView() override;

    /// Simulates now, on this thread: for pictures without an event loop.
    void workNow();

    [[nodiscard]] DataTableModel *model() const { return m_model; }
    /// What its rows show.
    [[nodiscard]] const PlanReserves &reserves() const { return *m_found; }
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
    std::shared_ptr<const PlanReserves> m_found = std::make_shared<const PlanReserves>();
    DataTableModel *m_model;
    QTableView *m_table;
    ElidedLabel *m_basis;
    QWidget *m_body;
    QLabel *m_empty;
};

/// What is reserved by the factor, on which the plan's figures rest, its range, and why no setting
/// may bring less.
[[nodiscard]] QString factorText(const Plan &plan, const Estimate &figures, ByteUnit unit);
/// Why the factor gives the figures and the simulation compares settings, in measured errors.
[[nodiscard]] QString whyFactorText(const ReserveErrors &errors);
/// Which setting is worth a change, or that none is, or that the plan fits under none.
[[nodiscard]] QString reserveAdvice(const PlanReserves &found, ByteUnit unit);
/// What the simulated figures are of.
[[nodiscard]] QString reserveBasis(const PlanReserves &found, ByteUnit unit);

} // namespace vramscope
