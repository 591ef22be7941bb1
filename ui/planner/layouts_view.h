// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/solver/fit.h"
#include "ui/planner/fit_text.h"
#include "ui/support/plan_follower.h"
#include "ui/support/work_now.h"

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <span>

class QAbstractButton;
class QGridLayout;
class QLabel;
class QProgressBar;
class QPushButton;
class QSplitter;
class QTimer;

namespace vramscope {

class Job;
class ChoiceTable;
class TradeChart;

/// The questions that the solver answers of a plan: the largest batch, the longest sequence, the
/// fewest GPUs, the best layouts. The answer stands in a sentence with the step that does not fit
/// any more, and can be applied; layouts come as a chart and a table. Each question runs off the
/// GUI thread, and the latest wish wins.
class LayoutsView : public PlanFollower, public LateView
{
    Q_OBJECT

public:
    enum Question { Batch, Length, Gpus, Best, QuestionCount };

    explicit LayoutsView(QWidget *parent = nullptr);
    ~LayoutsView() override;

    void ask(Question question);
    void cancel();
    void workNow() override;

    [[nodiscard]] Question question() const { return m_question; }
    /// What was found for the plan; nothing while it is looked for.
    [[nodiscard]] const std::optional<Result<Fit>> &answer() const { return m_answer; }
    [[nodiscard]] bool isRunning() const;
    [[nodiscard]] QString sentence() const;
    [[nodiscard]] TradeChart *chart() const { return m_chart; }
    [[nodiscard]] ChoiceTable *table() const { return m_table; }
    [[nodiscard]] QPushButton *applyButton() const { return m_apply; }
    void selectLayout(std::size_t layout);

Q_SIGNALS:
    /// The plan is to become this one, in one step with this name.
    void planWanted(const vramscope::Plan &plan, const QString &title);
    void answered();

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    QWidget *makeQuestions();
    QWidget *makeLayouts();
    void compute() override;
    void takePlan() override;
    void takeUnit() override;
    [[nodiscard]] std::function<Result<Fit>(const Progress &)> work() const;
    void take(Result<Fit> answer);
    void showAnswer();
    /// The layouts that fit; where none does, those that come nearest.
    [[nodiscard]] std::span<const Layout> shown() const;
    void showLayouts(std::span<const Layout> found);
    void showCosts();
    void offer(std::optional<FoundPlan> found);
    void apply();
    [[nodiscard]] const Layouts *layouts() const;

    std::array<QAbstractButton *, QuestionCount> m_questions{};
    QGridLayout *m_questionGrid = nullptr;
    QLabel *m_sentence;
    QWidget *m_work; ///< progress and cancel
    QProgressBar *m_progress;
    QTimer *m_slow;
    QPushButton *m_apply;
    QWidget *m_found = nullptr; ///< chart and table
    QAbstractButton *m_lost = nullptr;
    QSplitter *m_both = nullptr;
    TradeChart *m_chart = nullptr;
    ChoiceTable *m_table = nullptr;
    std::unique_ptr<Job> m_job;
    Question m_question = Batch;
    std::optional<Result<Fit>> m_answer;
    std::optional<FoundPlan> m_offer;
};

} // namespace vramscope
