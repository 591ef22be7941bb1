// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "core/planner/plan.h"
#include "ui/reconcile/reconcile_study.h"

#include <QWidget>

#include <memory>
#include <optional>
#include <string>

class QBoxLayout;
class QComboBox;
class QFrame;
class QLabel;

namespace vramscope {

class ElidedLabel;
class FactTable;
class Job;
class StackedBarChart;
class WaterfallChart;

/// The page of a plan compared with a recording of its run: the answer, the parts of every moment
/// predicted beside recorded, what leads from one to the other, and the constants that the
/// recording tells better than the catalogue. The plan is that of another tab: the page is told of
/// every edit and asks for edits, it makes none. Computes off the GUI thread, and nothing while it
/// is not visible; of several plans the latest is held.
class ReconcilePage : public QWidget
{
    Q_OBJECT

public:
    explicit ReconcilePage(std::shared_ptr<const ReconcileDocument> recording,
                           QWidget *parent = nullptr);
    ~ReconcilePage() override;

    /// The plan as it is now.
    void setPlan(const Plan &plan, const QString &title);
    /// There is no plan to hold or to edit, and why: a sentence. What is shown stays.
    void setPlanMissing(const QString &why);
    void setUnit(ByteUnit unit);
    [[nodiscard]] ByteUnit unit() const { return m_unit; }
    void setDevice(std::size_t device);
    /// Selects a moment: its parts stand in the table.
    void selectMoment(std::size_t moment);
    /// Computes now, on this thread: for pictures without an event loop.
    void workNow();

    /// What is shown; null until the first is there.
    [[nodiscard]] const Reconciliation *reconciliation() const { return m_reconciliation.get(); }
    /// The plan that is held, or was last; none until there is one.
    [[nodiscard]] const std::optional<Plan> &plan() const { return m_plan; }
    [[nodiscard]] const QString &planTitle() const { return m_planTitle; }
    [[nodiscard]] const ComparedTrace &recording() const { return m_recording; }
    [[nodiscard]] std::size_t moment() const { return m_moment; }
    [[nodiscard]] QString statusText() const;
    /// Why there is nothing to show; empty where there is something.
    [[nodiscard]] QString emptyText() const;

    [[nodiscard]] QLabel *answer() const { return m_answer; }
    [[nodiscard]] StackedBarChart *bars() const { return m_bars; }
    [[nodiscard]] WaterfallChart *waterfall() const { return m_waterfall; }
    [[nodiscard]] FactTable *parts() const { return m_parts; }
    [[nodiscard]] FactTable *reasons() const { return m_reasons; }
    [[nodiscard]] FactTable *candidates() const { return m_candidates; }
    [[nodiscard]] FactTable *levels() const { return m_levels; }
    [[nodiscard]] FactTable *constants() const { return m_constants; }

Q_SIGNALS:
    /// The plan should become another one: an edit of that name.
    void editWanted(const vramscope::Plan &plan, const QString &name);
    void statusChanged();

protected:
    void showEvent(QShowEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    // held_page_parts.cpp
    void build();
    [[nodiscard]] QWidget *makeHead();
    [[nodiscard]] QWidget *makeMomentsCard();
    [[nodiscard]] QWidget *makeReasonsCard();
    void makeTables();

    void compute();
    void take(std::shared_ptr<const Reconciliation> held);
    void refresh();
    void refreshMoment();
    void refreshButtons();
    void trySetting(const Reason &reason);
    void takeOver(const Calibration &constant);

    ComparedTrace m_recording;
    std::optional<Plan> m_plan;
    std::optional<Bytes> m_capacity;
    QString m_planTitle;
    QString m_missing;   ///< why there is no plan; empty where there is one
    QString m_noFigures; ///< why the plan gives none; empty where it does
    ByteUnit m_unit = ByteUnit::Binary;
    bool m_stale = true;
    std::shared_ptr<const Reconciliation> m_reconciliation;
    std::size_t m_moment = 0;
    std::string m_momentName; ///< of the one the user chose; empty: the one compared
    std::unique_ptr<Job> m_studyJob;
    std::unique_ptr<Job> m_job;

    ElidedLabel *m_title = nullptr;
    QComboBox *m_device = nullptr;
    QLabel *m_note = nullptr;
    QLabel *m_empty = nullptr;
    QWidget *m_body = nullptr;
    QBoxLayout *m_columns = nullptr;
    QLabel *m_answer = nullptr;
    QLabel *m_about = nullptr;
    QLabel *m_remarks = nullptr;
    StackedBarChart *m_bars = nullptr;
    QComboBox *m_momentBox = nullptr;
    QLabel *m_where = nullptr;
    FactTable *m_parts = nullptr;
    QLabel *m_wayTitle = nullptr;
    WaterfallChart *m_waterfall = nullptr;
    FactTable *m_reasons = nullptr;
    QWidget *m_others = nullptr;
    FactTable *m_candidates = nullptr;
    FactTable *m_levels = nullptr;
    QWidget *m_constantsCard = nullptr;
    FactTable *m_constants = nullptr;
};

} // namespace vramscope
