// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/parameters.h"
#include "tests/support/models.h"
#include "tests/support/test.h"
#include "ui/charts/architecture_chart.h"
#include "ui/planner/model_card.h"
#include "ui/planner/plan_form.h"
#include "ui/planner/plan_page.h"
#include "ui/support/text.h"

#include <QDialog>
#include <QTreeWidget>

using namespace vramscope;
using namespace Qt::StringLiterals;

namespace {

constexpr int kFormWidth = 262; ///< of the form's rows where it is narrowest

const Architecture &preset(const char *name)
{
    return test::shapeOf(name);
}

} // namespace

/// The picture of what an architecture consists of.
class ModelCardTest : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void theBarIsFilledByThePartsInProportion();
    void hoveringTellsTheExactCountAndHowItIsCounted();
    void everyArchitectureFitsTheForm_data();
    void everyArchitectureFitsTheForm();
    void theDescriptionTellsAllOfIt_data();
    void theDescriptionTellsAllOfIt();
    void itFollowsTheEditsOfThePlan();
    void itFoldsToOneLine();
    void theDetailsAddUpToTheTotal();
    void aStatedCountIsToldBesideTheCountedOne();
    void itIsNotThereWithoutAnArchitecture();
    void aMillionLayersArePaintedToo();
};

void ModelCardTest::theBarIsFilledByThePartsInProportion()
{
    ArchitectureChart chart;
    chart.resize(kFormWidth, 100);
    chart.setArchitecture(preset("llama-3-8b"));
    double right = 0;
    for (std::size_t part = 0; part < chart.parts().size(); ++part) {
        const QRectF place = chart.segment(part);
        QVERIFY(qAbs(place.left() - right) < 1e-6);
        right = place.right();
        const double share =
            static_cast<double>(chart.parts()[part].count) / static_cast<double>(chart.total());
        QVERIFY(qAbs(place.width() - share * kFormWidth) < 1e-6);
        if (place.width() > 8)
            QCOMPARE(chart.grab().toImage().pixelColor(int(place.left()) + 3, 3),
                     modelPartColor(chart.parts()[part].part));
    }
    QVERIFY(qAbs(right - kFormWidth) < 1e-6);
}

void ModelCardTest::hoveringTellsTheExactCountAndHowItIsCounted()
{
    ArchitectureChart chart;
    chart.resize(kFormWidth, 100);
    chart.setArchitecture(preset("mixtral-8x7b"));
    const auto experts =
        std::ranges::find(chart.parts(), ModelPart::Experts, &ModelPartCount::part);
    const auto index = static_cast<std::size_t>(experts - chart.parts().begin());
    const QString said = chart.hoverText(chart.segment(index).center());
    QVERIFY2(said.contains(u"45,097,156,608"_s), qPrintable(said));
    QVERIFY2(said.contains(u"32 blocks × 8 experts × (gate and up 4,096 × 28,672 + "
                           u"down 14,336 × 4,096)"_s),
             qPrintable(said));
    QVERIFY(chart.hoverText({-5, -5}).isEmpty());
}

void ModelCardTest::everyArchitectureFitsTheForm_data()
{
    QTest::addColumn<QString>("name");
    for (const CatalogueShape &one : test::plainModels())
        QTest::newRow(one.model->name.c_str()) << toQString(one.model->name);
}

void ModelCardTest::everyArchitectureFitsTheForm()
{
    QFETCH(const QString, name);
    ModelCard card;
    card.resize(kFormWidth, 100);
    card.showModel(test::shapeOf(name.toStdString()), 0);
    card.setFolded(false);
    card.show();
    card.resize(kFormWidth, card.sizeHint().height());
    QVERIFY(card.minimumSizeHint().width() <= kFormWidth);
    QVERIFY2(card.height() <= 176, qPrintable(QString::number(card.height())));
    const QRect inside = card.chart()->geometry();
    QVERIFY(card.rect().contains(inside));
}

void ModelCardTest::theDescriptionTellsAllOfIt_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QStringList>("words");
    QTest::newRow("dense") << u"llama-3.1-70b"_s
                           << QStringList{u"80 layers of hidden size 8,192"_s,
                                          u"64 query heads of 128, 8 share one key and value head: "
                                          u"8 of them"_s};
    QTest::newRow("tied") << u"gemma-2b"_s << QStringList{u"Embed = head"_s};
    QTest::newRow("windows") << u"gemma-3-1b"_s
                             << QStringList{
                                    u"22 of 26 layers attend to the last 512 tokens only"_s};
    QTest::newRow("experts") << u"gpt-oss-20b"_s
                             << QStringList{u"4 of 32 experts of width 2,880 work on a token"_s,
                                            u"12 of 24 layers attend to the last 128"_s};
    QTest::newRow("latent") << u"deepseek-v3"_s
                            << QStringList{u"3 dense, then 58 with experts"_s,
                                           u"queries through rank 1,536"_s, u"latent of 512"_s,
                                           u"besides 1 shared"_s, u"653,908,770,816"_s};
}

