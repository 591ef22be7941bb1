// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalog/empirical.h"
#include "core/estimate/estimate.h"
#include "core/estimate/peak_summary.h"
#include "core/model/parameters.h"
#include "core/settings/settings.h"
#include "tests/core/planner/sample_plans.h"
#include "tests/support/test.h"

#include <algorithm>

using namespace vramscope;
using namespace vramscope::test;

namespace {

/// The text of the first warning on a field; empty where there is none.
std::string warningOn(const Estimate &result, std::string_view field)
{
    const auto found = std::ranges::find_if(result.issues, [&](const Issue &issue) {
        return issue.field == field && issue.severity == Issue::Severity::Warning;
    });
    return found == result.issues.end() ? std::string() : found->text;
}

Bytes outsideBytes(const Estimate &result, std::string_view name)
{
    const auto found = std::ranges::find(result.outside, name, &Component::name);
    return found == result.outside.end() ? 0 : found->bytes;
}

/// gpt-oss-120b, as published, under llama.cpp on a GB10.
Plan servedOnGb10()
{
    Plan plan;
    plan.workload = Workload::Inference;
    plan.model.preset = "gpt-oss-120b";
    plan.hardware.gpu = "gb10-128gb";
    plan.inference.engine = Engine::LlamaCpp;
    plan.inference.maxModelLen = 32768;
    return plan;
}

/// The same figures from the summary that comparisons of many plans read.
Bytes summarisedDevice(const Plan &plan)
{
    const Settings settings = resolve(plan).settings;
    return peakSummary(settings, countParameters(settings.architecture))->device;
}

} // namespace

