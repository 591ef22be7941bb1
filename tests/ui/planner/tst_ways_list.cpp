// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/test.h"
#include "ui/planner/plan_page.h"
#include "ui/planner/ways_list.h"

#include <QLabel>
#include <QUndoStack>

#include <algorithm>

using namespace vramscope;
using namespace Qt::StringLiterals;

namespace {

/// Llama 3 8B in bf16, too large for one GPU of 80 GB with these activations.
Plan tooLarge()
{
    Plan plan;
    plan.model.preset = "llama-3-8b";
    plan.hardware.gpu = "h100-sxm-80gb";
    plan.precision.regime = Regime::PureBf16;
    plan.batch.microBatch = 4;
    plan.batch.sequenceLength = 4096;
    return plan;
}

Plan serving()
{
    Plan plan;
    plan.workload = Workload::Inference;
    plan.model.preset = "llama-3.1-70b";
    plan.hardware.gpu = "h100-sxm-80gb";
    return plan;
}

QListWidgetItem *firstNamed(const WaysList &ways, const QString &title)
{
    for (int row = 0; row < ways.list()->count(); ++row) {
        if (ways.list()->item(row)->data(Qt::AccessibleTextRole).toString().startsWith(title))
            return ways.list()->item(row);
    }
    return nullptr;
}

/// A page that is seen, with all ways listed.
std::unique_ptr<PlanPage> shownWays(const Plan &plan)
{
    auto page = std::make_unique<PlanPage>();
    page->resize(1300, 900);
    page->show();
    page->setPlan(plan, u"a plan"_s);
    if (auto *more = page->ways()->findChild<QToolButton *>(); more->isVisibleTo(page->ways()))
        more->click();
    return page;
}

} // namespace

class WaysListTest : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void eachWayLeadsToThePlanThatTheSolverWeighed();
    void aClickTakesAWayInOneStepOfTheHistory();
    void enterTakesTheCurrentWay();
    void aDoubleClickTakesNoSecondWay();
    void whetherAWayIsEnoughStandsInWords();
    void aPlanThatFitsIsToldWaysToSave();
    void whereNothingIsKnownItIsSaidWhy();
    void waysOfServingAreApplied();
    void whatVllmFreesForItsCacheIsNotCalledASaving();
    void theFirstFewAreShownUntilAllAreAskedFor();
    void theUnitIsThatOfThePage();
};

void WaysListTest::eachWayLeadsToThePlanThatTheSolverWeighed()
{
    const auto page = shownWays(tooLarge());
    const std::vector<WayToFit> ways = page->ways()->ways();
    QVERIFY(ways.size() > 5);
    for (const WayToFit &way : ways) {
        Q_EMIT page->ways()->wayChosen(way);
        QCOMPARE(page->undoStack()->undoText(), QString::fromStdString(way.title));
        QCOMPARE(page->estimate().peakDevice, way.standing.device);
        QCOMPARE(page->estimate().headroom, std::optional(way.standing.headroom));
        QCOMPARE(verdictOf(page->estimate()), std::optional(way.standing.verdict));
        page->undoStack()->undo();
        QVERIFY(page->plan() == tooLarge());
    }
}

void WaysListTest::aClickTakesAWayInOneStepOfTheHistory()
{
    const auto page = shownWays(tooLarge());
    QListWidget *list = page->ways()->list();
    const WayToFit first = page->ways()->ways().front();
    QTest::mouseClick(list->viewport(), Qt::LeftButton, {},
                      list->visualItemRect(list->item(0)).center());
    QCOMPARE(page->undoStack()->count(), 1);
    QVERIFY(page->plan() == withFields(tooLarge(), first.fields));
}

void WaysListTest::enterTakesTheCurrentWay()
{
    const auto page = shownWays(tooLarge());
    QListWidget *list = page->ways()->list();
    QVERIFY(!list->accessibleName().isEmpty());
    list->setFocus();
    list->setCurrentRow(0);
    QTest::keyClick(list, Qt::Key_Down);
    const WayToFit second = page->ways()->ways()[1];
    QTest::keyClick(list, Qt::Key_Return);
    QVERIFY(page->plan() == withFields(tooLarge(), second.fields));
    QCOMPARE(page->undoStack()->count(), 1);
}

void WaysListTest::aDoubleClickTakesNoSecondWay()
{
    const auto page = shownWays(tooLarge());
    QListWidget *list = page->ways()->list();
    const QPoint at = list->visualItemRect(list->item(0)).center();
    QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, at);
    QTest::mouseDClick(list->viewport(), Qt::LeftButton, {}, at);
    QVERIFY(page->undoStack()->count() <= 2); // the double click brings one press of its own
    page->undoStack()->setIndex(0);
    QVERIFY(page->plan() == tooLarge());
}

