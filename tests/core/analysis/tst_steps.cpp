// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/findings/leaks.h"
#include "core/analysis/steps/steps.h"
#include "core/analysis/study/study.h"
#include "core/print/growth_report.h"
#include "core/readers/read_trace.h"
#include "tests/core/analysis/built_trace.h"
#include "tests/core/analysis/random_trace.h"
#include "tests/support/test.h"

#include <QFile>

#include <cmath>
#include <utility>

using namespace vramscope;

namespace {

// A device with what is derived from it.
struct Analysed
{
    explicit Analysed(std::shared_ptr<const Trace> read)
        : trace(std::move(read))
        , device(trace->devices().front())
        , allocations(device)
        , curve(device, allocations)
        , steps(findSteps(*trace, device, allocations, curve))
    {
    }
    std::shared_ptr<const Trace> trace;
    const DeviceTrace &device;
    Allocations allocations;
    UsageCurve curve;
    Steps steps;
};

std::vector<EventIndex> startsOf(const Steps &steps)
{
    std::vector<EventIndex> starts;
    for (const Step &step : steps.steps)
        starts.push_back(step.first);
    return starts;
}

// Allocations that stay, one a time from 0 on.
void addAllocations(TraceBuilder &builder, int count)
{
    const StackId stack =
        builder.internStack(std::vector<FrameId>{builder.internFrame("main", "train.py", 1)});
    for (int at = 0; at < count; ++at)
        builder.addEvent(0, {.action = Action::Alloc,
                             .address = 512 * std::uint64_t(at + 1),
                             .size = 512,
                             .time = at,
                             .stack = stack});
}

// Twelve layers of a module in each of `calls`, which keep what the first of `kept` layers make;
// before each call the program copies its input.
std::shared_ptr<const Trace> callsOf(int calls, int kept)
{
    TraceBuilder builder;
    const FrameId main = builder.internFrame("handle", "/srv/server.py", 7);
    const FrameId module = builder.internFrame("_call_impl", "/torch/nn/modules/module.py", 9);
    const StackId input = builder.internStack(std::vector<FrameId>{main});
    const StackId inner = builder.internStack(
        std::vector<FrameId>{builder.internFrame("forward", "/srv/model.py", 3), module, main});
    const StackId keeps = builder.internStack(
        std::vector<FrameId>{builder.internFrame("remember", "/srv/model.py", 5), module, main});
    std::uint64_t next = 1 << 20;
    int time = 0;
    const auto make = [&](Bytes size, StackId stack) {
        builder.addEvent(0, {.action = Action::Alloc,
                             .address = next,
                             .size = size,
                             .time = time++,
                             .stack = stack});
        return std::exchange(next, next + static_cast<std::uint64_t>(size));
    };
    const auto free = [&](std::uint64_t address, Bytes size) {
        builder.addEvent(
            0, {.action = Action::FreeCompleted, .address = address, .size = size, .time = time++});
    };
    for (int call = 0; call < calls; ++call) {
        const std::uint64_t words = make(512, input);
        for (int layer = 0; layer < 12; ++layer) {
            // Sizes differ from call to call, so that no sequence recurs.
            const Bytes size = 512 * (1 + (7 * call + 3 * layer) % 11);
            const std::uint64_t made = make(size, inner);
            if (layer < kept)
                static_cast<void>(make(64 * 1024, keeps));
            free(made, size);
        }
        free(words, 512);
    }
    return std::move(*builder.finish());
}

// A range from time `first`, or without a start where that is negative, to `last`.
void markRange(TraceBuilder &builder, const char *name, int first, int last)
{
    const StringId text = builder.internText(name);
    if (first >= 0)
        builder.addAnnotation({text, first, 0, true});
    builder.addAnnotation({text, last, 0, false});
}

} // namespace