/// Devices beside NVIDIA's cards with memory of their own.
class TestDevices : public Test
{
    Q_OBJECT

private slots:
    void whatIsNotKnownOfAmdIsSaidAndNotInvented()
    {
        Plan plan = shardedPlan(8);
        plan.hardware.gpu = "mi300x-192gb";
        const Estimate result = estimate(plan);
        QVERIFY(result.computed);
        QCOMPARE(*result.capacity, Bytes(206'141'652'992));
        QCOMPARE(QString::fromStdString(warningOn(result, "hardware.gpu")),
                 QStringLiteral("Not known of AMD and not counted: the HIP context "
                                "(overheads.context_bytes), RCCL's communicators "
                                "(overheads.nccl_bytes), hipBLASLt's workspace "
                                "(overheads.cublas_workspace_bytes). State what your runs show."));
        QCOMPARE(result.peakDevice, result.peakReserved);
    }

    void whatAPlanStatesOfAmdIsCountedUnderItsName()
    {
        Plan plan = shardedPlan(8);
        plan.hardware.gpu = "mi300x-192gb";
        plan.overheads.contextBytes = 500 * kMiB;
        plan.overheads.ncclBytes = 700 * kMiB;
        plan.overheads.cublasWorkspaceBytes = 128 * kMiB;
        const Estimate result = estimate(plan);
        QCOMPARE(warningOn(result, "hardware.gpu"), std::string());
        QCOMPARE(outsideBytes(result, "HIP context"), Bytes(500 * kMiB));
        QCOMPARE(outsideBytes(result, "RCCL communicators"), Bytes(700 * kMiB));
    }

    void vllmOnAmdSaysWhoseFiguresItTakes()
    {
        Plan plan = smallPlan();
        plan.workload = Workload::Inference;
        plan.inference.engine = Engine::Vllm;
        plan.hardware.gpu = "mi300x-192gb";
        QVERIFY(!warningOn(estimate(plan), "inference.non_torch_bytes").empty());
        plan.inference.nonTorchBytes = kGiB;
        QCOMPARE(warningOn(estimate(plan), "inference.non_torch_bytes"), std::string());
    }

    void theSystemsPartIsNotKnownEverywhere()
    {
        Plan plan = smallPlan();
        plan.hardware.gpu = "mi300a-128gb";
        QVERIFY(warningOn(estimate(plan), "hardware.gpu")
                    .ends_with("the system's part of the memory (hardware.system_bytes). State "
                               "what your runs show."));
        QCOMPARE(outsideBytes(estimate(plan), "System and other programs"), Bytes(0));
    }

    void aDeviceOfUnknownCapacityHasFiguresWithoutAnAnswer()
    {
        Plan plan = smallPlan();
        plan.hardware.gpu = "ascend-910c-128gb";
        const Estimate result = estimate(plan);
        QVERIFY(result.computed && !result.capacity && !result.fits);
    }

    void aScaledCapacityIsSaid()
    {
        const auto noteOn = [](const Plan &plan) {
            for (const Issue &issue : estimate(plan).issues)
                if (issue.field == "hardware.gpu" && issue.severity == Issue::Severity::Note)
                    return issue.text;
            return std::string();
        };
        Plan plan = smallPlan();
        plan.hardware.gpu = "rtx-3060-ti";
        QCOMPARE(noteOn(plan),
                 std::string("No report of the capacity of GeForce RTX 3060 Ti 8 GB is known: "
                             "7.78 GiB is scaled from GeForce RTX 3070 8 GB. State what your "
                             "driver reports (hardware.capacity_bytes)."));
        plan.hardware.capacity = 8 * kGiB;
        QCOMPARE(noteOn(plan), std::string());
        plan = smallPlan();
        plan.hardware.gpu = "rtx-3070";
        QCOMPARE(noteOn(plan), std::string());
    }

    void theSystemTakesItsPartOfUnifiedMemory()
    {
        Plan plan = servedOnGb10();
        const Estimate typical = estimate(plan);
        QCOMPARE(*typical.capacity, Bytes(130'663'055'360));
        QCOMPARE(typical.fits, std::optional(true));
        QCOMPARE(outsideBytes(typical, "System and other programs"),
                 empirical(Measured::UnifiedSystem).bytes());
        plan.hardware.systemBytes = 20 * kGiB;
        const Estimate stated = estimate(plan);
        QCOMPARE(outsideBytes(stated, "System and other programs"), Bytes(20 * kGiB));
        QCOMPARE(stated.peakDevice - typical.peakDevice,
                 20 * kGiB - empirical(Measured::UnifiedSystem).bytes());
        QCOMPARE(summarisedDevice(plan), stated.peakDevice);
        QVERIFY(stated.inference->maxContext < typical.inference->maxContext);
    }

    void otherProgramsTakeTheirPartOfAnyGpu()
    {
        Plan plan = smallPlan();
        plan.hardware.gpu = "rtx-4090";
        const Estimate alone = estimate(plan);
        QCOMPARE(outsideBytes(alone, "Other programs"), Bytes(0));
        plan.hardware.systemBytes = 3 * kGiB;
        const Estimate shared = estimate(plan);
        QCOMPARE(outsideBytes(shared, "Other programs"), Bytes(3 * kGiB));
        QCOMPARE(shared.peakDevice - alone.peakDevice, Bytes(3 * kGiB));
        QCOMPARE(shared.peakReserved, alone.peakReserved);
        QCOMPARE(summarisedDevice(plan), shared.peakDevice);

        Plan served = servedOnGb10();
        served.hardware.gpu = "h100-sxm-80gb";
        served.inference.engine = Engine::Vllm;
        QCOMPARE(warningOn(estimate(served), "inference.gpu_memory_utilization"), std::string());
        served.hardware.systemBytes = 20 * kGiB; // vLLM asks for its share before it loads anything
        QVERIFY(warningOn(estimate(served), "inference.gpu_memory_utilization")
                    .find("other programs leave") != std::string::npos);
    }

    void theSystemOfASmallBoardTakesLess()
    {
        Plan plan = servedOnGb10();
        plan.hardware.gpu = "jetson-orin-nano-8gb";
        const Bytes capacity = findGpuPreset("jetson-orin-nano-8gb")->capacity;
        QCOMPARE(outsideBytes(estimate(plan), "System and other programs"), capacity / 8);
    }

    void appleStatesWhatTheSystemLeaves()
    {
        Plan plan = servedOnGb10();
        plan.hardware.gpu = "apple-m4-max-128gb";
        const Estimate result = estimate(plan);
        QCOMPARE(*result.capacity, Bytes(115'448'730'000));
        QCOMPARE(outsideBytes(result, "System and other programs"), Bytes(0));
        QCOMPARE(warningOn(result, "hardware.page_cache_bytes"), std::string()); // no second copy
        const auto saysLimit = [](const Issue &issue) {
            return issue.text.find("lets the GPU use 108 GiB") != std::string::npos;
        };
        QVERIFY(std::ranges::any_of(result.issues, saysLimit));
        plan.hardware.capacity = 120'000'000'000;
        QVERIFY(std::ranges::none_of(estimate(plan).issues, saysLimit));
    }

    void offloadWithinOneMemoryIsCountedOnceAndSavesNoState()
    {
        Plan plan = shardedPlan(1, Strategy::Zero2);
        plan.hardware.gpu = "gb10-128gb";
        plan.precision.regime = Regime::DeepSpeedBf16;
        plan.optimizer.implementation = OptimizerImplementation::Fused;
        const Estimate onDevice = estimate(plan);
        plan.optimizer.offload = true;
        const Estimate offloaded = estimate(plan);
        const Bytes host = offloaded.hostBytes;
        QVERIFY(host > 0);
        QCOMPARE(outsideBytes(offloaded, "Offloaded, in the same memory"), host);
        Bytes outside = 0;
        for (const Component &part : offloaded.outside)
            outside += part.bytes;
        QCOMPARE(offloaded.peakAllocated + outside, offloaded.peakDevice);
        QCOMPARE(summarisedDevice(plan), offloaded.peakDevice);
        // Master weights and moments are as large on either side.
        QCOMPARE(partAt(onDevice, "at rest", "Master weights") +
                     partAt(onDevice, "at rest", "Adam first moment") +
                     partAt(onDevice, "at rest", "Adam second moment"),
                 host);
        QVERIFY(!warningOn(offloaded, "optimizer.offload").empty());
        plan.hardware.gpu = "h100-sxm-80gb";
        const Estimate discrete = estimate(plan);
        QCOMPARE(outsideBytes(discrete, "Offloaded, in the same memory"), Bytes(0));
        QCOMPARE(warningOn(discrete, "optimizer.offload"), std::string());
    }

    void thePageCacheStandsBesideTheWeightsWhileTheyLoad()
    {
        Plan plan = servedOnGb10();
        const Estimate result = estimate(plan);
        QVERIFY(!warningOn(result, "hardware.page_cache_bytes").empty()); // 2 × 61 GiB of 122
        const Bytes weights = result.inference->weights;
        plan.hardware.pageCacheBytes = weights;
        const Estimate counted = estimate(plan);
        QCOMPARE(counted.peakAt, std::string("load"));
        QCOMPARE(partAt(counted, "load", "Page cache of the files"), weights);
        QCOMPARE(counted.peakAllocated, 2 * weights);
        QCOMPARE(counted.fits, std::optional(false));
        QCOMPARE(warningOn(counted, "hardware.page_cache_bytes"), std::string());
        QCOMPARE(summarisedDevice(plan), counted.peakDevice);
        plan.model.preset = "gpt-oss-20b";
        plan.hardware.pageCacheBytes.reset();
        QCOMPARE(warningOn(estimate(plan), "hardware.page_cache_bytes"), std::string());
    }

    void vllmTakesItsShareOfTheWholeMemory()
    {
        Plan plan = servedOnGb10();
        plan.inference.engine = Engine::Vllm;
        QCOMPARE(warningOn(estimate(plan), "inference.gpu_memory_utilization"), std::string());
        plan.inference.gpuMemoryUtilization = 0.97;
        const Estimate result = estimate(plan);
        QVERIFY(!warningOn(result, "inference.gpu_memory_utilization").empty());
        QCOMPARE(result.fits, std::optional(false));
    }

    void whatMeansNothingThereIsSaid()
    {
        Plan plan = smallPlan();
        const auto noted = [&](std::string_view field) {
            const Estimate result = estimate(plan);
            return std::ranges::any_of(result.issues, [&](const Issue &issue) {
                return issue.field == field && issue.text.starts_with("Without effect");
            });
        };
        plan.hardware.gpu = "gb10-128gb";
        plan.hardware.hostMemory = 64 * kGiB;
        QVERIFY(noted("hardware.host_memory_bytes"));
    }
};

VRAMSCOPE_TEST(TestDevices)
#include "tst_devices.moc"
