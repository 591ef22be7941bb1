// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/solver/projected_plan.h"
#include "ui/projection/projection_text.h"
#include "ui/support/plan_follower.h"
#include "ui/support/work_now.h"

#include <QTimer>

#include <functional>
#include <memory>
#include <optional>

class QAbstractButton;
class QBoxLayout;
class QComboBox;
class QLabel;
class QPushButton;
class QSplitter;
class QStackedWidget;
class QTextBrowser;
class QToolButton;

namespace vramscope {

class ChoiceTable;
class Job;
class LineChart;
class TradeChart;

/// What more or fewer GPUs would do to a plan, and which strategy it should take on those that it
/// has: lines over numbers of GPUs with their table, or strategies as points of memory and cost
/// with the reasons for the first. Both follow from the catalogue's rates, or from a trace or a
/// speed of a run that calibrates them. Works off the GUI thread, and only while it is visible.
class ProjectionView : public PlanFollower, public LateView
{
    Q_OBJECT

public:
    enum class Question { Scale, Strategy };

    explicit ProjectionView(QWidget *parent = nullptr);
    ~ProjectionView() override;

    void ask(Question question);
    void setMetric(ScaleMetric metric);
    void setScaling(Scaling scaling);
    /// Reads a profiler trace and calibrates by its step; what is wrong with it is shown.
    void calibrateByTrace(const QString &path);
    /// By the tokens a second that a run of the plan as it is now had.
    void calibrateBySpeed(double tokensPerSecond);
    void forgetCalibration();
    void workNow() override;

    [[nodiscard]] const std::optional<Result<ProjectedPlan>> &answer() const { return m_answer; }
    [[nodiscard]] bool isRunning() const;
    [[nodiscard]] LineChart *lines() const { return m_lines; }
    [[nodiscard]] ChoiceTable *scaleTable() const { return m_scaleTable; }
    [[nodiscard]] TradeChart *trade() const { return m_trade; }
    [[nodiscard]] ChoiceTable *strategies() const { return m_strategies; }
    [[nodiscard]] QTextBrowser *reasons() const { return m_reasons; }
    [[nodiscard]] QString calibrationSentence() const;
    [[nodiscard]] QPushButton *applyButton() const { return m_apply; }

Q_SIGNALS:
    /// The plan is to become this one, in one step with this name.
    void planWanted(const vramscope::Plan &plan, const QString &title);
    void answered();

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    QWidget *makeControls();
    QWidget *makeCalibration();
    QWidget *makeScale();
    QWidget *makeStrategy();
    void compute() override;
    void takePlan() override;
    void takeUnit() override;
    void search();
    void takeCalibration(Result<SpeedCalibration> made, const Plan &of);
    [[nodiscard]] std::function<Result<ProjectedPlan>(const Progress &)> work() const;
    void take(Result<ProjectedPlan> answer);
    void showAnswer();
    /// In place of an answer why there is none.
    void showInstead(const std::string &why);
    void showLines();
    void showRows(const ScaleLine &line);
    void showStrategies();
    void selectPoint(std::size_t point);
    void selectRow(std::size_t row);
    void selectOption(std::size_t option);
    void apply();
    [[nodiscard]] const ProjectedPlan *projected() const;
    [[nodiscard]] Scaling scaling() const;

    QBoxLayout *m_controls = nullptr;
    QAbstractButton *m_scaleButton = nullptr;
    QAbstractButton *m_strategyButton = nullptr;
    QAbstractButton *m_weak = nullptr;
    QAbstractButton *m_strong = nullptr;
    QComboBox *m_metric = nullptr;
    QLabel *m_calibrationText = nullptr;
    QToolButton *m_calibrate = nullptr;
    QStackedWidget *m_pages = nullptr; ///< scale, strategy, and what is said instead of both
    QSplitter *m_scaleSplit = nullptr;
    QSplitter *m_strategySplit = nullptr;
    LineChart *m_lines = nullptr;
    ChoiceTable *m_scaleTable = nullptr;
    QLabel *m_remarks = nullptr;
    TradeChart *m_trade = nullptr;
    ChoiceTable *m_strategies = nullptr;
    QTextBrowser *m_reasons = nullptr;
    QPushButton *m_apply = nullptr;
    QLabel *m_instead = nullptr;

    QTimer
        m_wait; // while the plan changes step by step, as under a slider, nothing is searched for
    std::unique_ptr<Job> m_job;
    std::unique_ptr<Job> m_reading;
    Question m_question = Question::Scale;
    std::optional<SpeedCalibration> m_calibration;
    Plan m_calibrated; ///< the plan whose run it was
    QString m_calibrationError;
    std::optional<Result<ProjectedPlan>> m_answer;
    std::size_t m_line = 0; ///< whose table is shown
    std::optional<std::size_t> m_option;
};

} // namespace vramscope
