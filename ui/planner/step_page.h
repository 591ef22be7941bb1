// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "core/estimate/estimate.h"
#include "core/plan/choices.h"
#include "core/plan/plan.h"
#include "ui/planner/step_curves.h"

#include <QLabel>
#include <QWidget>

class QBoxLayout;
class QButtonGroup;
class QStackedLayout;

namespace vramscope {

class ElidedLabel;
class StackedBarChart;
class StepChart;

/// The first page of the lower card: a training step block by block, or as the moments that the
/// breakdown knows; for serving, the cache as it fills. Computes nothing while it is not visible.
class StepPage : public QWidget
{
    Q_OBJECT

public:
    enum class View { Course, Moments };

    explicit StepPage(QWidget *parent = nullptr);

    void showPlan(const Plan &plan, const Estimate &estimate, ByteUnit unit);
    void setSelectedPart(std::optional<std::size_t> part);
    void setSelectedMoment(std::optional<int> moment);
    void setView(View view);
    void setStepKind(StepKind kind);
    /// Without the buttons, for a picture.
    void setChoicesShown(bool shown);
    [[nodiscard]] StepKind stepKind() const { return m_kind; }

    [[nodiscard]] StepChart *course() const { return m_course; }
    [[nodiscard]] StackedBarChart *moments() const { return m_moments; }

Q_SIGNALS:
    void partClicked(std::size_t part);
    void momentClicked(int moment);

protected:
    void showEvent(QShowEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    QButtonGroup *addChoice(QLayout *layout, const QStringList &names, const QString &accessible);
    void refresh();
    void showTitle();
    [[nodiscard]] bool serving() const { return m_plan.workload == Workload::Inference; }
    /// A pipeline goes through a few phases, each a bar.
    [[nodiscard]] View shownView() const;

    Plan m_plan;
    Estimate m_estimate;
    ByteUnit m_unit = ByteUnit::Binary;
    View m_view = View::Course;
    StepKind m_kind = StepKind::Steady;
    bool m_stale = false;
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
