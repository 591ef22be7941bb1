// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/costs/frame_rules.h"
#include "core/analysis/replayed/annotation_ranges.h"
#include "core/trace/trace_builder.h"
#include "tests/support/test.h"

#include <array>
#include <random>

namespace vramscope {

class FramesTest : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void eachFrameBelongsToSomeone_data();
    void eachFrameBelongsToSomeone();
    void theBestFrameIsTheInnermostOfTheProgram();
    void aFileNameIsFoundInEitherKindOfPath();
    void annotationsBecomeRangesOfEvents();
    void everyRangeHasTheLowestFreeLane();
    void anEndClosesTheInnermostStartOfItsName();
    void annotationsAmongTheEventsCountToo();
    void withoutTimesThereAreNoRanges();
};

void FramesTest::eachFrameBelongsToSomeone_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("file");
    QTest::addColumn<FrameOrigin>("origin");
    const auto row = [](const char *name, const char *file, FrameOrigin origin) {
        QTest::addRow("%s in %s", name, file)
            << QString::fromUtf8(name) << QString::fromUtf8(file) << origin;
    };
    row("forward", "/home/me/model.py", FrameOrigin::User);
    row("forward", "C:\\work\\model.py", FrameOrigin::User);
    row("on_start", "/home/me/callbacks.py", FrameOrigin::User);
    row("build", "/home/me/Registry.py", FrameOrigin::User);
    row("_start", "??", FrameOrigin::Plumbing);
    row("_PyEval_EvalFrameDefault", "??", FrameOrigin::Plumbing);
    row("call_function", "/build/Python-3.10/Objects/call.c", FrameOrigin::Plumbing);
    row("PyNumber_Multiply", "/build/Python-3.10/Objects/abstract.c", FrameOrigin::Plumbing);
    row("wrapper_CUDA_empty", "RegisterCUDA_0.cpp", FrameOrigin::Plumbing);
    row("wrapper_CUDA_empty", "/pytorch/build/aten/src/ATen/RegisterCUDA.cpp",
        FrameOrigin::Plumbing);
    row("torch::unwind::unwind()", "??", FrameOrigin::Plumbing);
    row("c10::cuda::CUDACachingAllocator::Native::malloc(void**, int)", "??",
        FrameOrigin::Plumbing);
    row("at::native::mul(at::Tensor const&)", "??", FrameOrigin::Framework);
    row("_object* torch::autograd::TypeError_to_NotImplemented_<&f>(_object*)",
        "python_variable_methods.cpp", FrameOrigin::Framework);
    row("my_kernel(at::Tensor const&)", "my_extension.cpp", FrameOrigin::Library);
    row("_call_impl", "/v/lib/python3.11/site-packages/torch/nn/modules/module.py",
        FrameOrigin::Framework);
    row("_call_impl", "C:\\v\\Lib\\site-packages\\torch\\nn\\modules\\module.py",
        FrameOrigin::Framework);
    row("forward", "/v/lib/python3.11/site-packages/transformers/models/qwen3/modeling_qwen3.py",
        FrameOrigin::Library);
    row("run", "/usr/lib/python3.11/threading.py", FrameOrigin::Library);
    row("<lambda>", "<frozen importlib>", FrameOrigin::Library);
}

void FramesTest::eachFrameBelongsToSomeone()
{
    QFETCH(QString, name);
    QFETCH(QString, file);
    QFETCH(FrameOrigin, origin);
    QCOMPARE(frameOrigin(name.toStdString(), file.toStdString()), origin);
}

void FramesTest::theBestFrameIsTheInnermostOfTheProgram()
{
    TraceBuilder builder;
    const FrameId plumbing = builder.internFrame("_start", "??", 0);
    const FrameId torch =
        builder.internFrame("_call_impl", "/v/lib/python3.11/site-packages/torch/nn/m.py", 3);
    const FrameId library =
        builder.internFrame("forward", "/v/lib/python3.11/site-packages/flash/f.py", 9);
    const FrameId inner = builder.internFrame("forward", "/home/me/model.py", 214);
    const FrameId outer = builder.internFrame("main", "/home/me/train.py", 88);
    const FrameId all[] = {plumbing, torch, library, inner, outer};
    const StackId whole = builder.internStack(all);
    const StackId noProgram = builder.internStack(std::span(all).first(3));
    const StackId noLibrary = builder.internStack(std::span(all).first(2));
    const StackId nothing = builder.internStack(std::span(all).first(1));
    const auto trace = builder.finish();
    QVERIFY(trace.ok());
    QVERIFY(bestFrame(**trace, whole) == inner);
    QVERIFY(bestFrame(**trace, noProgram) == library);
    QVERIFY(bestFrame(**trace, noLibrary) == torch);
    QVERIFY(bestFrame(**trace, nothing) == plumbing);
    QVERIFY(!bestFrame(**trace, StackId::None));
}

