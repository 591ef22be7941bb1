// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/import.h"
#include "tests/support/stored_checkpoint.h"
#include "tests/support/test.h"
#include "ui/planner/checkpoint_card.h"
#include "ui/planner/plan_form.h"
#include "ui/planner/plan_page.h"

#include <QDialog>
#include <QTemporaryDir>
#include <QTreeWidget>

using namespace vramscope;
using namespace Qt::StringLiterals;

/// The line and the table of a plan's checkpoint.
class CheckpointCardTest : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void theLineTellsSizeAndWhatIsNotLoaded();
    void theDetailsListEveryKindOfTensor();
    void anotherModelTakesTheTableAway();
    void itIsNotThereWithoutACheckpoint();
};

namespace {

Plan planOf(const char *name)
{
    const QTemporaryDir folder;
    test::writeCheckpoint(name, folder.path().toStdString());
    auto imported = importFile({}, folder.path().toStdString());
    return imported ? std::move(imported->plan) : Plan();
}

} // namespace

void CheckpointCardTest::theLineTellsSizeAndWhatIsNotLoaded()
{
    PlanPage page;
    page.setPlan(planOf("deepseek-fp8"), {});
    const CheckpointCard *card = page.form()->checkpointCard();
    QVERIFY(!card->isHidden());
    QCOMPARE(card->text(), u"Files: 4.73 MiB, 2.14 MiB not loaded"_s);
    page.setPlan(planOf("llama-tied"), {});
    QCOMPARE(card->text(), u"Files: 2.62 MiB"_s);
}

void CheckpointCardTest::theDetailsListEveryKindOfTensor()
{
    PlanPage page;
    page.setPlan(planOf("llama-tied-twice"), {});
    CheckpointCard *card = page.form()->checkpointCard();
    page.show();
    card->detailsButton()->click();
    auto *dialog = card->findChild<QDialog *>();
    QVERIFY(dialog);
    const auto *table = dialog->findChild<QTreeWidget *>();
    QCOMPARE(table->topLevelItemCount(), 12);
    const auto heads = table->findItems(u"lm_head.weight"_s, Qt::MatchExactly);
    QCOMPARE(heads.size(), 1);
    QCOMPARE(heads.front()->text(1), u"Head"_s);
    QCOMPARE(heads.front()->text(2), u"no"_s);
    const auto ups = table->findItems(u"up_proj"_s, Qt::MatchContains);
    QCOMPARE(ups.front()->text(1), u"MLP"_s);
    QCOMPARE(ups.front()->text(4), u"512 × 256"_s);
    QCOMPARE(ups.front()->text(5), u"2"_s);
    QCOMPARE(table->textElideMode(), Qt::ElideMiddle);
    dialog->close();
}

void CheckpointCardTest::anotherModelTakesTheTableAway()
{
    PlanPage page;
    const Plan opened = planOf("llama-tied");
    page.setPlan(opened, {});
    QVERIFY(page.edit(*findField("model.preset"), std::string("qwen3-8b")).ok());
    QVERIFY(!page.plan().model.checkpoint);
    QVERIFY(page.form()->checkpointCard()->isHidden());
}

void CheckpointCardTest::itIsNotThereWithoutACheckpoint()
{
    Plan plan;
    plan.model.preset = "qwen3-8b";
    PlanPage page;
    page.setPlan(plan, {});
    QVERIFY(page.form()->checkpointCard()->isHidden());
}

VRAMSCOPE_TEST(CheckpointCardTest)
#include "tst_checkpoint_card.moc"