void ModelCardTest::theDescriptionTellsAllOfIt()
{
    QFETCH(const QString, name);
    QFETCH(const QStringList, words);
    ArchitectureChart chart;
    chart.setArchitecture(test::shapeOf(name.toStdString()));
    for (const QString &word : words)
        QVERIFY2(chart.accessibleDescription().contains(word),
                 qPrintable(chart.accessibleDescription()));
}

void ModelCardTest::itFollowsTheEditsOfThePlan()
{
    Plan plan;
    plan.model.preset = "llama-3-8b";
    PlanPage page;
    page.setPlan(plan, {});
    const ArchitectureChart *chart = page.form()->modelCard()->chart();
    const std::int64_t before = chart->total();
    QVERIFY(page.edit(*findField("model.vocab_size_padded"), std::int64_t(128512)).ok());
    QCOMPARE(chart->total(), before + 2 * 256 * 4096);
    const std::string own = R"({"hidden_size":64,"intermediate_size":128,"model_type":"llama",
        "num_attention_heads":4,"num_hidden_layers":2,"vocab_size":320})";
    QVERIFY(page.edit(*findField("model.vocab_size_padded"), {}).ok());
    QVERIFY(page.edit(*findField("model.config"), own).ok());
    QCOMPARE(chart->total(),
             std::int64_t(2) * (4 * 64 * 64 + 3 * 64 * 128 + 128) + 64 + 2 * 320 * 64);
    QVERIFY(chart->accessibleDescription().contains(u"2 layers of hidden size 64"_s));
}

void ModelCardTest::itFoldsToOneLine()
{
    ModelCard card;
    card.showModel(preset("mixtral-8x7b"), 0);
    QCOMPARE(card.foldButton()->text(), u"▸ 46.7B, 12.9B active"_s);
    card.foldButton()->click();
    QCOMPARE(card.foldButton()->text(), u"▾ 46.7B, 12.9B active"_s);
    const int whole = card.sizeHint().height();
    card.foldButton()->click();
    QVERIFY(card.chart()->isHidden());
    QVERIFY(card.sizeHint().height() < whole / 3);
    QCOMPARE(card.foldButton()->text(), u"▸ 46.7B, 12.9B active"_s);
    card.foldButton()->click();
    QVERIFY(!card.chart()->isHidden());
}

void ModelCardTest::theDetailsAddUpToTheTotal()
{
    ModelCard card;
    card.showModel(preset("deepseek-v3"), 0);
    card.show();
    card.detailsButton()->click();
    const auto *dialog = card.findChild<QDialog *>();
    QVERIFY(dialog && dialog->isVisible());
    const auto *table = dialog->findChild<QTreeWidget *>();
    const auto number = [&](int row) {
        return table->topLevelItem(row)->text(1).remove(u',').toLongLong();
    };
    const int last = table->topLevelItemCount() - 1;
    qint64 sum = 0;
    for (int row = 0; row < last; ++row)
        sum += number(row);
    QCOMPARE(sum, number(last));
    QCOMPARE(sum, countParameters(preset("deepseek-v3")).total);
}

void ModelCardTest::aStatedCountIsToldBesideTheCountedOne()
{
    ModelCard card;
    card.showModel(preset("llama-3-8b"), 7'000'000'000);
    QCOMPARE(card.foldButton()->text(), u"▸ 8.03B, stated 7.00B"_s);
    QVERIFY(card.foldButton()->toolTip().contains(u"the plan states 7,000,000,000"_s));
}

void ModelCardTest::itIsNotThereWithoutAnArchitecture()
{
    Plan plan;
    plan.model.preset = "nothing-of-the-kind";
    PlanForm form;
    form.showPlan(plan, estimate(plan), plan, estimate(plan));
    QVERIFY(form.modelCard()->isHidden());
    plan.model.preset = "gpt2";
    form.showPlan(plan, estimate(plan), plan, estimate(plan));
    QVERIFY(!form.modelCard()->isHidden());
    plan.model.preset = "nothing-of-the-kind";
    form.showPlan(plan, estimate(plan), plan, estimate(plan));
    QVERIFY(form.modelCard()->isHidden());
}

void ModelCardTest::aMillionLayersArePaintedToo()
{
    Architecture it = preset("mixtral-8x7b");
    it.layers = 1'000'000;
    it.experts = 10'000;
    it.heads = it.kvHeads = 1'000;
    it.hidden = it.expertFfn = 4; // few enough to be counted
    ArchitectureChart chart;
    chart.resize(kFormWidth, 100);
    chart.setArchitecture(it);
    QVERIFY(chart.total() > 0);
    QVERIFY(!chart.grab().isNull());
}

VRAMSCOPE_TEST(ModelCardTest)
#include "tst_model_card.moc"
