// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/steps/step_fold.h"
#include "tests/support/test.h"

#include <random>

using namespace vramscope;

namespace {

using Times = std::vector<std::int64_t>;

Step stepOf(EventIndex first, EventIndex last, const EventCurve &active)
{
    Step step;
    step.first = first;
    step.last = last;
    step.peakActiveEvent = active.highest(first, last);
    step.peakActive = active.at(step.peakActiveEvent);
    return step;
}

// A curve of random bytes, cut into steps that leave gaps now and then.
struct FoldedSteps
{
    FoldedSteps(unsigned seed, int count, int longest, bool timed)
        : random(seed)
        , active(values(count * longest + 1))
    {
        for (EventIndex event = 0; timed && event < active.count(); ++event)
            times.push_back((times.empty() ? 100 : times.back()) + below(4)); // often at once
        EventIndex at = 0;
        for (int step = 0; step < count; ++step) {
            const EventIndex length = 1 + below(longest);
            steps.push_back(stepOf(at, at + length - 1, active));
            at += length + (below(3) == 0 && at + length + longest < active.count() ? 1 : 0);
            at = std::min(at, active.count() - longest);
        }
    }
    int below(int bound) { return static_cast<int>(random() % static_cast<unsigned>(bound)); }
    std::vector<Bytes> values(int count)
    {
        std::vector<Bytes> result;
        for (int at = 0; at < count; ++at)
            result.push_back(below(1'000'000));
        return result;
    }

    std::mt19937 random;
    EventCurve active;
    Times times;
    std::vector<Step> steps;
};

// The most that is active in any state of a step that stands in [from, to), by looking at each.
std::optional<Bytes> naive(const Step &step, const EventCurve &active, const Times &times,
                           double from, double to)
{
    const auto offset = [&](EventIndex event) {
        return static_cast<double>(times.empty() ? event - step.first
                                                 : times[static_cast<std::size_t>(event)] -
                                                       times[static_cast<std::size_t>(step.first)]);
    };
    std::optional<Bytes> most;
    for (EventIndex event = step.first; event <= step.last; ++event) {
        const double begin = offset(event);
        const double end = event == step.last ? begin + 1 : offset(event + 1);
        const bool stands = begin < to && (end > from || begin >= from);
        if (stands)
            most = std::max(most.value_or(0), active.at(event));
    }
    return most;
}

} // namespace

class TestStepFold : public test::Test
{
    Q_OBJECT

private slots:
    void aStepHasAtAPlaceTheMostThatStandsThere();
    void lowestMedianAndHighestAreThoseOfTheStepsThatLast();
    void noPeakIsLost();
    void cutOffStepsAndTheFirstDoNotCountBesideWholeOnes();
    void outliersAreFarFromTheMedianPeak();
    void oneStepIsItsOwnMedian();
    void noStepsGiveNothing();
    void timesAndBytesBeyondAllBoundsAreDefined();
    void thousandsOfStepsHaveFewerPlaces();
};

void TestStepFold::aStepHasAtAPlaceTheMostThatStandsThere()
{
    for (unsigned seed = 0; seed < 40; ++seed) {
        FoldedSteps sample(seed, 4, 40, seed % 2 == 1);
        for (const Step &step : sample.steps) {
            // Widths that put the ends of places on events, between them, and several into one.
            for (const double width : {1.0, 0.25, 0.7, 3.0, 1000.0}) {
                const auto bytes = bytesByPlace(step, sample.active, sample.times, width, 300);
                for (std::size_t at = 0; at < 300; ++at) {
                    const auto expected =
                        naive(step, sample.active, sample.times, static_cast<double>(at) * width,
                              static_cast<double>(at + 1) * width);
                    QCOMPARE(at < bytes.size(), expected.has_value());
                    if (expected)
                        QCOMPARE(bytes[at], *expected);
                }
            }
        }
    }
}

void TestStepFold::lowestMedianAndHighestAreThoseOfTheStepsThatLast()
{
    for (unsigned seed = 0; seed < 10; ++seed) {
        FoldedSteps sample(seed, 9, 50, seed % 2 == 1);
        const StepFold fold = foldSteps(sample.steps, sample.active, sample.times);
        for (std::size_t at = 0; at < fold.places.size(); at += 13) {
            std::vector<Bytes> all;
            for (std::size_t step = 1; step < sample.steps.size(); ++step) {
                const auto bytes = naive(sample.steps[step], sample.active, sample.times,
                                         static_cast<double>(at) * fold.width,
                                         static_cast<double>(at + 1) * fold.width);
                if (bytes)
                    all.push_back(*bytes);
            }
            std::ranges::sort(all);
            const StepFold::Place &place = fold.places[at];
            QCOMPARE(std::size_t(place.steps), all.size());
            if (all.empty())
                continue;
            QCOMPARE(place.lowest, all.front());
            QCOMPARE(place.highest, all.back());
            const std::size_t half = all.size() / 2;
            QCOMPARE(place.median, all.size() % 2 == 1
                                       ? all[half]
                                       : all[half - 1] + (all[half] - all[half - 1]) / 2);
        }
    }
}