class TestSteps : public test::Test
{
    Q_OBJECT

private slots:
    void stepsAreFoundWhereTheLoopBegins_data();
    void stepsAreFoundWhereTheLoopBegins();
    void layersOfOnePassAreNoSteps();
    void aStepThatTheEndCutsOffIsNotComplete();
    void figuresOfStepsAreThoseOfTheCurve();
    void survivorsAreCountedAsAWalkCountsThem();
    void theProfilersStepsWin();
    void whatIsNoStepNumberIsCounted();
    void optimizersThatOverlapMoveNoStep();
    void optimizersWithoutAllocationsGiveNoOffset();
    void sizesOfOneDeepStackAreLayers();
    void recordingsWithoutEventsSayWhy();
    void noneAreFoundOnceAskedToStop();
    void arbitraryEventsNeverGiveOverlappingSteps();
    void aLeakIsFoundAndItsStart_data();
    void aLeakIsFoundAndItsStart();
    void aLeakIsToldInATableThatFitsATerminal();
    void withoutALeakNothingIsReported_data();
    void withoutALeakNothingIsReported();
    void withoutStepsWindowsTellLessSurely();
    void aServerThatNeverComesDownLeaks_data();
    void aServerThatNeverComesDownLeaks();
    void recordedRunsHaveNoLeaks();
};

void TestSteps::stepsAreFoundWhereTheLoopBegins_data()
{
    QTest::addColumn<int>("steps");
    QTest::addColumn<int>("layers");
    QTest::addColumn<bool>("trains");
    QTest::addColumn<bool>("perLayer");
    QTest::addColumn<bool>("annotated");
    QTest::newRow("training") << 12 << 6 << true << true << false;
    QTest::newRow("three steps") << 3 << 6 << true << true << false;
    QTest::newRow("many steps") << 300 << 3 << true << true << false;
    QTest::newRow("inference") << 20 << 4 << false << true << false;
    QTest::newRow("optimizer marked") << 5 << 6 << true << true << true;
    QTest::newRow("optimizer marked, layers alike") << 5 << 6 << true << false << true;
}

void TestSteps::stepsAreFoundWhereTheLoopBegins()
{
    QFETCH(int, steps);
    QFETCH(int, layers);
    QFETCH(bool, trains);
    QFETCH(bool, perLayer);
    QFETCH(bool, annotated);
    const test::TrainingLoop loop = test::trainingLoop({.steps = steps,
                                                        .layers = layers,
                                                        .trains = trains,
                                                        .perLayerStacks = perLayer,
                                                        .annotated = annotated});
    const Analysed run(loop.trace);
    QCOMPARE(run.steps.source, annotated ? StepSource::OptimizerStep : StepSource::Period);
    QCOMPARE(startsOf(run.steps), loop.starts);
    QVERIFY(run.steps.confidence > 0.6);
    for (const Step &step : run.steps.steps)
        QVERIFY(step.complete);
    QCOMPARE(run.steps.steps.back().last, run.device.events.count() - 1);
}

void TestSteps::layersOfOnePassAreNoSteps()
{
    const test::TrainingLoop loop =
        test::trainingLoop({.steps = 20, .trains = false, .insideModule = true});
    const Analysed run(loop.trace);
    QVERIFY(run.steps.steps.empty());
    QCOMPARE(run.steps.source, StepSource::None);
    QVERIFY(run.steps.how.find("layers") != std::string::npos);
}

void TestSteps::aStepThatTheEndCutsOffIsNotComplete()
{
    // The ring buffer lost the first step and a half, and recording stopped in the middle of one.
    const test::TrainingLoop whole = test::trainingLoop({.steps = 12});
    const int front = whole.starts[1] + 20;
    const test::TrainingLoop loop =
        test::trainingLoop({.steps = 12, .cutFront = front, .cutBack = 30});
    const Analysed run(loop.trace);
    std::vector<EventIndex> found = startsOf(run.steps);
    QCOMPARE(run.steps.steps.front().complete, run.steps.steps.front().first != 0);
    if (found.front() == 0)
        found.erase(found.begin()); // the rest of the step that the beginning cut
    QCOMPARE(found, loop.starts);
    QVERIFY(!run.steps.steps.back().complete);
    QVERIFY(run.steps.steps[2].complete);
}

