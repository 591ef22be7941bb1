// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/settings/schedules/course.h"
#include "core/settings/schedules/schedule.h"
#include "tests/support/test.h"

#include <algorithm>

using namespace vramscope;

namespace {

bool has(const Settings &settings, StepPhase phase)
{
    const std::vector<StepPhase> schedule = trainingSchedule(settings);
    return std::ranges::find(schedule, phase) != schedule.end();
}

Settings settingsOf(Strategy strategy, Regime regime)
{
    Settings settings;
    settings.strategy = strategy;
    settings.regime = regime;
    settings.weightBytes = regime == Regime::AutocastBf16 ? 4 : 2;
    return settings;
}

} // namespace

class TestSchedule : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void everyFrameworkGoesThroughItsOwnPhases();
    void phasesComeInTheOrderOfTime();
    void whereThePeakMayStandIsPartOfEveryPosition();
    void whatIsPrefetchedIsGoneAtTheBlockThatRunsLast();
};

void TestSchedule::everyFrameworkGoesThroughItsOwnPhases()
{
    const Settings plain = settingsOf(Strategy::None, Regime::PureBf16);
    QCOMPARE(trainingSchedule(plain).size(), std::size_t(7));
    QVERIFY(has(settingsOf(Strategy::Ddp, Regime::AutocastBf16), StepPhase::Logits));
    Settings sharded = settingsOf(Strategy::Fsdp2, Regime::PureBf16);
    QVERIFY(!has(sharded, StepPhase::StartOfBackward)); // torch's default keeps the root
    sharded.units = FsdpUnits::RootResharded;
    QVERIFY(has(sharded, StepPhase::StartOfBackward));
    QVERIFY(!has(settingsOf(Strategy::Fsdp1, Regime::PureBf16), StepPhase::StartOfBackward));
    for (const Strategy strategy : {Strategy::Zero1, Strategy::Zero2})
        QVERIFY(has(settingsOf(strategy, Regime::DeepSpeedBf16), StepPhase::GradientNorm));
    QVERIFY(!has(plain, StepPhase::GradientNorm));
}

void TestSchedule::phasesComeInTheOrderOfTime()
{
    for (const Strategy strategy : {Strategy::None, Strategy::Fsdp2, Strategy::Zero3})
        QVERIFY(
            std::ranges::is_sorted(trainingSchedule(settingsOf(strategy, Regime::AutocastBf16))));
    QVERIFY(std::ranges::is_sorted(servingSchedule()));
    // A loss outside the model has run backward when FSDP gathers the root again.
    Settings outside = settingsOf(Strategy::Fsdp2, Regime::PureBf16);
    outside.units = FsdpUnits::RootResharded;
    outside.loss = LossKind::LossParallel;
    const std::vector<StepPhase> schedule = trainingSchedule(outside);
    QVERIFY(std::ranges::find(schedule, StepPhase::Loss) <
            std::ranges::find(schedule, StepPhase::StartOfBackward));
}

void TestSchedule::whereThePeakMayStandIsPartOfEveryPosition()
{
    constexpr std::int64_t kBlocks = 5;
    const auto schedule = trainingSchedule(settingsOf(Strategy::Fsdp2, Regime::AutocastBf16));
    const std::vector<Position> every = everyPosition(schedule, kBlocks);
    QCOMPARE(every.size(), schedule.size() - 2 + 4 * kBlocks);
    const std::vector<std::int64_t> turns = {4, 1, 0};
    const std::vector<Position> peaks = peakPositions(schedule, turns, kBlocks);
    auto from = every.begin();
    for (const Position &position : peaks) { // in the same order
        from = std::find(from, every.end(), position);
        QVERIFY(from != every.end());
    }
}

void TestSchedule::whatIsPrefetchedIsGoneAtTheBlockThatRunsLast()
{
    const Course course = Course::ahead({1, 3});
    QCOMPARE(course.at({StepPhase::Backward, 3}, 8).value(), 8);
    QCOMPARE(course.at({StepPhase::Backward, 1, true}, 8).value(), 8);
    QCOMPARE(course.at({StepPhase::Backward, 0}, 8).value(), 0);
}

VRAMSCOPE_TEST(TestSchedule)
#include "tst_schedule.moc"