void TestStepFold::noPeakIsLost()
{
    FoldedSteps sample(3, 30, 3000, true);
    const StepFold fold = foldSteps(sample.steps, sample.active, sample.times);
    Bytes most = 0;
    for (const StepFold::Place &place : fold.places)
        most = std::max(most, place.highest);
    Bytes highest = 0;
    for (std::size_t at = 1; at < sample.steps.size(); ++at)
        highest = std::max(highest, sample.steps[at].peakActive);
    QCOMPARE(most, highest);
    for (const Step &step : sample.steps) {
        const auto bytes =
            bytesByPlace(step, sample.active, sample.times, fold.width, fold.places.size());
        QCOMPARE(std::ranges::max(bytes), step.peakActive);
        QVERIFY(step.peakActive <= sample.steps[fold.highest].peakActive);
    }
}

void TestStepFold::cutOffStepsAndTheFirstDoNotCountBesideWholeOnes()
{
    FoldedSteps sample(5, 6, 40, false);
    sample.steps.front().startKnown = false;
    sample.steps.back().complete = false;
    const StepFold fold = foldSteps(sample.steps, sample.active, {});
    QCOMPARE(fold.counts, (std::vector<bool>{false, true, true, true, true, false}));
    QCOMPARE(fold.places.front().steps, 4U);
    sample.steps.front().startKnown = true;
    QCOMPARE(foldSteps(sample.steps, sample.active, {}).counts,
             (std::vector<bool>{false, true, true, true, true, false})); // it warms up
    const std::vector<Step> two{sample.steps[0], sample.steps[1]};
    QCOMPARE(foldSteps(two, sample.active, {}).counts, (std::vector<bool>{true, true}));
    for (Step &step : sample.steps)
        step.complete = false;
    QCOMPARE(foldSteps(sample.steps, sample.active, {}).places.front().steps, 6U);
}

void TestStepFold::outliersAreFarFromTheMedianPeak()
{
    const EventCurve active({0, 1000, 1001, 999, 1002, 1000, 1300, 998, 700, 1000});
    std::vector<Step> steps;
    for (EventIndex event = 0; event < 9; ++event)
        steps.push_back(stepOf(event, event, active));
    const StepFold fold = foldSteps(steps, active, {});
    QCOMPARE(fold.medianPeak, 1000);
    QCOMPARE(fold.highest, 5U);
    QCOMPARE(fold.outliers, (std::vector<std::size_t>{5, 7}));
}

void TestStepFold::oneStepIsItsOwnMedian()
{
    const EventCurve active({5, 10, 40, 20});
    const StepFold fold = foldSteps({stepOf(0, 2, active)}, active, {});
    QCOMPARE(fold.places.front(), (StepFold::Place{10, 10, 10, 1}));
    QCOMPARE(fold.places.back(), (StepFold::Place{20, 20, 20, 1}));
    QCOMPARE(fold.medianPeak, 40);
    QVERIFY(fold.outliers.empty());
}

void TestStepFold::noStepsGiveNothing()
{
    const EventCurve active({5});
    const StepFold fold = foldSteps({}, active, {});
    QVERIFY(fold.places.empty());
    QVERIFY(fold.outliers.empty());
}

// What a damaged file may hold: wrong, but no overflow and no endless walk.
void TestStepFold::timesAndBytesBeyondAllBoundsAreDefined()
{
    constexpr auto kLeast = std::numeric_limits<std::int64_t>::min();
    constexpr auto kMost = std::numeric_limits<std::int64_t>::max();
    const EventCurve active({0, kMost, kLeast, 5, kMost, kLeast});
    const Times times{kLeast, 0, 0, 1, kMost};
    const std::vector<Step> steps{stepOf(0, 4, active), stepOf(1, 3, active), stepOf(2, 4, active)};
    for (const auto &of : {times, Times()}) {
        const StepFold fold = foldSteps(steps, active, of);
        QVERIFY(fold.places.size() <= 1024);
        QVERIFY(fold.width > 0);
        for (const Step &step : steps)
            QVERIFY(bytesByPlace(step, active, of, fold.width, 1024).size() <= 1024);
    }
}

void TestStepFold::thousandsOfStepsHaveFewerPlaces()
{
    FoldedSteps sample(7, 10'000, 20, true);
    const StepFold fold = foldSteps(sample.steps, sample.active, sample.times);
    QVERIFY(fold.places.size() < 300);
    QCOMPARE(fold.places.front().steps, 9'999U);
    QCOMPARE(fold.counts.size(), 10'000U);
}

VRAMSCOPE_TEST(TestStepFold)
#include "tst_step_fold.moc"
