// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/estimate.h"
#include "core/estimate/formulas/training.h"
#include "core/estimate/verdict.h"
#include "core/plan/plan_json.h"
#include "tests/core/planner/sample_plans.h"
#include "tests/support/test.h"

#include <algorithm>

using namespace vramscope;
using namespace vramscope::test;
using namespace Qt::StringLiterals;

/// What FSDP2's streams have at most, against recordings of torch 2.11 by stream (tests/measure,
/// record_fake.py --show), and what the allocator therefore reserves.
class TestStreams : public Test
{
    Q_OBJECT

private Q_SLOTS:
    void eachStreamKeepsTheMostThatItHad_data();
    void eachStreamKeepsTheMostThatItHad();
    void whatOtherStreamsKeepStandsBesideTheSlack();
    void aStatedFactorCoversAllStreams();
    void onlyFsdpHasOtherStreams();
    void idleBlocksDoNotDecideWhetherAPlanFits();

private:
    [[nodiscard]] static Bytes keptBeside(const Estimate &figures);
};

void TestStreams::eachStreamKeepsTheMostThatItHad_data()
{
    QTest::addColumn<qint64>("gathers");
    QTest::addColumn<qint64>("reduced");
    QTest::newRow("fsdp2-full") << qint64(2'592'106'496) << qint64(1'397'786'624);
    QTest::newRow("fsdp2-full-checkpointed") << qint64(2'592'106'496) << qint64(1'397'786'624);
    QTest::newRow("fsdp2-full-bf16-checkpointed") << qint64(2'537'578'496) << qint64(698'893'312);
    QTest::newRow("fsdp2-full-reduce-bf16-checkpointed")
        << qint64(2'592'106'496) << qint64(1'660'455'936);
    QTest::newRow("fsdp2-grad-op") << qint64(2'592'106'496) << qint64(1'397'786'624);
    QTest::newRow("fsdp2-fused-loss-checkpointed")
        << qint64(2'592'106'496) << qint64(1'397'786'624);
}

void TestStreams::eachStreamKeepsTheMostThatItHad()
{
    QFETCH(qint64, gathers);
    QFETCH(qint64, reduced);
    const QString file = u"resources/measured/own/setups/%1.json"_s.arg(
        QString::fromLatin1(QTest::currentDataTag()));
    const Result<Plan> plan = readPlan(projectFile(file).toStdString());
    QVERIFY(plan);
    const Estimate figures = estimate(*plan);
    QVERIFY(figures.computed);
    const Settings &s = *figures.settings;
    const RankInventory rank = rankOf(s, countParameters(s.architecture), 0);
    const Training training(s, rank);
    const Ledger ledger = trainingLedger(training, turningPoints(training), false);
    QCOMPARE(ledger.most(Stream::Gather).value(), gathers);
    QCOMPARE(ledger.most(Stream::Reduce).value(), reduced);
    QCOMPARE(ledger.kept().value(), gathers + reduced);
}

Bytes TestStreams::keptBeside(const Estimate &figures)
{
    const auto found =
        std::ranges::find(figures.outside, "Blocks that other streams keep", &Component::name);
    return found == figures.outside.end() ? 0 : found->bytes;
}

void TestStreams::whatOtherStreamsKeepStandsBesideTheSlack()
{
    const Estimate figures = estimate(shardedPlan(8, Strategy::Fsdp2));
    const Bytes kept = keptBeside(figures);
    QVERIFY(kept > 0);
    const double factor = figures.settings->reservedFactor;
    const double without = static_cast<double>(figures.peakReserved) -
                           factor * static_cast<double>(figures.peakAllocated);
    QVERIFY2(without > 0 && without <= static_cast<double>(kept) + 1,
             "the factor applies to the computing stream alone");
    QVERIFY(reservedOfAllocated(figures) > factor);
}

void TestStreams::aStatedFactorCoversAllStreams()
{
    Plan plan = shardedPlan(8, Strategy::Fsdp2);
    plan.overheads.reservedFactor = 1.25;
    const Estimate figures = estimate(plan);
    QCOMPARE(keptBeside(figures), Bytes(0));
    QCOMPARE(reservedOfAllocated(figures), 1.25);
}

void TestStreams::onlyFsdpHasOtherStreams()
{
    for (const Strategy strategy : {Strategy::Ddp, Strategy::Zero2, Strategy::Zero3})
        QCOMPARE(keptBeside(estimate(shardedPlan(8, strategy))), Bytes(0));
}

void TestStreams::idleBlocksDoNotDecideWhetherAPlanFits()
{
    Plan plan = shardedPlan(8, Strategy::Fsdp2);
    plan.hardware.gpu.reset();
    const Estimate roomy = estimate(plan);
    const auto saysReturned = [](const Estimate &it) {
        return std::ranges::any_of(it.issues, [](const Issue &issue) {
            return issue.text.find("num_alloc_retries") != std::string::npos;
        });
    };
    QVERIFY(!saysReturned(roomy));
    plan.hardware.capacity = roomy.peakDevice - kMiB;
    const Estimate narrow = estimate(plan);
    QCOMPARE(narrow.peakDevice, *plan.hardware.capacity);
    QCOMPARE(narrow.fits, std::optional(true));
    QCOMPARE(verdictOf(narrow), std::optional(Verdict::Tight));
    QVERIFY(saysReturned(narrow));
    plan.hardware.capacity = roomy.peakAllocated;
    QCOMPARE(estimate(plan).fits, std::optional(false));
}

VRAMSCOPE_TEST(TestStreams)
#include "tst_streams.moc"
