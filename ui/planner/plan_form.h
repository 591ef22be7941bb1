// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/estimate/estimate.h"
#include "core/plan/plan.h"
#include "ui/planner/field_row.h"
#include "ui/planner/task_bar.h"

#include <QWidget>

#include <deque>
#include <memory>
#include <span>
#include <vector>

class QScrollArea;

namespace vramscope {

class ElidedLabel;
class FormHead;
class CheckpointCard;
class ModelCard;

/// The settings of a plan, generated from formFields(). Shows a plan beside
/// the one that changes are marked against; what the user changes is signalled, never applied here.
/// A search above leaves the settings that have its words, folded ones too.
class PlanForm : public QWidget
{
    Q_OBJECT

public:
    explicit PlanForm(QWidget *parent = nullptr);
    ~PlanForm() override;

    /// Shows values, marks and issues, and hides the fields that mean nothing for this plan.
    /// `baseline` is what changes are marked against, under that name.
    void showPlan(const Plan &plan, const Estimate &estimate, const Plan &baseline,
                  const Estimate &baselineEstimate,
                  const QString &baselineName = QStringLiteral("the opened plan"));
    [[nodiscard]] FieldRow *row(std::string_view path) const;
    /// Scrolls to a field, unfolds its group where needed, and puts the focus there.
    void goTo(std::string_view path);
    void setUnit(ByteUnit unit);
    [[nodiscard]] FormHead *head() const { return m_head; }
    [[nodiscard]] ModelCard *modelCard() const { return m_modelCard; }
    [[nodiscard]] CheckpointCard *checkpointCard() const { return m_checkpointCard; }

Q_SIGNALS:
    void edited(const vramscope::Field &field, const vramscope::FieldValue &value);
    void resetWanted(const vramscope::Field &field);
    void gestureEnded();
    /// Every field is to go back to the baseline.
    void resetAllWanted();
    /// The model is to be put to another task.
    void taskChosen(vramscope::Task task);

private:
    struct Group
    {
        QString title;
        QWidget *box = nullptr;
        QToolButton *more = nullptr;
        ElidedLabel *hidden = nullptr; ///< which settings do not apply, and why
        std::vector<FieldRow *> rows;
        bool moreShown = false;
    };

    struct Shown
    {
        bool any = false;
        int changed = 0;
    };

    void addGroup(std::span<const Field *const> fields, QLayout *layout);
    void setMoreShown(Group &group, bool shown);
    void refresh();
    Shown showGroup(Group &group);
    void goToFirst();

    std::deque<Group> m_groups; ///< which know where they are
    FormHead *m_head;
    TaskBar *m_task;
    QScrollArea *m_scroll;
    QLabel *m_nothing = nullptr;
    QLabel *m_hiddenGroups = nullptr;
    ModelCard *m_modelCard = nullptr;
    CheckpointCard *m_checkpointCard = nullptr;
    Plan m_plan;
    Plan m_baseline;
    std::shared_ptr<const Settings> m_settings;
    std::shared_ptr<const Settings> m_baselineSettings;
    std::vector<Issue> m_issues;
    QString m_baselineName;
    ByteUnit m_unit = ByteUnit::Binary;
};

} // namespace vramscope
