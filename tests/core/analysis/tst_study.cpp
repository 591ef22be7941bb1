// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/categories/categories.h"
#include "core/analysis/findings/leaks.h"
#include "core/analysis/findings/out_of_memory.h"
#include "core/analysis/findings/peak.h"
#include "core/analysis/replayed/address_space.h"
#include "core/analysis/replayed/allocation_lanes.h"
#include "core/analysis/replayed/fragmentation.h"
#include "core/analysis/replayed/segment_lives.h"
#include "core/analysis/replayed/summary.h"
#include "core/analysis/steps/step_fold.h"
#include "core/analysis/study/study.h"
#include "core/analysis/what_if/replay.h"
#include "tests/core/analysis/built_trace.h"
#include "tests/core/analysis/model_run.h"
#include "tests/core/analysis/random_trace.h"
#include "tests/support/test.h"

#include <atomic>
#include <thread>

using namespace vramscope;
using Part = Study::Part;

namespace {

std::shared_ptr<const Trace> loop()
{
    return test::LoopWriter({.leakEvery = 1, .annotated = true}).write().trace;
}

std::vector<Part> allParts()
{
    std::vector<Part> parts;
    for (std::size_t at = 0; at < Study::kPartCount; ++at)
        parts.push_back(static_cast<Part>(at));
    return parts;
}

/// What the parts of a study say, as far as it can be compared: the same for the same recording.
std::vector<std::int64_t> digest(const Study &study)
{
    const Bands bands = study.space().bandsAfter(study.space().mostStranded());
    std::vector<std::int64_t> digest{
        study.allocations().count(),     study.curve().peakActiveEvent(),
        study.summary().peakActive,      std::ssize(study.times()),
        std::ssize(study.annotations()), bands.stranded,
        study.segments().lives.count(),  std::ssize(study.lanes()),
        std::ssize(study.steps().steps), std::ssize(study.stepFolds().byEvent.places),
        std::ssize(study.leaks().leaks), study.peak().active,
        std::ssize(study.failures()),    std::ssize(study.advice()),
        study.replay().exactEvents,      std::ssize(study.peakAdvice().remedies)};
    for (AllocationIndex at = 0; at < study.allocations().count(); ++at)
        digest.push_back(static_cast<std::int64_t>(study.categories().of(at).category));
    return digest;
}

} // namespace

class TestStudy : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void eachPartIsWhatItsFunctionGives();
    void nothingIsMadeBeforeItIsAskedFor();
    void aPartBringsWhatItStandsOn();
    void threadsThatAskAtOnceGetOnePart();
    void whatWasCancelledIsMadeAnew();
    void whoWaitsForACancelledPartMakesIt();
    void whoWaitsMayGiveUp();
    void progressRisesToTheEnd();
    void timesNeverGoBack();
    void theMainDeviceIsTheOneThatFailed();
};

void TestStudy::eachPartIsWhatItsFunctionGives()
{
    const auto trace = loop();
    const DeviceTrace &device = trace->devices().front();
    const Study study(trace, device);
    Allocations allocations(device);
    const auto space = AddressSpace::replay(device, allocations, allocatorRules(*trace));
    allocations.setBlockSizes(space->blockSizes(device));
    const UsageCurve curve(device, allocations);
    const Steps steps = findSteps(*trace, device, allocations, curve);
    const Categories categories = categorize(*trace, device, allocations);
    QCOMPARE(study.allocations().birth, allocations.birth);
    QCOMPARE(study.allocations().death, allocations.death);
    QCOMPARE(study.curve().peakActiveEvent(), curve.peakActiveEvent());
    QCOMPARE(study.allocations().size, allocations.size);
    QCOMPARE(study.summary().peakActive, summarize(*trace, device, allocations, curve).peakActive);
    QVERIFY(study.annotations() == annotationRanges(*trace, device));
    QCOMPARE(study.space().mostStranded(), space->mostStranded());
    for (EventIndex event = -1; event < device.events.count(); ++event) {
        QCOMPARE(study.curve().active(event), curve.active(event));
        QVERIFY(study.space().bandsAfter(event) == space->bandsAfter(event));
    }
    QCOMPARE(study.steps().steps.size(), steps.steps.size());
    QVERIFY(!steps.steps.empty());
    const StepFold fold = foldSteps(steps.steps, curve.active(), {});
    QVERIFY(study.stepFolds().byEvent.places == fold.places);
    const Leaks leaks = findLeaks(allocations, curve, steps);
    QVERIFY(!leaks.leaks.empty());
    QCOMPARE(study.leaks().leaks.size(), leaks.leaks.size());
    QCOMPARE(study.leaks().leaks.front().stack, leaks.leaks.front().stack);
    for (AllocationIndex at = 0; at < allocations.count(); ++at) {
        QCOMPARE(study.categories().of(at).category, categories.of(at).category);
        QCOMPARE(study.categories().reason(at), categories.reason(at));
    }
    QCOMPARE(study.replay().exactEvents, replay(*trace, device, allocations, *space)->exactEvents);
    QCOMPARE(study.peak().active, curve.active(curve.peakActiveEvent()));
}

void TestStudy::nothingIsMadeBeforeItIsAskedFor()
{
    const auto trace = loop();
    const Study study(trace, trace->devices().front());
    for (const Part part : allParts())
        QVERIFY(!study.isMade(part));
    const Steps &steps = study.steps();
    for (const Part part : allParts())
        QCOMPARE(study.isMade(part),
                 part == Part::Allocations || part == Part::Curve || part == Part::Steps);
    QCOMPARE(&study.steps(), &steps);
}

