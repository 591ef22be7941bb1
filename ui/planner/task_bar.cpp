// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/planner/task_bar.h"

#include "core/ask/asked.h"
#include "core/settings/settings.h"
#include "ui/page/labels.h"
#include "ui/page/layout.h"

#include <QHBoxLayout>
#include <QPushButton>

#include <array>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

struct TaskRow
{
    Task task;
    std::string_view word; ///< of core/ask
    QStringView title;
    QStringView tip;
};
constexpr std::array<TaskRow, 5> kTasks = {
    {{Task::Full, "full", u"Full", u"All parameters are trained"},
     {Task::Lora, "lora", u"LoRA", u"Adapters are trained, the model itself stays as it is"},
     {Task::Qlora, "qlora", u"QLoRA", u"Adapters are trained over weights in 4 bits"},
     {Task::Rl, "rl", u"RL", u"Reinforcement learning: vLLM generates for the trainer on its GPUs"},
     {Task::Serve, "serve", u"Serve", u"The model is served by vLLM"}}};

} // namespace

std::optional<Task> taskOf(const Settings &s)
{
    if (s.diffusion)
        return std::nullopt;
    if (s.workload == Workload::Inference)
        return Task::Serve;
    if (s.rollout)
        return Task::Rl;
    if (s.adapters.kind == AdapterKind::None)
        return Task::Full;
    return s.adapters.baseQuantization == BaseQuantization::None ? Task::Lora : Task::Qlora;
}

Result<Plan> withTask(const Plan &plan, Task task)
{
    Asked asked = reworded(kTasks[static_cast<std::size_t>(task)].word, plan);
    if (!asked.plan)
        return Error{ErrorCode::Invalid, asked.whyNot};
    return std::move(*asked.plan);
}

TaskBar::TaskBar(QWidget *parent)
    : QWidget(parent)
    , m_buttons(new QButtonGroup(this))
{
    QHBoxLayout *line = row({}, 4, {0, 0, 0, 6});
    for (const TaskRow &each : kTasks) {
        QPushButton *button = tabButton(each.title.toString(), each.tip.toString());
        m_buttons->addButton(button, static_cast<int>(each.task));
        line->addWidget(button);
    }
    line->addStretch();
    setLayout(line);
    connect(m_buttons, &QButtonGroup::idClicked, this,
            [this](int id) { Q_EMIT taskChosen(static_cast<Task>(id)); });
}

void TaskBar::showTask(std::optional<Task> task)
{
    setVisible(task.has_value());
    if (!task)
        return;
    QAbstractButton *chosen = m_buttons->button(static_cast<int>(*task));
    chosen->setChecked(true);
    setFocusProxy(chosen); // arrows lead from it to the others
}

} // namespace vramscope
