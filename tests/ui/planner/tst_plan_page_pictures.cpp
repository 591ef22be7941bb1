// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/test.h"
#include "ui/planner/lower_card.h"
#include "ui/planner/plan_cards.h"
#include "ui/planner/plan_form.h"
#include "ui/planner/plan_page.h"
#include "ui/planner/plans_compare_view.h"
#include "ui/planner/scenario_list.h"
#include "ui/support/theme.h"

#include <QApplication>
#include <QStyleFactory>

using namespace vramscope;
using namespace Qt::StringLiterals;

/// Pictures of the page for human eyes, and that they are of the size asked for.
class PlanPagePictures : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QApplication::setStyle(QStyleFactory::create(u"Fusion"_s)); }
    void thePageIsDrawn_data();
    void thePageIsDrawn();
};

void PlanPagePictures::thePageIsDrawn_data()
{
    QTest::addColumn<bool>("dark");
    QTest::addColumn<QSize>("size");
    QTest::addColumn<QString>("state");
    for (const QSize size : {QSize(1600, 1000), QSize(1000, 700)}) {
        for (const bool dark : {false, true}) {
            for (const char *state :
                 {"training", "edited", "refused", "inference", "scenarios", "compared"})
                QTest::addRow("%s-%s-%d", state, dark ? "dark" : "light", size.width())
                    << dark << size << QString::fromLatin1(state);
        }
    }
}

void PlanPagePictures::thePageIsDrawn()
{
    QFETCH(const bool, dark);
    QFETCH(const QSize, size);
    QFETCH(const QString, state);
    const Theme &theme = dark ? darkTheme() : lightTheme();
    QApplication::setPalette(themePalette(theme));
    qApp->setStyleSheet(themeStyleSheet(theme));

    Plan plan;
    plan.model.preset = "llama-3-8b";
    plan.hardware.gpu = "h100-sxm-80gb";
    plan.hardware.gpus = 8;
    plan.parallel.strategy = Strategy::Fsdp2;
    plan.parallel.data = 8;
    plan.precision.regime = Regime::FsdpMixedBf16;
    plan.batch.sequenceLength = 8192;
    plan.activations.checkpointing = Checkpointing::Full;
    if (state == u"inference"_s) {
        plan.workload = Workload::Inference;
        plan.inference.engine = Engine::Vllm;
    }
    PlanPage page;
    page.resize(size);
    page.setPlan(plan, u"Llama-3-8B on 8 H100"_s);
    if (state == u"edited"_s)
        QVERIFY(page.edit(*findField("loss_keep_logits"), true).ok());
    if (state == u"edited"_s || state == u"refused"_s) {
        QVERIFY(page.edit(*findField("batch.micro_batch"), std::int64_t(4)).ok());
        QVERIFY(page.edit(*findField("optimizer.implementation"), std::string("fused")).ok());
    }
    if (state == u"refused"_s)
        QVERIFY(page.edit(*findField("parallel.tensor"), std::int64_t(3)).ok());
    if (state == u"scenarios"_s || state == u"compared"_s) {
        for (const char *checkpointing : {"none", "selective-attention", "full"}) {
            QVERIFY(page.edit(*findField("activations.checkpointing"), std::string(checkpointing))
                        .ok());
            page.pinScenario();
        }
        page.scenarios()->setBaseline(0);
        QVERIFY(page.edit(*findField("precision.regime"), std::string("deepspeed-bf16")).ok());
        QVERIFY(page.edit(*findField("parallel.strategy"), std::string("zero1")).ok());
        page.pinScenario();
        page.bringBack(2);
    }
    if (state == u"compared"_s)
        page.charts()->lower()->setCurrentPage(page.compareView());
    page.show();
    QVERIFY(QTest::qWaitForWindowExposed(&page));
    const QImage image = page.grab().toImage();
    QCOMPARE(image.size(), size);
    QVERIFY(image.save(test::pictureFolder() +
                       u"/plan-page-%1-%2-%3.png"_s.arg(state, dark ? u"dark"_s : u"light"_s,
                                                        QString::number(size.width()))));
}

VRAMSCOPE_TEST(PlanPagePictures)
#include "tst_plan_page_pictures.moc"
