// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/plan.h"
#include "ui/document/document_page.h"
#include "ui/reconcile/reconcile_study.h"

#include <memory>
#include <optional>
#include <string>

class QComboBox;
class QLabel;

namespace vramscope {

class Card;
class CardColumns;
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
class ReconcilePage : public DocumentPage, private PlansBeside
{
    Q_OBJECT

public:
    explicit ReconcilePage(const std::shared_ptr<const ReconcileDocument> &recording,
                           QWidget *parent = nullptr);
    ~ReconcilePage() override;

    /// The plan as it is now.
    void setPlan(const Plan &plan, const QString &title);
    /// There is no plan to hold or to edit, and why: a sentence. What is shown stays.
    void setPlanMissing(const QString &why) override;
    void setUnit(ByteUnit unit) override;
    void showDevice(std::size_t device) override;
    /// Selects a moment: its parts stand in the table.
    void selectMoment(std::size_t moment);
    /// Computes now, on this thread: for pictures without an event loop.
    void workNow() override;

    /// What is shown; null until the first is there.
    [[nodiscard]] const Reconciliation *reconciliation() const { return m_reconciliation.get(); }
    /// The plan that is held, or was last; none until there is one.
    [[nodiscard]] const std::optional<Plan> &plan() const { return m_plan; }
    [[nodiscard]] const QString &planTitle() const { return m_planTitle; }
    [[nodiscard]] const ComparedTrace &recording() const { return m_recording; }
    [[nodiscard]] std::size_t moment() const { return m_moment; }
    [[nodiscard]] QString statusText() const override;
    [[nodiscard]] QString helpTopic() const override { return QStringLiteral("reconcile"); }
    [[nodiscard]] Table table(qsizetype most) const override;
    [[nodiscard]] bool isPresentable() const override { return true; }
    [[nodiscard]] std::vector<StageItem> stageItems() override;
    [[nodiscard]] std::vector<ReportSource> reportSources(const QString &file,
                                                          const QDateTime &date) const override;
    [[nodiscard]] QVariantMap chosen(const Redaction *redaction) const override;
    void restore(const QVariantMap &chosen) override;
    [[nodiscard]] PlansBeside *plansBeside() override { return this; }
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

protected:
    void showEvent(QShowEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    [[nodiscard]] std::vector<NamedPlan> plans() const override;
    void addPlan(const NamedPlan &plan) override { setPlan(plan.plan, plan.name); }

    // reconcile_page_parts.cpp
    void build();
    [[nodiscard]] QLayout *makeHead();
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
    CardColumns *m_columns = nullptr;
    QLabel *m_answer = nullptr;
    QLabel *m_about = nullptr;
    QLabel *m_remarks = nullptr;
    StackedBarChart *m_bars = nullptr;
    QComboBox *m_momentBox = nullptr;
    QLabel *m_where = nullptr;
    FactTable *m_parts = nullptr;
    Card *m_wayCard = nullptr;
    WaterfallChart *m_waterfall = nullptr;
    FactTable *m_reasons = nullptr;
    QWidget *m_others = nullptr;
    FactTable *m_candidates = nullptr;
    FactTable *m_levels = nullptr;
    QWidget *m_constantsCard = nullptr;
    FactTable *m_constants = nullptr;
};

} // namespace vramscope