void TestSteps::figuresOfStepsAreThoseOfTheCurve()
{
    const Analysed run(test::trainingLoop({.steps = 6, .leakEvery = 1}).trace);
    QCOMPARE(run.steps.steps.size(), std::size_t(6));
    for (const Step &step : run.steps.steps) {
        Bytes peak = 0;
        for (EventIndex event = step.first; event <= step.last; ++event)
            peak = std::max(peak, run.curve.active(event));
        QCOMPARE(step.peakActive, peak);
        QCOMPARE(run.curve.active(step.peakActiveEvent), peak);
        QCOMPARE(step.activeBegin, run.curve.active(step.first - 1));
        QCOMPARE(step.activeEnd, run.curve.active(step.last));
        QCOMPARE(step.growth, step.activeEnd - step.activeBegin);
    }
    QCOMPARE(run.steps.steps[2].growth, Bytes(4096));
    QCOMPARE(run.steps.steps[2].match, 1.0);
    QVERIFY(run.steps.steps[0].match < 1.0); // warm-up: the optimizer's states
}

void TestSteps::survivorsAreCountedAsAWalkCountsThem()
{
    const Analysed run(test::trainingLoop({.steps = 6, .leakEvery = 2, .cacheSteps = 1}).trace);
    const std::vector<Step> &steps = run.steps.steps;
    QVERIFY(!steps.back().survivors);
    for (std::size_t at = 0; at + 1 < steps.size(); ++at) {
        Tally expected;
        for (std::size_t each = 0; each < run.allocations.birth.size(); ++each) {
            const EventIndex birth = run.allocations.birth[each];
            if (birth >= steps[at].first && birth <= steps[at].last &&
                run.allocations.death[each] > steps[at + 1].last)
                expected += {run.allocations.size[each], 1};
        }
        QVERIFY(steps[at].survivors == expected);
    }
    QCOMPARE(steps[1].survivors->count, std::int64_t(0));
    QCOMPARE(steps[2].survivors->bytes, Bytes(4096));
}

void TestSteps::theProfilersStepsWin()
{
    for (const char *name : {"training-out-of-memory", "training-expandable-segments"}) {
        const auto path = test::projectFile(
            QStringLiteral("resources/examples/%1.pickle").arg(QString::fromUtf8(name)));
        const auto trace = readTrace(path.toStdString());
        QVERIFY(trace.ok());
        const Analysed run(*trace);
        QCOMPARE(run.steps.source, StepSource::ProfilerStep);
        const bool fails = !run.device.outOfMemory.empty();
        QCOMPARE(run.steps.steps.size(), std::size_t(fails ? 4 : 3));
        QCOMPARE(run.steps.steps.front().number, std::int64_t(0));
        QCOMPARE(run.steps.steps.back().complete, !fails);
        QCOMPARE(stepAt(run.steps.steps, run.steps.steps[1].first), std::optional<std::size_t>(1));
        QVERIFY(!stepAt(run.steps.steps, -1));
    }
}

void TestSteps::whatIsNoStepNumberIsCounted()
{
    TraceBuilder builder;
    addAllocations(builder, 40);
    int at = 0;
    for (const char *name : {"ProfilerStep#-9223372036854775808", "ProfilerStep#-1",
                             "ProfilerStep#9223372036854775807", "ProfilerStep#9223372036854775808",
                             "ProfilerStep#x"}) {
        markRange(builder, name, at, at + 8);
        at += 8;
    }
    const Analysed run(std::move(*builder.finish()));
    std::vector<std::int64_t> numbers;
    for (const Step &step : run.steps.steps)
        numbers.push_back(step.number);
    QCOMPARE(numbers, (std::vector<std::int64_t>{0, 1, INT64_MAX, 3, 4}));
    QCOMPARE(findLeaks(run.allocations, run.curve, run.steps).numbers.front(), std::int64_t(-1));
}

