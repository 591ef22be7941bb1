// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/estimate.h"
#include "core/plan/plan.h"
#include "tests/support/test.h"

#include <algorithm>

using namespace vramscope;

namespace {

Plan trained(const char *preset = "llama-3.1-8b")
{
    Plan plan;
    plan.workload = Workload::Training;
    plan.model.preset = preset;
    plan.precision.regime = Regime::PureBf16;
    plan.adapters.kind = AdapterKind::Lora;
    plan.adapters.rank = 16;
    plan.adapters.targets = TextList{"q", "v"};
    plan.adapters.dora = true;
    return plan;
}

Bytes weightsOf(const Plan &plan)
{
    const Estimate result = estimate(plan);
    for (const Moment &moment : result.moments)
        for (const Component &part : moment.components)
            if (part.name == "Adapter weights")
                return part.bytes;
    return 0;
}

bool refuses(const Plan &plan, std::string_view field)
{
    const Estimate result = estimate(plan);
    return std::ranges::any_of(result.issues, [&](const Issue &issue) {
        return issue.field == field && issue.severity == Issue::Severity::Blocking &&
               issue.text.find("DoRA") != std::string::npos;
    });
}

} // namespace

// tst_recorded compares whole steps with PEFT's (tests/measure, family "dora").
class TestDora : public test::Test
{
    Q_OBJECT

private slots:
    void eachRowHasALength()
    {
        Plan plan = trained();
        const Bytes lengths = weightsOf(plan);
        plan.adapters.dora = false;
        QCOMPARE(lengths - weightsOf(plan), Bytes(4) * 32 * (4096 + 1024));
    }

    void whatWasNotMeasuredIsRefused()
    {
        Plan plan = trained();
        QVERIFY(estimate(plan).computed);
        plan.precision.regime = Regime::Fp32;
        QVERIFY(refuses(plan, "precision.regime"));
        plan = trained();
        plan.adapters.dropout = 0.1;
        QVERIFY(refuses(plan, "adapters.dropout"));
        plan = trained();
        plan.activations.kernels = Kernels::Fused;
        QVERIFY(refuses(plan, "activations.kernels"));
        plan = trained();
        plan.hardware.gpus = plan.parallel.data = 2;
        plan.parallel.strategy = Strategy::Fsdp2;
        QVERIFY(refuses(plan, "parallel.strategy"));
        QVERIFY(refuses(trained("qwen3-30b-a3b"), "adapters.dora"));
    }
};

VRAMSCOPE_TEST(TestDora)
#include "tst_dora.moc"
