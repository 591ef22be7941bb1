// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/estimate/estimate.h"
#include "core/plan/field.h"
#include "core/plan/plan.h"
#include "ui/document/document_page.h"
#include "ui/models/estimate_model.h"

#include <optional>
#include <string>
#include <vector>

class QSplitter;
class QToolButton;

namespace vramscope {

class AllocatorView;
class AnswerView;
class AskBox;
class BreakdownPanel;
class LayoutsView;
class PlanCards;
class PlanForm;
class PlansCompareView;
class ProjectionView;
class RecommendationView;
class ScenarioBar;
class ScenarioList;
class SweepView;
class WaysList;
class WordControl;
struct ComparablePlan;
enum class PlanView;

/// The page of one open plan: settings on the left, the answer and the charts in the middle, the
/// breakdown and its formulas on the right. Every edit recomputes all of it at once; every edit can
/// be undone.
class PlanPage : public DocumentPage, private PlanEditing, private PlansBeside
{
    Q_OBJECT

public:
    explicit PlanPage(QWidget *parent = nullptr);
    ~PlanPage() override;

    /// Opens a plan: it becomes the one that changes are marked against, and the history starts
    /// anew.
    void setPlan(const Plan &plan, const QString &name);
    [[nodiscard]] const Plan &plan() const override { return m_plan; }
    [[nodiscard]] const Estimate &estimate() const { return m_estimate; }
    [[nodiscard]] const QString &name() const { return m_name; }

    /// Undo and redo; its clean state is the saved document.
    [[nodiscard]] QUndoStack *undoStack() const override { return m_undo; }
    [[nodiscard]] bool isModified() const override;
    /// The plan as it is now has been saved.
    void markSaved() override;

    void setUnit(ByteUnit unit) override;
    [[nodiscard]] QString statusText() const override;
    [[nodiscard]] DocumentPointer document() const override;
    [[nodiscard]] Table table(qsizetype most) const override;
    [[nodiscard]] QString helpTopic() const override { return QStringLiteral("plan"); }
    [[nodiscard]] bool isPresentable() const override { return true; }
    [[nodiscard]] std::vector<StageItem> stageItems() override;
    /// The plan and those that are pinned, each once.
    [[nodiscard]] std::vector<ReportSource> reportSources(const QString &file,
                                                          const QDateTime &date) const override;
    [[nodiscard]] QVariantMap chosen(const Redaction *redaction) const override;
    void restore(const QVariantMap &chosen) override;
    [[nodiscard]] PlanEditing *planEditing() override { return this; }
    [[nodiscard]] PlansBeside *plansBeside() override { return this; }

    /// Sets a field as the form does: one undoable edit. An error leaves the plan as it is.
    Result<void> edit(const Field &field, const FieldValue &value);
    /// Puts another plan in the place of this one: one undoable edit of that name.
    void replacePlan(const Plan &after, const QString &name) override;
    /// Selects a part in the tree and the charts.
    void selectPart(const PartKey &key);
    /// Shows the breakdown of a moment; empty: of the peak.
    void selectMoment(std::optional<std::string> name);

    [[nodiscard]] PlanForm *form() const { return m_form; }
    [[nodiscard]] AnswerView *answer() const { return m_answer; }
    [[nodiscard]] PlanCards *charts() const { return m_cards; }
    [[nodiscard]] BreakdownPanel *breakdown() const { return m_panel; }
    [[nodiscard]] RecommendationView *recommendation() const { return m_recommendation; }
    [[nodiscard]] WaysList *ways() const { return m_ways; }
    [[nodiscard]] ScenarioList *scenarios() const { return m_scenarios; }
    [[nodiscard]] ScenarioBar *scenarioBar() const { return m_scenarioBar; }
    [[nodiscard]] PlansCompareView *compareView() const { return m_compare; }

    /// Keeps the plan as it is now beside the page's.
    void pinScenario();
    /// Keeps another plan beside it, under its name; the first is what changes are marked against.
    void pinPlan(const Plan &plan, const QString &name);
    /// Brings a view of the lower card to the front.
    void showPlanView(PlanView view) override;
    /// Puts a scenario in the place of this plan: one undoable edit.
    void bringBack(std::size_t index);
    [[nodiscard]] SweepView *sweepView() const { return m_sweep; }
    [[nodiscard]] LayoutsView *layoutsView() const { return m_layouts; }
    [[nodiscard]] ProjectionView *projectionView() const { return m_projection; }
    [[nodiscard]] AllocatorView *allocatorView() const { return m_allocator; }
    /// Simulates now, on this thread, what is in front: for pictures without an event loop.
    void workNow() override;

Q_SIGNALS:
    /// The plan is another one now, by an edit, undo or redo.
    void changed();
    void modifiedChanged(bool modified);
    /// The line above the plan names a file, or is settings of another tool.
    void settingsWanted(const QString &text);
    /// The page about measured figures is to show the rows of a kind of run.
    void trustWanted(const QString &run);

protected:
    void changeEvent(QEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    [[nodiscard]] const Plan &openedPlan() const override;
    void markUnsaved() override;
    [[nodiscard]] std::vector<NamedPlan> plans() const override;
    void addPlan(const NamedPlan &plan) override { pinPlan(plan.plan, plan.name); }
    void setPlanMissing(const QString &) override {}

    QWidget *makeCentre();
    /// In a narrow page the settings fold into a button first, then the breakdown goes below.
    void arrange();
    void wire();
    void resetField(const Field &field);
    void pushEdit(const Plan &after, const Field &field);
    void applyPlan(const Plan &plan);
    void refresh();
    // plan_page_scenarios.cpp
    void wireScenarios();
    void refreshCharts();
    [[nodiscard]] std::vector<ComparablePlan> comparablePlans() const;
    void wireExploring();
    void refreshExploring();
    void showSelectedMoment();
    void selectLargestPart();
    [[nodiscard]] std::size_t shownMoment() const;

    Plan m_plan;
    Estimate m_estimate = vramscope::estimate(Plan());
    std::int64_t m_estimateMicroseconds = 0;
    QString m_name;
    std::optional<std::string> m_moment; ///< empty: the peak, whichever it is
    int m_gesture = 0;                   ///< edits of one gesture are one step of the history

    QUndoStack *m_undo;
    PlanForm *m_form;
    QToolButton *m_settings; ///< unfolds the form where the page is narrow
    QSplitter *m_results; ///< centre and breakdown: beside each other, or below where it is narrow
    AskBox *m_ask = nullptr;
    AnswerView *m_answer = nullptr;
    WordControl *m_words = nullptr;
    RecommendationView *m_recommendation = nullptr;
    PlanCards *m_cards = nullptr;
    BreakdownPanel *m_panel;
    WaysList *m_ways = nullptr;
    ScenarioList *m_scenarios = nullptr;
    ScenarioBar *m_scenarioBar = nullptr;
    PlansCompareView *m_compare = nullptr;
    SweepView *m_sweep = nullptr;
    LayoutsView *m_layouts = nullptr;
    ProjectionView *m_projection = nullptr;
    AllocatorView *m_allocator = nullptr;
};

} // namespace vramscope