void TestStudy::aPartBringsWhatItStandsOn()
{
    const auto trace = loop();
    for (const Part part : allParts()) {
        const Study study(trace, trace->devices().front());
        QVERIFY(study.make({part}));
        QVERIFY(study.isMade(part));
    }
    const Study study(trace, trace->devices().front());
    QVERIFY(study.make(allParts()));
    QVERIFY(study.areMade(allParts()));
}

void TestStudy::threadsThatAskAtOnceGetOnePart()
{
    const auto trace = loop();
    const std::vector<std::int64_t> expected = digest(Study(trace, trace->devices().front()));
    for (int round = 0; round < 20; ++round) {
        const Study study(trace, trace->devices().front());
        std::atomic<int> waiting = 4;
        std::atomic<int> right = 0;
        std::vector<const void *> parts(4);
        std::vector<std::thread> threads;
        for (std::size_t at = 0; at < parts.size(); ++at)
            threads.emplace_back([&, at] {
                --waiting;
                while (waiting > 0) // all begin at once
                    std::this_thread::yield();
                right += digest(study) == expected;
                parts[at] = &study.leaks();
            });
        for (std::thread &thread : threads)
            thread.join();
        QCOMPARE(right.load(), 4);
        for (const void *part : parts)
            QCOMPARE(part, static_cast<const void *>(&study.leaks()));
    }
}

// Stopped at every question in turn, what is there is whole, and the rest is made later.
void TestStudy::whatWasCancelledIsMadeAnew()
{
    const auto trace = loop();
    const DeviceTrace &device = trace->devices().front();
    const std::vector<std::int64_t> expected = digest(Study(trace, device));
    bool finished = false;
    for (int questions = 0; !finished; ++questions) {
        const Study study(trace, device);
        int asked = 0;
        finished = study.make(allParts(), [&](double) { return asked++ < questions; });
        QCOMPARE(finished, study.areMade(allParts()));
        QVERIFY(finished || asked == questions + 1); // nobody asks again who was told to stop
        QCOMPARE(digest(study), expected);
        QVERIFY(study.areMade(allParts()));
    }
}

namespace {

/// A thread that makes a study's allocations and stands still in the middle until it is told to go
/// on or to stop.
class HeldUp
{
public:
    explicit HeldUp(const Study &study)
        : m_thread([this, &study] {
            int asked = 0;
            m_made = study.make({Part::Allocations}, [this, &asked](double) {
                if (++asked < 2) // the first question comes before the work
                    return true;
                m_inside = true;
                while (!m_answer)
                    std::this_thread::yield();
                return *m_answer.load();
            });
        })
    {
        while (!m_inside)
            std::this_thread::yield();
    }
    bool finish(bool goOn)
    {
        m_goOn = goOn;
        m_answer = &m_goOn;
        m_thread.join();
        return m_made;
    }

private:
    std::atomic<bool> m_inside = false;
    std::atomic<const bool *> m_answer = nullptr;
    bool m_goOn = false;
    bool m_made = false;
    std::thread m_thread; // last: it uses the others
};

} // namespace

void TestStudy::whoWaitsForACancelledPartMakesIt()
{
    const auto trace = loop();
    const Study study(trace, trace->devices().front());
    HeldUp first(study);
    std::atomic<const Allocations *> got = nullptr;
    std::thread second([&] { got = &study.allocations(); });
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    QVERIFY(!got);
    QVERIFY(!study.isMade(Part::Allocations));
    QVERIFY(!first.finish(false));
    second.join();
    QCOMPARE(got.load(), &study.allocations());
    QCOMPARE(got.load()->birth, Allocations(trace->devices().front()).birth);
}

void TestStudy::whoWaitsMayGiveUp()
{
    const auto trace = loop();
    const Study study(trace, trace->devices().front());
    HeldUp first(study);
    int asked = 0;
    QVERIFY(!study.make({Part::Curve}, [&](double) { return ++asked < 3; }));
    QVERIFY(!study.isMade(Part::Allocations));
    QVERIFY(first.finish(true));
    QVERIFY(study.isMade(Part::Allocations));
    QVERIFY(!study.isMade(Part::Curve));
}

void TestStudy::progressRisesToTheEnd()
{
    const auto trace = loop();
    const Study study(trace, trace->devices().front());
    double last = 0;
    const auto rises = [&](double share) {
        const bool fine = last <= share && share <= 1;
        last = share;
        return fine;
    };
    QVERIFY(study.make({Part::Advice, Part::Lanes}, rises));
    QVERIFY(last > 0.9);
}

void TestStudy::timesNeverGoBack()
{
    DeviceTrace device = test::randomTrace(3, {.events = 4});
    device.events.time = {10, 30, 20, 40};
    const auto trace = test::traceOf(device);
    const Study study(trace, trace->devices().front());
    QVERIFY(std::ranges::equal(study.times(), std::array{10, 30, 30, 40}));
    QCOMPARE(study.timeOf(2), 20);
    QCOMPARE(study.timeOf(-1), 0);
}

void TestStudy::theMainDeviceIsTheOneThatFailed()
{
    QCOMPARE(mainDevice({}), std::size_t(0));
    TraceBuilder builder;
    const StreamId stream = builder.internStream(0);
    for (int device = 0; device < 3; ++device) {
        for (int event = 0; event < 3 - device; ++event)
            builder.addEvent(device, {.action = Action::Alloc,
                                      .address = 0x7f0000000000U + 512 * unsigned(event),
                                      .size = 512,
                                      .stream = stream});
    }
    builder.addEvent(1, {.action = Action::OutOfMemory, .size = 512, .stream = stream});
    const std::shared_ptr<const Trace> trace = std::move(*builder.finish());
    const auto studies = studiesOf(trace);
    QCOMPARE(studies.size(), std::size_t(3));
    QCOMPARE(mainDevice(studies), std::size_t(1));
}

VRAMSCOPE_TEST(TestStudy)
#include "tst_study.moc"
