// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/choices.h"
#include "ui/planner/step_curves.h"
#include "ui/support/plan_follower.h"

#include <QLabel>

class QBoxLayout;
class QButtonGroup;
class QStackedLayout;

namespace vramscope {

class ElidedLabel;
class StackedBarChart;
class StepChart;

/// The first page of the lower card: a training step block by block, or as the moments that the
/// breakdown knows; for serving, the cache as it fills.
class StepPage : public PlanFollower
{
    Q_OBJECT

public:
    enum class View { Course, Moments };

    explicit StepPage(QWidget *parent = nullptr);

    void setSelectedPart(std::optional<std::size_t> part);
    void setSelectedMoment(std::optional<int> moment);
    void setView(View view);
    void setStepKind(StepKind kind);
    /// Without the buttons, for a picture.
    void setChoicesShown(bool shown);

    [[nodiscard]] StepChart *course() const { return m_course; }
    [[nodiscard]] StackedBarChart *moments() const { return m_moments; }

Q_SIGNALS:
    void partClicked(std::size_t part);
    void momentClicked(int moment);

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    QButtonGroup *addChoice(QLayout *layout, const QStringList &names, const QString &description);
    void compute() override;
    void showTitle();
    [[nodiscard]] bool serving() const { return m_plan.workload == Workload::Inference; }
    /// A pipeline goes through a few phases, each a bar.
    [[nodiscard]] View shownView() const;

    View m_view = View::Course;
    StepKind m_kind = StepKind::Steady;
    bool m_choicesShown = true;
    QLabel *m_title;
    ElidedLabel *m_remark;
    QButtonGroup *m_views;
    QButtonGroup *m_kinds;
    QBoxLayout *m_head;
    QStackedLayout *m_charts;
    StepChart *m_course;
    StackedBarChart *m_moments;
};

} // namespace vramscope
