// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/csv.h"
#include "core/base/parts.h"
#include "core/base/shipped_documents.h"
#include "core/catalog/uncomputed_keys.h"
#include "core/estimate/estimate.h"
#include "core/model/missing_parts.h"
#include "core/plan/plan.h"
#include "core/settings/settings.h"
#include "core/settings/uncomputed_keys.h"
#include "tests/support/test.h"

#include <algorithm>

using namespace vramscope;

Q_DECLARE_METATYPE(Plan)

namespace {

/// A small Llama with further keys.
std::string configWith(const std::string &keys)
{
    return R"({"model_type": "llama", "hidden_size": 4096, "num_hidden_layers": 8,
               "num_attention_heads": 32, "intermediate_size": 8192, "vocab_size": 32000,
               "max_position_embeddings": 8192)" +
           (keys.empty() ? keys : ", " + keys) + "}";
}

Plan trained(const std::string &keys)
{
    Plan plan;
    plan.model.config = configWith(keys);
    plan.hardware.gpu = "h100-sxm-80gb";
    plan.batch.sequenceLength = 4096;
    return plan;
}

Plan servedWith(const std::string &keys)
{
    Plan plan = trained(keys);
    plan.workload = Workload::Inference;
    plan.inference.engine = Engine::Vllm;
    return plan;
}

QString toldOf(const Plan &plan)
{
    QStringList all;
    const Estimate it = estimate(plan);
    for (const std::string_view sentence : notCounted(it.issues))
        all << QString::fromUtf8(sentence);
    return all.join(u' ');
}

bool anyVerified(const Estimate &it, std::string_view part)
{
    return std::ranges::any_of(it.components(), [&](const Component &component) {
        return categoryName(component.category) == part && component.evidence == Evidence::Verified;
    });
}

} // namespace

class TestUncomputedKeys : public test::Test
{
    Q_OBJECT

private slots:
    void aKeyInEffectIsInTheAnswer_data()
    {
        QTest::addColumn<Plan>("plan");
        QTest::addColumn<QString>("key"); // empty: none
        const auto row = [](const char *name, const Plan &plan, const char *key) {
            QTest::newRow(name) << plan << QString(key);
        };
        row("none", trained(""), "");
        row("clamped queries", trained(R"("clip_qkv": 8.0)"), "clip_qkv");
        row("clamped queries, null", trained(R"("clip_qkv": null)"), "");
        row("clamped queries, served", servedWith(R"("clip_qkv": 8.0)"), "");
        row("clamped gate", trained(R"("swiglu_limit": 7.0)"), "swiglu_limit");
        Plan clamped = trained(R"("swiglu_limit": 7.0)");
        clamped.model.activation = Activation::ClampedGate;
        row("clamped gate that a formula reads", clamped, "");
        row("alibi", trained(R"("alibi": true)"), "alibi");
        row("no alibi", trained(R"("alibi": false)"), "");
        Plan dropout = trained(R"("attention_dropout": 0.1)");
        row("dropout", dropout, "attention_dropout");
        dropout.activations.attentionDropout = 0.1;
        row("stated dropout", dropout, "");
        Plan quantised = servedWith(R"("quantization_config": {"quant_method": "gptq"})");
        row("quantised checkpoint", quantised, "quantization_config.quant_method");
        quantised.inference.weightFormat = WeightFormat::GptqInt4;
        row("quantised checkpoint with its format", quantised, "");
        Plan bloom = trained("");
        bloom.model = {};
        bloom.model.preset = "bloom-7b1";
        row("a class with the key by default", bloom, "alibi");
        bloom.workload = Workload::Inference;
        row("the same, served", bloom, "");
    }

    void aKeyInEffectIsInTheAnswer()
    {
        QFETCH(Plan, plan);
        QFETCH(QString, key);
        const QString told = toldOf(plan);
        QVERIFY(estimate(plan).computed);
        QVERIFY2(key.isEmpty() ? told.isEmpty() : told.contains(key), qPrintable(told));
    }

    void itLowersTheEvidenceAndWidensTheBand()
    {
        Plan plan = trained("");
        Plan clamped = trained(R"("clip_qkv": 8.0)");
        for (Plan *each : {&plan, &clamped}) {
            each->batch.microBatch = 8; // activations decide
            each->precision.regime = Regime::AutocastBf16;
            each->optimizer.name = OptimizerName::AdamW;
            each->loss = LossKind::HfUpcast;
        }
        plan.overheads.reservedFactor = clamped.overheads.reservedFactor = 1.02;
        const Estimate without = estimate(plan);
        const Estimate with = estimate(clamped);
        QCOMPARE(with.peakAllocated, without.peakAllocated);
        QVERIFY(anyVerified(without, "Activations") && !anyVerified(with, "Activations"));
        QVERIFY(with.uncertaintyHigh > without.uncertaintyHigh);
        QVERIFY(QString::fromStdString(with.bandWidenedBy).contains("clip_qkv"));
    }

    void anotherMomentMayBecomeThePeak()
    {
        const Estimate without = estimate(trained(""));
        const Estimate with = estimate(trained(R"("clip_qkv": 8.0)"));
        QCOMPARE(without.peakAt, std::string("optimizer step"));
        QCOMPARE(with.peakDevice, without.peakDevice);
        Bytes most = 0;
        for (const Moment &moment : with.moments)
            for (const Component &part : moment.components)
                if (part.name == "Saved activations")
                    most = std::max(most, moment.allocated + part.bytes / 4);
        QVERIFY(most > with.peakDevice ? with.uncertaintyHigh > without.uncertaintyHigh
                                       : with.uncertaintyHigh >= without.uncertaintyHigh);
    }

    /// Every row can be reached, and names a category and conditions that exist (asserted).
    void everyRowCounts()
    {
        for (const UncomputedKey &row : uncomputedKeys()) {
            bool isPart = false;
            for (std::size_t i = 0; i < kCategoryCount; ++i)
                isPart |= categoryName(static_cast<Category>(i)) == row.part;
            QVERIFY2(isPart && row.spread > 0 && !row.why.empty(), row.key.c_str());
            const auto names = partsOf(row.key, '.');
            std::string value = "1";
            for (auto name = names.rbegin(); name != names.rend(); ++name)
                value = '"' + std::string(*name) +
                        "\": " + (name == names.rbegin() ? value : '{' + value + '}');
            const bool trains = row.where.starts_with("training");
            const Plan plan = trains ? trained(value) : servedWith(value);
            const auto found = uncomputedKeysOf(plan, resolve(plan).settings);
            QVERIFY2(std::ranges::find(found, &row) != found.end(), row.key.c_str());
        }
    }

    void noKeyIsAlsoListedAsWithoutEffect()
    {
        const auto table = parseCsv(shippedDocument("tools/no_memory.csv"));
        QVERIFY(table);
        for (const CsvRow &row : table->rows)
            for (const UncomputedKey &key : uncomputedKeys())
                QVERIFY2(row.cells[0] != "hf-config" || row.cells[1] != key.key, key.key.c_str());
    }
};

VRAMSCOPE_TEST(TestUncomputedKeys)
#include "tst_uncomputed_keys.moc"
