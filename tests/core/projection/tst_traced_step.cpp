// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/estimate.h"
#include "core/projection/scaling.h"
#include "core/projection/traced_step.h"
#include "core/readers/read_trace.h"
#include "core/settings/settings.h"
#include "tests/support/test.h"

#include <cmath>
#include <span>
#include <string>

using namespace vramscope;

namespace {

/// Steps of 100 ms on rank 0 of 8: 60 ms of computing, a gather of 64 MB over 8 ranks in 0.25 ms
/// beside it.
std::string traceOf(const std::string &gpu, int steps)
{
    std::string events;
    const auto add = [&](const std::string &event) {
        events += (events.empty() ? "" : ",") + event;
    };
    for (int i = 0; i < steps; ++i) {
        const auto at = [&](int us) { return std::to_string(i * 100'000 + us); };
        const std::string id = std::to_string(2 * i + 1);
        const std::string gather = std::to_string(2 * i + 2);
        add(R"({"ph":"X","cat":"user_annotation","name":"ProfilerStep#)" + std::to_string(i) +
            R"(","pid":1,"tid":1,"ts":)" + at(0) + R"(,"dur":100000})");
        for (const auto &[call, name] : {std::pair(id, "10"), std::pair(gather, "20")})
            add(R"({"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":)" +
                at(std::stoi(name)) + R"(,"dur":5,"args":{"correlation":)" + call + "}}");
        add(R"({"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,"ts":)" + at(1000) +
            R"(,"dur":60000,"args":{"device":0,"stream":7,"correlation":)" + id + "}}");
        add(R"({"ph":"X","cat":"kernel","name":"ncclDevKernel_AllGather_RING_LL","pid":0,"tid":20,"ts":)" +
            at(2000) + R"(,"dur":250,"args":{"device":0,"stream":20,"correlation":)" + gather +
            R"(,"Collective name":"_allgather_base","In msg nelems":4000000,)"
            R"("Out msg nelems":32000000,"dtype":"BFloat16","Group size":8}})");
    }
    return R"({"deviceProperties":[{"id":0,"name":")" + gpu +
           R"("}],"distributedInfo":{"backend":"nccl","rank":0,"world_size":8},"traceEvents":[)" +
           events + "]}";
}

std::shared_ptr<const Profile> profileOf(const std::string &text)
{
    const auto recording = readRecording(std::as_bytes(std::span(text.data(), text.size())));
    return recording ? std::get<std::shared_ptr<const Profile>>(*recording) : nullptr;
}

Plan planOf()
{
    Plan plan;
    plan.model.preset = "llama-3.2-1b";
    plan.hardware.gpu = "h100-sxm-80gb";
    plan.hardware.gpus = plan.parallel.data = 64; // the trace is of eight
    plan.parallel.strategy = Strategy::Fsdp2;
    plan.precision.regime = Regime::FsdpMixedBf16;
    plan.batch.sequenceLength = 2048;
    plan.batch.microBatch = 1;
    return plan;
}

} // namespace

class TestTracedStep : public test::Test
{
    Q_OBJECT

private slots:
    void aTraceGivesTimeComputingAndRing();
    void theRecordedStepIsWhatIsProjectedThere();
    void anotherGpuIsRefused();
    void aTraceWithoutStepsIsRefused();
};

void TestTracedStep::aTraceGivesTimeComputingAndRing()
{
    const auto profile = profileOf(traceOf("NVIDIA H100 80GB HBM3", 4));
    QVERIFY(profile);
    const auto step = tracedStep(ProfileStudy(profile), "rank0.json");
    QVERIFY2(step, step ? "" : step.error().detail.c_str());
    QCOMPARE(step->seconds, 0.1);
    QCOMPARE(*step->computing, 0.06);
    QCOMPARE(step->ring, std::int64_t(8));
    // 64 MB · 7/8 in 250 µs
    QVERIFY(std::abs(*step->bytesPerSecond - 64e6 * 7 / 8 / 250e-6) < 1e3);
}

void TestTracedStep::theRecordedStepIsWhatIsProjectedThere()
{
    const auto profile = profileOf(traceOf("NVIDIA H100 80GB HBM3", 4));
    const Plan plan = planOf();
    const auto calibration = calibrateBy(ProfileStudy(profile), plan, "rank0.json");
    QVERIFY2(calibration, calibration ? "" : calibration.error().detail.c_str());
    QCOMPARE(calibration->gpus, std::int64_t(8));
    const std::array<std::int64_t, 2> counts = {8, 64};
    const auto points = scalePoints(plan, counts, Scaling::Weak, &*calibration);
    QVERIFY(points[0].known() && points[1].known());
    const Projected there = points[0].time.seconds;
    QVERIFY2(std::abs(there.likely - 0.1) < 1e-9, QByteArray::number(there.likely, 'g', 12));
    QVERIFY(there.high - there.low < 1e-9);
    // Away from the recording the step gets longer and its range wider.
    QVERIFY(points[1].time.seconds.likely > there.likely);
    QVERIFY(points[1].time.seconds.high > points[1].time.seconds.low);
    QVERIFY(!points[1].beyond.empty()); // of eight GPUs in a node nothing says what a network does
    QVERIFY(points[0].time.terms.front().recorded);
}

void TestTracedStep::anotherGpuIsRefused()
{
    const auto profile = profileOf(traceOf("NVIDIA A100-SXM4-80GB", 4));
    const auto calibration = calibrateBy(ProfileStudy(profile), planOf(), "rank0.json");
    QVERIFY(!calibration);
    QVERIFY2(calibration.error().detail.find("A100") != std::string::npos,
             calibration.error().detail.c_str());
}

void TestTracedStep::aTraceWithoutStepsIsRefused()
{
    const auto profile = profileOf(traceOf("NVIDIA H100 80GB HBM3", 0));
    if (!profile)
        return; // a trace without events is none
    const auto step = tracedStep(ProfileStudy(profile), "rank0.json");
    QVERIFY(!step);
    QVERIFY(step.error().detail.starts_with("rank0.json"));
}

VRAMSCOPE_TEST(TestTracedStep)
#include "tst_traced_step.moc"
