// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/estimate.h"
#include "core/estimate/formulas/kv_cache.h"
#include "core/model/model_parts.h"
#include "core/model/parameters.h"
#include "core/plan/plan.h"
#include "tests/core/planner/sample_plans.h"
#include "tests/support/measured_table.h"
#include "tests/support/test.h"

#include <QFile>

#include <functional>

using namespace vramscope;
using namespace vramscope::test;
using namespace Qt::StringLiterals;

// RWKV 7, whose layers are all recurrent, and Zamba, whose layers share blocks that attend.
namespace {

std::string countedConfig(const QString &name)
{
    QFile file(projectFile(u"tests/measure/models/%1.json"_s.arg(name)));
    return file.open(QIODevice::ReadOnly) ? file.readAll().toStdString() : std::string();
}

Plan servedBy(Engine engine, const QString &name)
{
    Plan plan;
    plan.workload = Workload::Inference;
    plan.model.config = countedConfig(name);
    plan.hardware.gpu = "h100-sxm-80gb";
    plan.inference.engine = engine;
    plan.inference.maxModelLen = 4096;
    return plan;
}

Plan trained(const QString &name)
{
    Plan plan = shardedPlan(8, Strategy::Fsdp2);
    plan.model.preset.reset();
    plan.model.config = countedConfig(name);
    plan.activations.checkpointing = Checkpointing::Full;
    return plan;
}

KvCache cacheOf(const Plan &plan)
{
    const Settings s = *estimate(plan).settings;
    return kvCacheOf(s, rankOf(s, countParameters(s.architecture), 0));
}

/// The field that a plan is refused at, and why; empty where it is computed.
std::pair<std::string, std::string> refusal(const Plan &plan)
{
    for (const Issue &issue : estimate(plan).issues)
        if (issue.severity == Issue::Severity::Blocking)
            return {issue.field, issue.text};
    return {};
}

} // namespace

class TestRecurrentModels : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void whatTransformersKeepsBetweenTokensIsMetToTheByte();
    void llamaCppKeepsTheStateOfRwkvInFp32();
    void theFirstBlockOfRwkvDiffersFromTheOthers();
    void enginesWithoutAClassAreRefused();
    void whatNobodyMeasuredOfRwkvIsRefusedWhereItStands();
    void layersOfRwkvThatAttendAreReadOrRefused();
    void blocksThatLayersShareCountOnce();
    void lingIsTakenForNoOlderLing();
};

void TestRecurrentModels::whatTransformersKeepsBetweenTokensIsMetToTheByte()
{
    const auto rows = readTable(projectFile(u"tests/data/hf_states.csv"_s));
    QVERIFY(rows.size() >= 7);
    for (const TableRow &row : rows) {
        const Plan plan = servedBy(Engine::Hf, row.text("config"));
        QVERIFY2(refusal(plan).first.empty(),
                 qPrintable(row.text("config") + QString::fromStdString(refusal(plan).second)));
        const KvCache cache = cacheOf(plan);
        const std::int64_t sequences = row.number("sequences");
        const std::int64_t states = row.number("convolution") + row.number("recurrent");
        const Exact all = cache.bytes(sequences, row.number("tokens"));
        QVERIFY2(cache.states(sequences).value() == states, qPrintable(row.text("config")));
        QVERIFY2(all.value() - states == row.number("attention"), qPrintable(row.text("config")));
    }
}

