// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/planner/estimate.h"
#include "core/planner/settings.h"
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

    void aDeviceOfUnknownCapacityHasFiguresWithoutAnAnswer()
    {
        Plan plan = smallPlan();
        plan.hardware.gpu = "mi325x-256gb";
        const Estimate result = estimate(plan);
        QVERIFY(result.computed && !result.capacity && !result.fits);
    }
};

VRAMSCOPE_TEST(TestDevices)
#include "tst_devices.moc"
