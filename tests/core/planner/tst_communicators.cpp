// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/estimate.h"
#include "tests/core/planner/sample_plans.h"
#include "tests/support/test.h"

#include <algorithm>

using namespace vramscope;
using namespace vramscope::test;

namespace {

constexpr Bytes kTwo = 544 * kMiB;      // two GPUs that all-reduce
constexpr Bytes kMore = 688 * kMiB;     // more of them
constexpr Bytes kOverHost = 240 * kMiB; // any of them over PCIe
constexpr Bytes kPeer = 447 * kMiB;     // each GPU of the node that an all-to-all reaches

const Component *communicatorsOf(const Estimate &result)
{
    const auto found =
        std::ranges::find(result.outside, std::string("NCCL communicators"), &Component::name);
    return found == result.outside.end() ? nullptr : &*found;
}

Bytes communicatorBytesOf(const Plan &plan)
{
    const Estimate result = estimate(plan);
    const Component *found = communicatorsOf(result);
    return found ? found->bytes : 0;
}

} // namespace

class TestCommunicators : public Test
{
    Q_OBJECT

private slots:
    void oneGpuHasNone() { QCOMPARE(communicatorBytesOf(smallPlan()), Bytes(0)); }

    void dataParallelRanksShareOne()
    {
        QCOMPARE(communicatorBytesOf(shardedPlan(2, Strategy::Ddp)), kTwo);
        QCOMPARE(communicatorBytesOf(shardedPlan(3, Strategy::Ddp)), kMore);
        QCOMPARE(communicatorBytesOf(shardedPlan(1024, Strategy::Fsdp2)), kMore);
    }

    void everyDegreeHasOneOfItsOwn()
    {
        Plan plan = shardedPlan(8);
        plan.parallel.tensor = 2;
        QCOMPARE(communicatorBytesOf(plan), kMore + kTwo);
        plan.parallel.pipeline = 4;
        QCOMPARE(communicatorBytesOf(plan), kMore + kTwo + kMore);
        plan.parallel.context = 2;
        QCOMPARE(communicatorBytesOf(plan), kMore + kTwo + kMore + kTwo);
    }

    void shardsAndReplicasOfHybridShardingAreTwo()
    {
        Plan plan = shardedPlan(16);
        plan.parallel.sharding = Sharding::HybridShard;
        plan.parallel.shardGroup = 8;
        QCOMPARE(communicatorBytesOf(plan), kMore + kTwo);
    }

    void tokensGoToEveryPeerOfTheNode()
    {
        Plan plan = shardedPlan(8);
        plan.model.preset = "mixtral-8x7b";
        plan.parallel.expert = 8;
        QCOMPARE(communicatorBytesOf(plan), kMore + kMore + 7 * kPeer);
        plan.parallel.expert = 4; // and two ranks hold the same experts
        QCOMPARE(communicatorBytesOf(plan), kMore + kMore + 3 * kPeer + kTwo);
        plan.parallel.expert = 8;
        plan.hardware.gpusPerNode = 4;
        QCOMPARE(communicatorBytesOf(plan), kMore + kMore + 3 * kPeer);
    }

    void theFormulaNamesEachGroup()
    {
        Plan plan = shardedPlan(8);
        plan.parallel.tensor = 2;
        const Estimate result = estimate(plan);
        const Component *found = communicatorsOf(result);
        QVERIFY(found);
        QCOMPARE(found->formula,
                 std::string("688 MiB (data, 8) + 544 MiB (tensor, 2) = 1,291,845,632"));
        QVERIFY(found->spread > 0.4 && found->spread < 0.7);
    }

    void overPcieTheyHaveFewerChannels()
    {
        Plan plan = shardedPlan(4, Strategy::Ddp);
        plan.hardware.gpu = "rtx-3090";
        QCOMPARE(communicatorBytesOf(plan), kOverHost);
        plan.parallel.data = 16; // no more where a node has eight of them: vllm-project/vllm#14447
        QCOMPARE(communicatorBytesOf(plan), kOverHost);
        plan = shardedPlan(4, Strategy::Ddp);
        plan.hardware.gpu.reset();
        plan.hardware.capacity = 24 * kGiB; // which link a card of that size has is not known
        QCOMPARE(communicatorBytesOf(plan), kMore);
    }

    void vllmTakesLessBesidePcie()
    {
        Plan plan;
        plan.workload = Workload::Inference;
        plan.model.preset = "llama-3.1-8b";
        plan.parallel.tensor = 2;
        plan.inference.engine = Engine::Vllm;
        plan.inference.maxModelLen = 8192;
        plan.hardware.gpu = "rtx-3090";
        const Bytes pcie = estimate(plan).inference->nonTorch;
        plan.hardware.gpu = "h100-sxm-80gb";
        const Bytes nvlink = estimate(plan).inference->nonTorch;
        QVERIFY2(nvlink - pcie > 1536 * kMiB, QByteArray::number(qlonglong(nvlink - pcie)));
        QVERIFY(pcie <= 512 * kMiB); // 0.20 GiB of 16 RTX 3090, vllm-project/vllm#14447
    }

    void whatThePlanStatesStands()
    {
        Plan plan = shardedPlan(8);
        plan.overheads.ncclBytes = 123'456'789;
        const Estimate result = estimate(plan);
        QCOMPARE(communicatorsOf(result)->bytes, Bytes(123'456'789));
        QCOMPARE(communicatorsOf(result)->formula,
                 std::string("overheads.nccl_bytes = 123,456,789"));
    }
};

VRAMSCOPE_TEST(TestCommunicators)
#include "tst_communicators.moc"