void TestSteps::optimizersThatOverlapMoveNoStep()
{
    // After three parameters, steps of 12 allocations and their frees. In the first step two
    // optimizers overlap; in the others one tells that a step begins ten allocations before it.
    TraceBuilder builder;
    addAllocations(builder, 3);
    const StackId stack = builder.internStack({});
    for (int at = 3; at < 3 + 3 * 24; ++at) {
        const int inStep = (at - 3) % 24;
        builder.addEvent(0, {.action = inStep < 12 ? Action::Alloc : Action::FreeCompleted,
                             .address = 65536 * std::uint64_t(inStep % 12 + 1),
                             .size = 512 * (inStep % 12 + 10),
                             .time = at,
                             .stack = stack});
    }
    for (const auto &[first, last] : {std::pair{13, 17}, {14, 16}, {37, 39}, {61, 63}})
        markRange(builder, "Optimizer.step#Adam.step", first, last);
    const Analysed run(std::move(*builder.finish()));
    QCOMPARE(run.steps.source, StepSource::OptimizerStep);
    QCOMPARE(startsOf(run.steps), (std::vector<EventIndex>{3, 17, 27, 51}));
    QVERIFY(run.steps.steps[0].startKnown && run.steps.steps[0].complete);
}

void TestSteps::optimizersWithoutAllocationsGiveNoOffset()
{
    // All is allocated before the first optimizer steps; then ends come whose starts are lost.
    for (const bool lost : {false, true}) {
        TraceBuilder builder;
        addAllocations(builder, 20);
        for (int at = 0; at < 20; ++at)
            builder.addEvent(0, {.action = Action::FreeCompleted,
                                 .address = 512 * std::uint64_t(at + 1),
                                 .size = 512,
                                 .time = 20 + at,
                                 .stack = builder.internStack({})});
        markRange(builder, "Optimizer.step#Adam.step", lost ? -1 : 22, lost ? 38 : 25);
        markRange(builder, "Optimizer.step#Adam.step", lost ? -1 : 30, lost ? 3 : 35);
        const Analysed run(std::move(*builder.finish()));
        EventIndex next = 0;
        for (const Step &step : run.steps.steps) {
            QVERIFY(step.first >= next && step.last >= step.first);
            next = step.last + 1;
        }
        QVERIFY(next <= 40);
        if (!lost) {
            QCOMPARE(run.steps.source, StepSource::OptimizerStep);
            QCOMPARE(run.steps.steps.front().first, 0);
            QVERIFY(!run.steps.steps.front().startKnown);
        }
    }
}

void TestSteps::sizesOfOneDeepStackAreLayers()
{
    // Of 5 sizes that recur four come from one stack inside a module, below deep recursion: as
    // nearly all do, that are layers. With three of five they are steps.
    for (const int inside : {3, 4}) {
        TraceBuilder builder;
        const FrameId main = builder.internFrame("main", "/home/me/train.py", 1);
        std::vector<FrameId> deep{
            builder.internFrame("_call_impl", "/x/torch/nn/modules/module.py", 1)};
        deep.insert(deep.end(), 1000, builder.internFrame("walk", "/home/me/walk.py", 2));
        deep.push_back(main);
        const StackId module = builder.internStack(deep);
        const StackId plain = builder.internStack(std::vector<FrameId>{main});
        for (int at = 0; at < 100; ++at) {
            const std::uint64_t address = 512 * std::uint64_t(at + 1);
            const StackId stack = at % 5 < inside ? module : plain;
            const Bytes size = 512 * (1 + at % 5);
            builder.addEvent(0, {.action = Action::Alloc,
                                 .address = address,
                                 .size = size,
                                 .time = 2 * at,
                                 .stack = stack});
            builder.addEvent(0, {.action = Action::FreeCompleted,
                                 .address = address,
                                 .size = size,
                                 .time = 2 * at + 1,
                                 .stack = stack});
        }
        const Analysed run(std::move(*builder.finish()));
        QCOMPARE(run.steps.steps.empty(), inside == 4);
        QCOMPARE(run.steps.how.find("layers") != std::string::npos, inside == 4);
    }
}

void TestSteps::recordingsWithoutEventsSayWhy()
{
    TraceBuilder builder;
    const FinalBlock block{.size = 512, .requested = 512, .state = BlockState::Allocated};
    builder.addSegment(0, {.address = 512, .size = 512}, std::span(&block, 1));
    const Analysed run(std::move(*builder.finish()));
    QVERIFY(run.steps.steps.empty());
    QVERIFY(!run.steps.how.empty());
    const Leaks leaks = findLeaks(run.allocations, run.curve, run.steps);
    QVERIFY(leaks.samples.empty());
    QVERIFY(!leaks.note.empty());
}

