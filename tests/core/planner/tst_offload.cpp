// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalog/links.h"
#include "core/estimate/estimate.h"
#include "tests/core/planner/sample_plans.h"
#include "tests/support/test.h"

using namespace vramscope;
using namespace vramscope::test;

namespace {

constexpr std::int64_t kOffloadedParameters = 8'030'261'248; // Llama 3 8B

} // namespace

class TestOffload : public Test
{
    Q_OBJECT

private slots:
    void nothingCrossesTheLinkWithoutOffload()
    {
        const Estimate result = estimate(smallPlan());
        QCOMPARE(result.hostBytes, Bytes(0));
        QCOMPARE(result.toHostBytes + result.toDeviceBytes, Bytes(0));
    }

    void optimizerOffloadMovesGradientsDownAndWeightsUpButNeverTheStates()
    {
        // DeepSpeed keeps bf16 weights and gradients on the GPU, fp32 master weights and Adam's
        // moments on the host: 12 bytes a parameter of the rank's share.
        Plan plan = shardedPlan(8, Strategy::Zero2);
        plan.precision.regime = Regime::DeepSpeedBf16;
        plan.optimizer.offload = true;
        const Estimate result = estimate(plan);
        const std::int64_t share = kOffloadedParameters / 8;
        QCOMPARE(result.hostBytes, Bytes(12 * share));
        QCOMPARE(result.toHostBytes, Bytes(2 * share));
        QCOMPARE(result.toDeviceBytes, Bytes(2 * share));
    }

    void drivesLeaveTheirBuffersOnTheHost()
    {
        // ZeRO-Infinity's pinned buffers: four of a sub-group in fp32 for states, five of 1e8
        // elements for parameters, of which 1e9 stay on the host.
        Plan plan = shardedPlan(4, Strategy::Zero3);
        plan.precision.regime = Regime::DeepSpeedBf16;
        plan.optimizer.offload = true;
        const Bytes onHost = estimate(plan).hostBytes;
        const Bytes onGpu = estimate(plan).peakAllocated;
        plan.optimizer.offloadDevice = OffloadDevice::Nvme;
        QCOMPARE(estimate(plan).hostBytes, Bytes(4 * 4 * 1'000'000'000LL));
        QVERIFY(estimate(plan).hostBytes < onHost);
        // The gradients of one bucket, in fp32, are on the GPU at once.
        const Estimate drives = estimate(plan);
        QCOMPARE(partAt(drives, "last backward block", "Gradients in fp32 for the drives"),
                 Bytes(4 * 500'000'000LL / 4));
        QVERIFY(drives.peakAllocated >= onGpu);
        plan.parallel.bucket.subGroup = 100'000'000;
        plan.parallel.bucket.stateBuffers = 5;
        QCOMPARE(estimate(plan).hostBytes, Bytes(5 * 4 * 100'000'000LL));
        plan.parallel.cpuOffload = true;
        QCOMPARE(estimate(plan).hostBytes,
                 Bytes(5 * 4 * 100'000'000LL + 2 * 1'000'000'000LL + 5 * 2 * 100'000'000LL));
    }

    void stagesOneAndTwoHaveNoDrives()
    {
        Plan plan = shardedPlan(8, Strategy::Zero2);
        plan.precision.regime = Regime::DeepSpeedBf16;
        plan.optimizer.offload = true;
        const Bytes host = estimate(plan).hostBytes;
        plan.optimizer.offloadDevice = OffloadDevice::Nvme;
        QCOMPARE(estimate(plan).hostBytes, host);
    }

    void whatMuonLeavesToAdamWKeepsTwoMomentsOnTheHost()
    {
        Plan plan = shardedPlan(8, Strategy::Zero2);
        plan.precision.regime = Regime::DeepSpeedBf16;
        plan.optimizer.offload = true;
        plan.optimizer.name = OptimizerName::Muon;
        constexpr std::int64_t kMatrices =
            32LL * (2 * 4096 * 4096 + 2 * 4096 * 1024 + 3 * 4096LL * 14336);
        const std::int64_t rest = kOffloadedParameters - kMatrices;
        QCOMPARE(estimate(plan).hostBytes,
                 Bytes(4 * (kOffloadedParameters + kMatrices + 2 * rest) /
                       8)); // master weights beside them
    }

    void offloadedExpertsAreSharedOutOverTheirOwnRanks()
    {
        // Mixtral's experts under expert parallelism are sharded over a quarter of the ranks.
        Plan plan = shardedPlan(8);
        plan.model.preset = "mixtral-8x7b";
        plan.parallel.expert = 4;
        plan.parallel.cpuOffload = true;
        plan.adapters.kind = AdapterKind::Lora;
        plan.adapters.rank = 8;
        plan.adapters.targets = TextList{"q"};
        plan.adapters.baseQuantization = BaseQuantization::Nf4;
        const Bytes host = estimate(plan).hostBytes;
        plan.parallel.cpuOffload = false;
        const Estimate onGpu = estimate(plan);
        Bytes weights = 0;
        for (const Moment &moment : onGpu.moments)
            for (const Component &component : moment.components)
                if (moment.name == "at rest" && (component.name == "Quantised weight shards" ||
                                                 component.name == "Frozen weight shards"))
                    weights += component.bytes;
        const Bytes adapters = (4 + 4 + 2 * 4) * (32LL * 8 * 2 * 4096 / 8);
        QVERIFY(weights > 0);
        QVERIFY(std::abs(host - weights - adapters) < 16); // rounded up part by part
    }

    void offloadedShardsComeUpForEveryGather()
    {
        Plan plan = shardedPlan(8);
        plan.parallel.cpuOffload = true;
        plan.batch.accumulationSteps = 4;
        const Estimate result = estimate(plan);
        const std::int64_t share = kOffloadedParameters / 8;
        QCOMPARE(result.toDeviceBytes, Bytes(2 * 4 * 2 * share)); // forward and backward, 4 times
        QCOMPARE(result.toHostBytes, Bytes(4 * 2 * share));
        QCOMPARE(result.hostBytes, Bytes((2 + 2 + 2 * 2) * share));
    }

    void offloadedBlockInputsGoDownAndComeBack()
    {
        Plan plan = smallPlan();
        plan.activations.checkpointing = Checkpointing::Full;
        plan.activations.activationOffload = true;
        const Estimate result = estimate(plan);
        constexpr Bytes kInputs = 32LL * 2 * 4096 * 2 * 2048; // L · 2 h · T
        QCOMPARE(result.hostBytes, kInputs);
        QCOMPARE(result.toHostBytes, kInputs);
        QCOMPARE(result.toDeviceBytes, kInputs);
    }

    void aLinkTakesBothDirectionsOneAfterTheOther()
    {
        // 17.5 GB each way, as for 70 billion parameters in bf16 on 8 GPUs.
        QCOMPARE(kHostLinks[0].seconds(17'500'000'000, 17'500'000'000), 1.4);
        QVERIFY(kHostLinks[2].seconds(17'500'000'000, 17'500'000'000) < 0.1);
    }
};

VRAMSCOPE_TEST(TestOffload)
#include "tst_offload.moc"