void FramesTest::aFileNameIsFoundInEitherKindOfPath()
{
    QVERIFY(fileName("/home/me/model.py") == "model.py");
    QVERIFY(fileName("C:\\work\\model.py") == "model.py");
    QVERIFY(fileName("model.py") == "model.py");
    QVERIFY(fileName("").empty());
}

namespace {

// Ten events, one each 100 µs from 1000 on.
void addEvents(TraceBuilder &builder, bool times = true)
{
    for (int at = 0; at < 10; ++at) {
        Event event;
        event.action = Action::Alloc;
        event.address = static_cast<std::uint64_t>(0x1000 + at * 512);
        event.size = 512;
        event.stream = builder.internStream(0);
        event.time = times ? 1000 + at * 100 : kNoTime;
        builder.addEvent(0, event);
    }
}

void mark(TraceBuilder &builder, const char *name, std::int64_t time, bool start, int device = 0)
{
    builder.addAnnotation({builder.internText(name), time, device, start});
}

QStringList rangesText(const Trace &trace)
{
    QStringList lines;
    for (const AnnotationRange &range : annotationRanges(trace, trace.devices()[0]))
        lines << QStringLiteral("%1 %2..%3 lane %4")
                     .arg(QString::fromStdString(std::string(trace.text(range.name))))
                     .arg(range.first)
                     .arg(range.last)
                     .arg(range.lane);
    return lines;
}

} // namespace

void FramesTest::everyRangeHasTheLowestFreeLane()
{
    std::mt19937 random(7);
    const auto below = [&random](unsigned bound) { return static_cast<int>(random() % bound); };
    for (int round = 0; round < 60; ++round) {
        TraceBuilder builder;
        addEvents(builder);
        // Some rounds start far more than they end, some end what never started.
        for (int at = 0; at < 10 + 3 * round; ++at)
            mark(builder, std::array{"a", "b", "c"}[static_cast<std::size_t>(below(3))],
                 950 + below(1100), below(10) < 3 + round % 6);
        const auto trace = std::move(*builder.finish());
        const auto ranges = annotationRanges(*trace, trace->devices()[0]);
        QVERIFY(!ranges.empty());
        std::vector<EventIndex> ends; // of the last range in each lane
        for (const AnnotationRange &range : ranges) {
            std::size_t lane = 0;
            while (lane < ends.size() && ends[lane] > range.first)
                ++lane;
            ends.resize(std::max(ends.size(), lane + 1));
            ends[lane] = range.last;
            QCOMPARE(range.lane, static_cast<int>(lane));
        }
    }
}

void FramesTest::annotationsBecomeRangesOfEvents()
{
    TraceBuilder builder;
    addEvents(builder);
    mark(builder, "step", 1000, true);
    mark(builder, "forward", 1150, true);
    mark(builder, "forward", 1400, false);
    mark(builder, "elsewhere", 1100, true, 1);
    mark(builder, "step", 1800, false);
    mark(builder, "before", 1250, false);
    mark(builder, "open", 1850, true);
    const auto trace = builder.finish();
    QVERIFY(trace.ok());
    QCOMPARE(
        rangesText(**trace),
        QStringList({QStringLiteral("before -1..3 lane 0"), QStringLiteral("step 0..8 lane 1"),
                     QStringLiteral("forward 2..4 lane 2"), QStringLiteral("open 9..10 lane 0")}));
}

void FramesTest::anEndClosesTheInnermostStartOfItsName()
{
    TraceBuilder builder;
    addEvents(builder);
    mark(builder, "f", 1000, true);
    mark(builder, "f", 1200, true);
    mark(builder, "f", 1400, false);
    mark(builder, "f", 1600, false);
    const auto trace = builder.finish();
    QVERIFY(trace.ok());
    QCOMPARE(rangesText(**trace),
             QStringList({QStringLiteral("f 0..6 lane 0"), QStringLiteral("f 2..4 lane 1")}));
}

void FramesTest::annotationsAmongTheEventsCountToo()
{
    TraceBuilder builder;
    const auto add = [&builder](Action action, const char *stage) {
        const FrameId frame = builder.internFrame(stage, "Optimizer.step", 0);
        Event event;
        event.action = action;
        event.size = 512;
        event.stream = builder.internStream(0);
        event.stack = builder.internStack(std::span(&frame, 1));
        builder.addEvent(0, event);
    };
    add(Action::UserDefined, "START");
    add(Action::Alloc, "step");
    add(Action::UserDefined, "END");
    const auto trace = builder.finish();
    QVERIFY(trace.ok());
    QCOMPARE(rangesText(**trace), QStringList(QStringLiteral("Optimizer.step 0..2 lane 0")));
}

void FramesTest::withoutTimesThereAreNoRanges()
{
    TraceBuilder builder;
    addEvents(builder, false);
    mark(builder, "step", 1000, true);
    const auto trace = builder.finish();
    QVERIFY(trace.ok());
    QVERIFY(rangesText(**trace).isEmpty());
}

} // namespace vramscope

VRAMSCOPE_TEST(vramscope::FramesTest)
#include "tst_frames.moc"