void WaysListTest::whetherAWayIsEnoughStandsInWords()
{
    const auto page = shownWays(tooLarge());
    const std::vector<WayToFit> &ways = page->ways()->ways();
    for (std::size_t i = 0; i < ways.size(); ++i) {
        const QString text = page->ways()
                                 ->list()
                                 ->item(static_cast<int>(i))
                                 ->data(Qt::AccessibleTextRole)
                                 .toString();
        const Verdict verdict = ways[i].standing.verdict;
        QCOMPARE(text.contains(u"✓ fits"_s), verdict == Verdict::Fits);
        QCOMPARE(text.contains(u"does not fit"_s), verdict == Verdict::DoesNotFit);
        QCOMPARE(text.contains(u"Changes results."_s), ways[i].changesResults);
        QVERIFY(page->ways()->list()->item(static_cast<int>(i))->toolTip().contains(u"bytes)"_s));
    }
    QVERIFY(page->ways()->remark().contains(u"single change"_s));
}

void WaysListTest::aPlanThatFitsIsToldWaysToSave()
{
    Plan plan = tooLarge();
    plan.hardware.capacity = Bytes(400) << 30;
    const auto page = shownWays(plan);
    QVERIFY(page->estimate().fits.value_or(false));
    QVERIFY(page->ways()->remark().isEmpty());
    QListWidgetItem *item = firstNamed(*page->ways(), u"Checkpoint every block"_s);
    QVERIFY(item);
    QVERIFY(!item->data(Qt::AccessibleTextRole).toString().contains(u"fits"_s));
}

void WaysListTest::whereNothingIsKnownItIsSaidWhy()
{
    Plan plan = tooLarge();
    plan.hardware.gpu.reset();
    const auto page = shownWays(plan);
    QVERIFY(page->ways()->remark().contains(u"memory is not known"_s));
    QVERIFY(page->ways()->ways().empty() && !page->ways()->list()->isVisible());
    plan = tooLarge();
    plan.parallel.data = 4; // without a strategy
    page->setPlan(plan, {});
    QVERIFY(!page->estimate().computed);
    QCOMPARE(page->ways()->remark(), u"not computed"_s);
}

void WaysListTest::waysOfServingAreApplied()
{
    const auto page = shownWays(serving());
    QVERIFY(!page->ways()->ways().empty());
    const WayToFit way = page->ways()->ways().front();
    Q_EMIT page->ways()->wayChosen(way);
    QCOMPARE(page->estimate().peakDevice, way.standing.device);
    page->undoStack()->undo();
    QVERIFY(page->plan() == serving());
}

void WaysListTest::whatVllmFreesForItsCacheIsNotCalledASaving()
{
    Plan plan = serving();
    plan.model.preset = "llama-3-8b";
    plan.inference.engine = Engine::Vllm;
    const auto page = shownWays(plan);
    QVERIFY(page->estimate().fits.value_or(false) && !page->ways()->ways().empty());
    QVERIFY(page->ways()->remark().contains(u"cache more room"_s));
    const auto labels = page->ways()->findChildren<QLabel *>();
    QVERIFY(std::ranges::none_of(
        labels, [](const QLabel *label) { return label->text().contains(u"save"_s); }));
    for (int row = 0; row < page->ways()->list()->count(); ++row) {
        const QListWidgetItem *item = page->ways()->list()->item(row);
        const QString text = item->data(Qt::AccessibleTextRole).toString();
        QVERIFY2(text.contains(u"+"_s) && !text.contains(u"−"_s), qPrintable(text));
        QVERIFY(!item->toolTip().contains(u"saves"_s));
    }
}

void WaysListTest::theFirstFewAreShownUntilAllAreAskedFor()
{
    PlanPage page;
    page.resize(1300, 900);
    page.show();
    Plan fitting = tooLarge();
    fitting.hardware.capacity = 4096 * kGiB;
    page.setPlan(fitting, {});
    QCOMPARE(page.ways()->list()->count(), 3);
    page.setPlan(tooLarge(), {});
    QCOMPARE(page.ways()->list()->count(), 0); // the recommendation has the first
    page.ways()->findChild<QToolButton *>()->click();
    QCOMPARE(page.ways()->list()->count(), static_cast<int>(page.ways()->ways().size()));
}

void WaysListTest::theUnitIsThatOfThePage()
{
    const auto page = shownWays(tooLarge());
    QVERIFY(page->ways()->list()->item(0)->toolTip().contains(u" GiB "_s));
    page->setUnit(ByteUnit::Decimal);
    QVERIFY(page->ways()->list()->item(0)->toolTip().contains(u" GB "_s));
}

VRAMSCOPE_TEST(WaysListTest)
#include "tst_ways_list.moc"
