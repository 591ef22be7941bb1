// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/estimate.h"
#include "core/settings/field_text.h"
#include "core/settings/settings.h"
#include "tests/support/test.h"

#include <algorithm>

using namespace vramscope;

namespace {

Plan mlxPlan(std::initializer_list<std::string_view> assignments)
{
    Plan plan;
    plan.workload = Workload::Inference;
    plan.model.preset = "llama-3.1-8b";
    plan.inference.engine = Engine::Mlx;
    plan.inference.weightFormat = WeightFormat::Mlx4Bit;
    plan.inference.maxModelLen = 8192;
    plan.hardware.gpu = "apple-m3-max-64gb";
    for (const std::string_view assignment : assignments)
        if (!setWritten(plan, assignment))
            qFatal("%s", std::string(assignment).c_str());
    return plan;
}

Bytes mlxPart(const Estimate &estimate, std::string_view name)
{
    const auto &parts = estimate.components();
    const auto found = std::ranges::find(parts, name, &Component::name);
    return found == parts.end() ? 0 : found->bytes;
}

} // namespace

class TestMlx : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    /// Embedding and head are quantised too; the norms are not.
    void weightsTakeAScaleAndABiasAGroup()
    {
        constexpr Bytes kNorms = Bytes(65) * 4096;
        constexpr Bytes kMatrices = Bytes(8'030'261'248) - kNorms;
        QCOMPARE(estimate(mlxPlan({})).inference->weights, kMatrices / 64 * 36 + kNorms * 2);
        QCOMPARE(estimate(mlxPlan({"inference.weight_format=mlx-8bit"})).inference->weights,
                 kMatrices / 64 * 68 + kNorms * 2);
        QCOMPARE(estimate(mlxPlan({"inference.weight_format=mlx-6bit"})).inference->weights,
                 kMatrices / 64 * 52 + kNorms * 2);
    }

    void theCacheGrowsInStepsWithoutPages()
    {
        constexpr Bytes kToken = Bytes(2) * 2 * 32 * 8 * 128;
        const Estimate whole = estimate(mlxPlan({}));
        QCOMPARE(whole.inference->kvCache, 8192 * kToken);
        QCOMPARE(mlxPart(whole, "Cache of one layer while it grows"), 8192 * kToken / 32);
        const Estimate few = estimate(mlxPlan({"inference.mean_sequence_length=300"}));
        QCOMPARE(few.inference->kvCache, 512 * kToken);
    }

    /// A pass of a prompt takes 2,048 tokens, and no logits but the last token's.
    void aPassTakesThePrefillStep()
    {
        const Estimate whole = estimate(mlxPlan({}));
        QCOMPARE(whole.inference->activationPeak, Bytes(6) * (14'336 + 4096) * 2048);
        QVERIFY(whole.fits == std::optional(true));
        QVERIFY(whole.inference->maxContext > 100'000);
    }

    void whatDoesNotApplyIsRefused_data()
    {
        QTest::addColumn<QString>("setting");
        QTest::addColumn<QString>("field");
        const auto row = [](const char *setting, const char *field) {
            QTest::newRow(setting) << QString::fromUtf8(setting) << QString::fromUtf8(field);
        };
        row("inference.weight_format=q4_k", "inference.weight_format");
        row("inference.weight_format=awq-int4-g128", "inference.weight_format");
        row("hardware.gpu=rtx-4090", "inference.engine");
        row("inference.engine=vllm", "inference.weight_format");
        row("inference.engine=llama.cpp", "inference.weight_format");
        row("parallel.tensor=2", "parallel.tensor");
        row("parallel.pipeline=2", "parallel.pipeline");
    }

    void whatDoesNotApplyIsRefused()
    {
        QFETCH(QString, setting);
        QFETCH(QString, field);
        const Estimate refused = estimate(mlxPlan({setting.toStdString()}));
        QVERIFY(!refused.computed);
        QVERIFY2(std::ranges::any_of(refused.issues,
                                     [&](const Issue &issue) {
                                         return issue.severity == Issue::Severity::Blocking &&
                                                issue.field == field.toStdString();
                                     }),
                 whyNotComputed(refused).c_str());
    }

    void whatItReadsIsComputed()
    {
        for (const char *format : {"bf16", "fp16", "mxfp4", "mlx-8bit"}) {
            const auto plan = mlxPlan({std::string("inference.weight_format=") + format});
            QVERIFY2(estimate(plan).computed, format);
        }
    }
};

VRAMSCOPE_TEST(TestMlx)
#include "tst_mlx.moc"
