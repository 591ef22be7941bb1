// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/planner/settings.h"
#include "ui/planner/field_row.h"
#include "ui/planner/form_layout.h"

#include <QScrollArea>

#include <array>
#include <vector>

namespace vramscope {

/// The settings of a plan, generated from planFields() and formPlacements(). Shows a plan beside
/// the one that was opened; what the user changes is signalled, never applied here.
class PlanForm : public QScrollArea
{
    Q_OBJECT

public:
    explicit PlanForm(QWidget *parent = nullptr);
    ~PlanForm() override;

    /// Shows values, marks and issues, and hides the fields that mean nothing for this plan.
    void showPlan(const Plan &plan, const Plan &opened, const ResolvedPlan &resolved);
    [[nodiscard]] FieldRow *row(std::string_view path) const;
    /// Scrolls to a field, unfolds its group where needed, and puts the focus there.
    void goTo(std::string_view path);
    void setUnit(ByteUnit unit);
    void setMoreShown(FormGroup group, bool shown);

Q_SIGNALS:
    void edited(const vramscope::Field &field, const vramscope::FieldValue &value);
    void resetWanted(const vramscope::Field &field);
    void gestureEnded();

private:
    struct Group
    {
        QWidget *box = nullptr;
        QToolButton *more = nullptr;
        std::vector<FieldRow *> rows;
        bool moreShown = false;
    };

    void addGroup(FormGroup group, QLayout *layout);
    void refresh();
    void showGroup(Group &group);

    std::array<Group, kFormGroupCount> m_groups;
    QLabel *m_modelFacts = nullptr;
    Plan m_plan;
    Plan m_opened;
    ResolvedPlan m_resolved;
};

} // namespace vramscope
