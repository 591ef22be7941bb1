// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/plan/plan.h"

#include <QButtonGroup>
#include <QWidget>

namespace vramscope {

struct Settings;

/// What is done with a model: the one choice above all settings. Each is a word of core/ask.
enum class Task { Full, Lora, Qlora, Rl, Serve };

/// Nothing of a diffusion pipeline.
[[nodiscard]] std::optional<Task> taskOf(const Settings &settings);

/// The plan for that task, its model and GPUs kept: what only the other kind of plan states is
/// dropped, and what the task needs has a working value. An error where the model leaves no such
/// plan.
[[nodiscard]] Result<Plan> withTask(const Plan &plan, Task task);

/// Full, LoRA, QLoRA, RL or Serve as buttons of which one is down.
class TaskBar : public QWidget
{
    Q_OBJECT

public:
    explicit TaskBar(QWidget *parent = nullptr);

    /// Hidden where there is no such choice.
    void showTask(std::optional<Task> task);

Q_SIGNALS:
    void taskChosen(vramscope::Task task);

private:
    QButtonGroup *m_buttons;
};

} // namespace vramscope
