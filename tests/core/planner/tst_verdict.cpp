// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/verdict.h"
#include "tests/core/planner/sample_plans.h"
#include "tests/support/random_plans.h"
#include "tests/support/test.h"

using namespace vramscope;
using namespace vramscope::test;

namespace {

/// The verdict on a plan whose card has that much.
std::optional<Verdict> onCardOf(Plan plan, Bytes capacity)
{
    plan.hardware.capacity = capacity;
    return verdictOf(estimate(plan));
}

Plan servedPlan()
{
    Plan plan;
    plan.workload = Workload::Inference;
    plan.model.preset = "llama-3-8b";
    plan.hardware.gpu = "rtx-4090";
    plan.inference.engine = Engine::Vllm;
    return plan;
}

} // namespace

class TestVerdict : public Test
{
    Q_OBJECT

private slots:
    void aBestEstimateBeyondTheCardDoesNotFit()
    {
        const Estimate it = estimate(smallPlan());
        QVERIFY(it.uncertaintyLow < it.peakDevice && it.peakDevice < it.uncertaintyHigh);
        QCOMPARE(onCardOf(smallPlan(), it.uncertaintyHigh), std::optional(Verdict::Fits));
        QCOMPARE(onCardOf(smallPlan(), it.uncertaintyHigh - 1), std::optional(Verdict::Tight));
        QCOMPARE(onCardOf(smallPlan(), it.peakDevice), std::optional(Verdict::Tight));
        QCOMPARE(onCardOf(smallPlan(), it.peakDevice - 1), std::optional(Verdict::DoesNotFit));
        QCOMPARE(onCardOf(smallPlan(), it.uncertaintyLow - 1), std::optional(Verdict::DoesNotFit));
    }

    void theWordSaysWhereItMayStillFit()
    {
        const Estimate it = estimate(smallPlan());
        const auto wordOn = [](Bytes capacity) {
            Plan plan = smallPlan();
            plan.hardware.capacity = capacity;
            return verdictWord(estimate(plan));
        };
        QCOMPARE(wordOn(it.uncertaintyHigh), std::string("fits"));
        QCOMPARE(wordOn(it.peakDevice), std::string("tight"));
        QCOMPARE(wordOn(it.peakDevice - 1), std::string("probably does not fit"));
        QCOMPARE(wordOn(it.uncertaintyLow), std::string("probably does not fit"));
        QCOMPARE(wordOn(it.uncertaintyLow - 1), std::string("does not fit"));
        QCOMPARE(verdictWord(Estimate()), std::string());
    }

    void theBandOfPartsNeverBeginsBelowWhatIsAllocated()
    {
        Random random(1906);
        int served = 0;
        for (int i = 0; i < 1'000; ++i) {
            const Estimate it = estimate(randomPlan(random));
            if (!it.computed || !it.bandClass.empty()) // measured figures were also lower
                continue;
            ++served;
            QVERIFY(it.reservedLow >= it.peakAllocated);
            QVERIFY(it.uncertaintyLow >= it.peakAllocated + (it.peakDevice - it.peakReserved));
        }
        QVERIFY(served > 50);
    }

    void aCacheThatIsTooSmallDoesNotFit()
    {
        Plan plan = servedPlan();
        plan.inference.maxModelLen = 65'536;
        const Estimate it = estimate(plan);
        QVERIFY(it.headroom.value_or(-1) >= 0);
        QCOMPARE(verdictOf(it), std::optional(Verdict::DoesNotFit));
    }

    void aCacheWhoseRangeDecidesIsTight()
    {
        Plan plan = servedPlan();
        const InferenceFigures pool = *estimate(plan).inference;
        QVERIFY(pool.kvCacheLow < pool.kvCache && pool.kvCache < pool.kvCacheHigh);
        const auto withTokensOf = [&](Bytes cache) {
            plan.inference.maxModelLen = cache / pool.kvBytesPerToken;
            return estimate(plan);
        };
        QCOMPARE(verdictOf(withTokensOf(pool.kvCacheLow - 64 * kMiB)),
                 std::optional(Verdict::Fits));
        const Estimate within = withTokensOf(pool.kvCache - 64 * kMiB);
        QVERIFY(within.fits == true);
        QCOMPARE(verdictOf(within), std::optional(Verdict::Tight));
        const Estimate beyond = withTokensOf(pool.kvCache + 64 * kMiB);
        QVERIFY(beyond.fits == false);
        QCOMPARE(verdictOf(beyond), std::optional(Verdict::Tight));
        QCOMPARE(verdictOf(withTokensOf(pool.kvCacheHigh + 64 * kMiB)),
                 std::optional(Verdict::DoesNotFit));
    }

    void aCacheWithNothingLeftIsFarFromTight()
    {
        Plan plan = servedPlan();
        plan.hardware.capacity = 12 * kGiB; // the weights alone take more
        const Estimate it = estimate(plan);
        QCOMPARE(it.inference->kvCacheHigh, Bytes(0));
        QCOMPARE(verdictOf(it), std::optional(Verdict::DoesNotFit));
    }

    void aStatedCacheHasNoRange()
    {
        Plan plan = servedPlan();
        plan.inference.kvCacheMemoryBytes = 1 * kGiB;
        plan.inference.maxModelLen = 8'193; // a block more than it holds
        const Estimate it = estimate(plan);
        QCOMPARE(it.inference->kvCacheLow, it.inference->kvCacheHigh);
        QCOMPARE(verdictOf(it), std::optional(Verdict::DoesNotFit));
    }

    void theNeedAgreesWithWhatVllmRefuses()
    {
        Random random(47);
        int pools = 0;
        for (int i = 0; i < 2'000; ++i) {
            const Estimate it = estimate(randomPlan(random));
            if (!it.computed || !it.inference || it.inference->kvCacheNeeded == 0)
                continue;
            const InferenceFigures &figures = *it.inference;
            ++pools;
            QCOMPARE(figures.startsServing && figures.servesLoad,
                     figures.kvBlocks > 0 && figures.kvCacheNeeded <= figures.kvCache);
        }
        QVERIFY(pools > 20);
    }

    void thereIsNoneWithoutFiguresOrCapacity()
    {
        Plan plan = smallPlan();
        plan.hardware = {};
        QVERIFY(!verdictOf(estimate(plan)));
        plan = smallPlan();
        plan.model.preset = "no such model";
        QVERIFY(!verdictOf(estimate(plan)));
    }

    void eachHasOneKey()
    {
        QCOMPARE(verdictKey(Verdict::Fits), std::string_view("fits"));
        QCOMPARE(verdictKey(Verdict::Tight), std::string_view("tight"));
        QCOMPARE(verdictKey(Verdict::DoesNotFit), std::string_view("does_not_fit"));
    }
};

VRAMSCOPE_TEST(TestVerdict)
#include "tst_verdict.moc"
