// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/estimate.h"
#include "core/settings/plan_edit.h"
#include "core/settings/settings.h"
#include "tests/support/test.h"
#include "tests/ui/planner/sample_plan.h"
#include "ui/planner/answer_view.h"
#include "ui/planner/plan_form.h"
#include "ui/planner/plan_page.h"
#include "ui/planner/task_bar.h"

#include <QPushButton>
#include <QUndoStack>

#include <array>

using namespace vramscope;
using namespace Qt::StringLiterals;

namespace {

Plan fullPlan()
{
    Plan plan;
    plan.name = "Mine";
    plan.model.preset = "llama-3.1-70b";
    plan.hardware.gpu = "h100-sxm-80gb";
    plan.hardware.gpus = plan.parallel.data = 8;
    plan.parallel.strategy = Strategy::Fsdp2;
    plan.precision.regime = Regime::FsdpMixedBf16;
    plan.batch.sequenceLength = 4096;
    plan.activations.checkpointing = Checkpointing::Full;
    return plan;
}

Settings settingsOf(const Plan &plan)
{
    return resolve(plan).settings;
}

} // namespace

class TaskBarTest : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void everyTaskLeadsToAPlanWithFigures();
    void modelAndGpusStay();
    void aClickIsOneStepOfTheHistory();
    void loraChosenInTheFormHasARankAtOnce();
    void aPipelineHasNoTask();
};

void TaskBarTest::everyTaskLeadsToAPlanWithFigures()
{
    for (const Task from : {Task::Full, Task::Lora, Task::Qlora, Task::Rl, Task::Serve}) {
        const Result<Plan> first = withTask(fullPlan(), from);
        QVERIFY(first);
        for (const Task to : {Task::Full, Task::Lora, Task::Qlora, Task::Rl, Task::Serve}) {
            const Result<Plan> plan = withTask(*first, to);
            QVERIFY(plan);
            const Estimate it = estimate(*plan);
            QVERIFY2(it.computed, whyNotComputed(it).c_str());
            QCOMPARE(taskOf(*it.settings), std::optional(to));
        }
    }
}

void TaskBarTest::modelAndGpusStay()
{
    const Result<Plan> served = withTask(fullPlan(), Task::Serve);
    QVERIFY(served);
    QCOMPARE(served->name, std::optional<std::string>("Mine"));
    QCOMPARE(served->model.preset, std::optional<std::string>("llama-3.1-70b"));
    const Settings s = settingsOf(*served);
    QCOMPARE(s.gpus, 8);
    QCOMPARE(s.tensor, 8);
    QCOMPARE(s.maxModelLen, 4096);
    const Result<Plan> back = withTask(*served, Task::Lora);
    QVERIFY(back);
    QCOMPARE(settingsOf(*back).gpus, 8);
    QCOMPARE(settingsOf(*back).sequenceLength, 4096);
    QCOMPARE(settingsOf(*back).adapters.rank, 16);
}

void TaskBarTest::aClickIsOneStepOfTheHistory()
{
    PlanPage page;
    page.setPlan(fullPlan(), {});
    auto *bar = page.form()->findChild<TaskBar *>();
    QVERIFY(bar);
    const QList<QPushButton *> buttons = bar->findChildren<QPushButton *>();
    QCOMPARE(buttons.size(), 5);
    QVERIFY(buttons[0]->isChecked());
    buttons[2]->click();
    QVERIFY(buttons[2]->isChecked());
    QVERIFY2(page.answer()->headline().startsWith(u"Llama 3.1 70B, QLoRA on 8 × H100"_s),
             qPrintable(page.answer()->headline()));
    page.undoStack()->undo();
    QVERIFY(page.plan() == fullPlan());
    QVERIFY(buttons[0]->isChecked());
}

void TaskBarTest::loraChosenInTheFormHasARankAtOnce()
{
    const Result<Plan> plan =
        editedPlan(fullPlan(), test::field("adapters.kind"), std::string("lora"));
    QVERIFY(plan);
    QCOMPARE(plan->adapters.rank, std::optional<std::int64_t>(16));
    QCOMPARE(plan->adapters.targets, std::optional(TextList{"all-linear"}));
    QVERIFY(estimate(*plan).computed);
}

void TaskBarTest::aPipelineHasNoTask()
{
    Plan plan;
    plan.workload = Workload::Inference;
    plan.model.pipeline = "flux.1-dev";
    QVERIFY(settingsOf(plan).diffusion);
    QCOMPARE(taskOf(settingsOf(plan)), std::nullopt);
}

VRAMSCOPE_TEST(TaskBarTest)
#include "tst_task_bar.moc"
