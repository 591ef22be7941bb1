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

} // namespace

class TestVerdict : public Test
{
    Q_OBJECT

private slots:
    void theWholeBandDecides()
    {
        const Estimate it = estimate(smallPlan());
        QVERIFY(it.uncertaintyLow < it.peakDevice && it.peakDevice < it.uncertaintyHigh);
        QCOMPARE(onCardOf(smallPlan(), it.uncertaintyHigh), std::optional(Verdict::Fits));
        QCOMPARE(onCardOf(smallPlan(), it.uncertaintyHigh - 1), std::optional(Verdict::Tight));
        QCOMPARE(onCardOf(smallPlan(), it.peakDevice - 1), std::optional(Verdict::Tight));
        QCOMPARE(onCardOf(smallPlan(), it.uncertaintyLow), std::optional(Verdict::Tight));
        QCOMPARE(onCardOf(smallPlan(), it.uncertaintyLow - 1), std::optional(Verdict::DoesNotFit));
    }

    void theBandNeverBeginsBelowWhatIsAllocated()
    {
        Random random(1906);
        for (int i = 0; i < 500; ++i) {
            const Estimate it = estimate(randomPlan(random));
            if (!it.computed)
                continue;
            QVERIFY(it.reservedLow >= it.peakAllocated);
            QVERIFY(it.uncertaintyLow >= it.peakAllocated + (it.peakDevice - it.peakReserved));
        }
    }

    void aCacheThatIsTooSmallDoesNotFit()
    {
        Plan plan;
        plan.workload = Workload::Inference;
        plan.model.preset = "llama-3-8b";
        plan.hardware.gpu = "rtx-4090";
        plan.inference.engine = Engine::Vllm;
        plan.inference.maxModelLen = 65'536;
        const Estimate it = estimate(plan);
        QVERIFY(it.headroom.value_or(-1) >= 0);
        QCOMPARE(verdictOf(it), std::optional(Verdict::DoesNotFit));
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

    void eachHasOneNameAndOneKey()
    {
        QCOMPARE(verdictName(Verdict::Fits), std::string_view("Fits"));
        QCOMPARE(verdictName(Verdict::Tight), std::string_view("Tight"));
        QCOMPARE(verdictName(Verdict::DoesNotFit), std::string_view("Does not fit"));
        QCOMPARE(verdictKey(Verdict::Fits), std::string_view("fits"));
        QCOMPARE(verdictKey(Verdict::Tight), std::string_view("tight"));
        QCOMPARE(verdictKey(Verdict::DoesNotFit), std::string_view("does_not_fit"));
    }
};

VRAMSCOPE_TEST(TestVerdict)
#include "tst_verdict.moc"