void TestRecurrentModels::llamaCppKeepsTheStateOfRwkvInFp32()
{
    // src/llama-hparams.cpp: two vectors and 64 columns of the hidden size a layer.
    const KvCache cache = cacheOf(servedBy(Engine::LlamaCpp, u"fla/rwkv7-0.1b"_s));
    QCOMPARE(cache.states(1).value(), 12LL * 4 * (2 * 768 + 64 * 768));
    QCOMPARE(cache.bytes(1, 1).value(), cache.bytes(1, 100'000).value());
}

void TestRecurrentModels::theFirstBlockOfRwkvDiffersFromTheOthers()
{
    const Settings s = *estimate(servedBy(Engine::Hf, u"fla/rwkv7-0.1b"_s)).settings;
    const ParameterCounts counts = countParameters(s.architecture);
    QCOMPARE(counts.groups.size(), std::size_t(2));
    QCOMPARE(counts.groups.front().count, 1);
    // A norm of the embedding more, a pair of low rank with its bias less.
    QCOMPARE(counts.groups.front().each.total() - counts.groups.back().each.total(),
             2 * 768 - (2 * 768 * 32 + 768));
}

void TestRecurrentModels::enginesWithoutAClassAreRefused()
{
    const QString rwkv = u"fla/rwkv7-0.1b"_s;
    const QString zamba = u"registry/zamba-small"_s;
    const QString zamba2 = u"registry/zamba2-blocks-2"_s;
    const std::string engine = "inference.engine";
    QCOMPARE(refusal(servedBy(Engine::Vllm, rwkv)).first, engine);
    QVERIFY(refusal(servedBy(Engine::Vllm, rwkv)).second.find("hf or llama.cpp") !=
            std::string::npos);
    QCOMPARE(refusal(servedBy(Engine::LlamaCpp, rwkv)).first, std::string());
    QCOMPARE(refusal(servedBy(Engine::Vllm, zamba)).first, engine);
    QCOMPARE(refusal(servedBy(Engine::LlamaCpp, zamba)).first, engine);
    QCOMPARE(refusal(servedBy(Engine::Vllm, zamba2)).first, std::string());
    QCOMPARE(refusal(servedBy(Engine::LlamaCpp, zamba2)).first, engine);
}

void TestRecurrentModels::whatNobodyMeasuredOfRwkvIsRefusedWhereItStands()
{
    QCOMPARE(refusal(trained(u"fla/rwkv7-1.5b"_s)).first, std::string());
    QCOMPARE(refusal(trained(u"fla/rwkv7-hybrid"_s)).first, std::string("workload"));
    const std::vector<std::pair<std::string, std::function<void(Plan &)>>> changes = {
        {"precision.regime",
         [](Plan &plan) {
             plan.precision.regime = Regime::AutocastBf16;
             plan.precision.weightBytes = 2;
         }},
        {"parallel.tensor",
         [](Plan &plan) {
             plan.parallel.tensor = 2;
             plan.parallel.data = 4;
         }},
        {"adapters.kind", [](Plan &plan) {
             plan.adapters.kind = AdapterKind::Lora;
             plan.adapters.targets = {"q", "v"};
         }}};
    for (const auto &[field, change] : changes) {
        Plan plan = trained(u"fla/rwkv7-1.5b"_s);
        change(plan);
        QCOMPARE(refusal(plan).first, field);
    }
    Plan served = servedBy(Engine::Hf, u"fla/rwkv7-1.5b"_s);
    served.hardware.gpus = served.parallel.tensor = 2;
    QCOMPARE(refusal(served).first, std::string("parallel.tensor"));
}

void TestRecurrentModels::layersOfRwkvThatAttendAreReadOrRefused()
{
    QCOMPARE(refusal(servedBy(Engine::Hf, u"fla/rwkv7-hybrid"_s)).first, std::string());
    for (const char *attn :
         {R"([{"layers": [2], "num_heads": 6}])", R"({"num_heads": 6})",
          R"({"layers": [0], "num_heads": 6})", R"({"layers": [9], "num_heads": 6})",
          R"({"layers": [2], "num_heads": 6, "num_kv_heads": 4})"}) {
        Plan plan = servedBy(Engine::Hf, u"fla/rwkv7-small"_s);
        QString config = QString::fromStdString(*plan.model.config);
        config.replace(u"\"attn\": null"_s, u"\"attn\": "_s + QString::fromLatin1(attn));
        plan.model.config = config.toStdString();
        QVERIFY2(refusal(plan).second.find("model.config.attn") != std::string::npos, attn);
    }
}

void TestRecurrentModels::blocksThatLayersShareCountOnce()
{
    const Settings s = *estimate(servedBy(Engine::Hf, u"registry/zamba2-blocks-2"_s)).settings;
    std::int64_t attending = 0;
    std::int64_t sharing = 0;
    for (const BlockGroup &group : countParameters(s.architecture).groups) {
        attending += group.kind.attends() ? group.count : 0;
        sharing += group.kind.turn == BlockTurn::Again ? group.count : 0;
    }
    QCOMPARE(attending, 3); // of which the first two hold weights
    QCOMPARE(sharing, 1);
    std::int64_t sum = 0;
    for (const ModelPartCount &part : modelParts(s.architecture))
        sum += part.count;
    QCOMPARE(sum, countParameters(s.architecture).total);

    Plan staged = servedBy(Engine::Hf, u"registry/zamba2-blocks-2"_s);
    staged.hardware.gpus = staged.parallel.pipeline = 2;
    QCOMPARE(refusal(staged).first, std::string("parallel.pipeline"));
    QCOMPARE(refusal(trained(u"registry/zamba2-blocks-2"_s)).first, std::string("workload"));
}

void TestRecurrentModels::lingIsTakenForNoOlderLing()
{
    Plan plan = servedBy(Engine::Hf, u"registry/bailing_hybrid-groups-2"_s);
    QCOMPARE(refusal(plan).first, std::string());
    QString config = QString::fromStdString(*plan.model.config);
    config.replace(u"kda_"_s, u"lightning_"_s);
    plan.model.config = config.toStdString();
    QVERIFY(refusal(plan).second.find("Ling 2.5") != std::string::npos);
}

VRAMSCOPE_TEST(TestRecurrentModels)
#include "tst_recurrent_models.moc"