void TestSteps::noneAreFoundOnceAskedToStop()
{
    const Analysed run(test::trainingLoop({}).trace);
    QVERIFY(!run.steps.steps.empty());
    int calls = 0;
    const auto stepsStoppedAt = [&](int call) {
        calls = 0;
        return findSteps(*run.trace, run.device, run.allocations, run.curve,
                         [&](double share) { return share >= 0 && ++calls < call; });
    };
    QCOMPARE(stepsStoppedAt(1'000).steps.size(), run.steps.steps.size());
    const int all = calls;
    QVERIFY(all >= 3);
    for (int call = 1; call <= all; ++call)
        QVERIFY(stepsStoppedAt(call).steps.empty());
}

void TestSteps::arbitraryEventsNeverGiveOverlappingSteps()
{
    for (unsigned seed = 1; seed <= 60; ++seed) {
        const Analysed run(test::traceOf(
            test::randomTrace(seed, {.events = 50 + static_cast<int>(seed) * 20, .addresses = 4})));
        EventIndex next = 0;
        for (const Step &step : run.steps.steps) {
            QVERIFY(step.first >= next);
            QVERIFY(step.last >= step.first);
            next = step.last + 1;
        }
        QVERIFY(next <= run.device.events.count());
        static_cast<void>(findLeaks(run.allocations, run.curve, run.steps));
    }
}

void TestSteps::aLeakIsFoundAndItsStart_data()
{
    QTest::addColumn<int>("steps");
    QTest::addColumn<int>("every");
    QTest::addColumn<int>("cacheSteps");
    QTest::newRow("every step") << 20 << 1 << 0;
    QTest::newRow("every third step") << 30 << 3 << 0;
    QTest::newRow("beside a cache that fills") << 20 << 1 << 4;
    QTest::newRow("few steps") << 6 << 1 << 0;
}

void TestSteps::aLeakIsFoundAndItsStart()
{
    QFETCH(int, steps);
    QFETCH(int, every);
    QFETCH(int, cacheSteps);
    const Analysed run(
        test::trainingLoop({.steps = steps, .leakEvery = every, .cacheSteps = cacheSteps}).trace);
    const Leaks leaks = findLeaks(run.allocations, run.curve, run.steps);
    QVERIFY(leaks.unit == Leaks::Unit::Step);
    QCOMPARE(leaks.leaks.size(), std::size_t(1));
    const Growth &leak = leaks.leaks.front();
    const auto frame = run.trace->stack(leak.stack).front();
    QVERIFY(run.trace->text(run.trace->frame(frame).name) == "history");
    const int blocks = (steps + every - 1) / every;
    QCOMPARE(leak.grown.count, std::int64_t(blocks));
    QCOMPARE(leak.grown.bytes, Bytes(4096) * blocks);
    QCOMPARE(leak.bytesPerSample, 4096.0 * blocks / steps);
    QCOMPARE(leaks.numbers[leak.firstSample], std::int64_t(1));
    QVERIFY(leak.confidence > 0.5 && leak.confidence <= 1);
    // The optimizer's states and the cache stopped growing.
    QCOMPARE(leaks.warmUp.size(), std::size_t(12 + (cacheSteps > 0 ? 1 : 0)));
}

void TestSteps::aLeakIsToldInATableThatFitsATerminal()
{
    const Analysed run(test::trainingLoop({.steps = 20, .leakEvery = 1}).trace);
    const Study study(run.trace, run.device);
    const QString text = QString::fromStdString(leaksText(study, "run.pickle", 20));
    QVERIFY(text.startsWith("run.pickle, device 0: 80.0 KiB in 20 blocks from 1 stack pile up"));
    QVERIFY(text.contains("4.00 KiB"));
    QVERIFY(text.contains("history  /home/me/ops.py:3"));
    QVERIFY(text.contains("Grew and stopped"));
    QVERIFY(text.contains("\nsure: how often"));
    for (const QString &line : text.split(u'\n'))
        QVERIFY2(line.size() <= 100, qPrintable(line));
    const QString cut = QString::fromStdString(leaksText(study, "run.pickle", 1));
    QVERIFY2(cut.endsWith("  (1 other; --top 0 lists it)\n"), qPrintable(cut));
    QVERIFY(cut.size() < text.size());
}

void TestSteps::withoutALeakNothingIsReported_data()
{
    QTest::addColumn<int>("steps");
    QTest::addColumn<int>("cacheSteps");
    QTest::addColumn<bool>("trains");
    QTest::newRow("training") << 20 << 0 << true;
    QTest::newRow("a cache that fills") << 20 << 6 << true;
    QTest::newRow("inference") << 20 << 0 << false;
}

void TestSteps::withoutALeakNothingIsReported()
{
    QFETCH(int, steps);
    QFETCH(int, cacheSteps);
    QFETCH(bool, trains);
    const Analysed run(
        test::trainingLoop({.steps = steps, .trains = trains, .cacheSteps = cacheSteps}).trace);
    const Leaks leaks = findLeaks(run.allocations, run.curve, run.steps);
    QVERIFY(leaks.unit == Leaks::Unit::Step);
    QVERIFY(leaks.leaks.empty());
}

void TestSteps::withoutStepsWindowsTellLessSurely()
{
    for (const int every : {0, 1}) {
        const Analysed run(
            test::trainingLoop({.steps = 64, .trains = false, .leakEvery = every}).trace);
        const Leaks leaks = findLeaks(run.allocations, run.curve, Steps{});
        QVERIFY(leaks.unit == Leaks::Unit::Window);
        QCOMPARE(leaks.leaks.size(), std::size_t(every));
        if (every > 0)
            QVERIFY(leaks.leaks.front().confidence <= 0.5);
    }
}

void TestSteps::aServerThatNeverComesDownLeaks_data()
{
    QTest::addColumn<int>("calls");
    QTest::addColumn<int>("kept");
    QTest::addColumn<int>("leaks");
    QTest::newRow("a block a call") << 40 << 1 << 1;
    QTest::newRow("nothing") << 40 << 0 << 0;
    // Of one call it is open whether its end frees what each layer keeps.
    QTest::newRow("a block a layer of one pass") << 1 << 12 << 0;
}

void TestSteps::aServerThatNeverComesDownLeaks()
{
    QFETCH(int, calls);
    QFETCH(int, kept);
    QFETCH(int, leaks);
    const Analysed run(callsOf(calls, kept));
    QVERIFY(run.steps.steps.empty());
    QCOMPARE(run.steps.how.find("called 40 times") != std::string::npos, calls > 1);
    const Leaks found = findLeaks(run.allocations, run.curve, run.steps);
    QCOMPARE(found.leaks.size(), static_cast<std::size_t>(leaks));
    if (leaks == 0)
        return;
    QVERIFY(found.unit == Leaks::Unit::Call);
    QCOMPARE(found.samples.size(), static_cast<std::size_t>(calls));
    QCOMPARE(std::llround(found.leaks.front().bytesPerSample), 64 * 1024LL);
    const Study study(run.trace, run.device);
    const QString text = QString::fromStdString(leaksText(study, "run.pickle", 20));
    QVERIFY(text.contains("pile up over 40 calls"));
    QVERIFY(text.contains("remember  /srv/model.py:5"));
}

void TestSteps::recordedRunsHaveNoLeaks()
{
    const QString folder = test::corpusFolder();
    if (folder.isEmpty())
        QSKIP("The recordings are not there (VRAMSCOPE_CORPUS).");
    const std::vector<std::pair<const char *, std::size_t>> files{
        {"torch29_19681", 20},         {"fsdp_oom_rank0", 1},         {"big_27k_entries", 1},
        {"torch211_expandable_xl", 0}, {"torch21_qlora_notebook", 0}, {"slime_pool01_8slots_a", 0}};
    for (const auto &[name, steps] : files) {
        const auto path = folder + QStringLiteral("/%1.pickle").arg(QString::fromUtf8(name));
        const auto trace = readTrace(path.toStdString());
        QVERIFY(trace.ok());
        const Analysed run(*trace);
        QVERIFY2(run.steps.steps.size() == steps, name);
        QVERIFY(findLeaks(run.allocations, run.curve, run.steps).leaks.empty());
    }
}

VRAMSCOPE_TEST(TestSteps)
#include "tst_steps.moc"
