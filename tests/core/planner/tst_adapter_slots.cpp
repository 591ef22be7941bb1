// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/bytes.h"
#include "core/base/csv.h"
#include "core/estimate/estimate.h"
#include "core/plan/plan.h"
#include "tests/support/test.h"

#include <QFile>

#include <algorithm>
#include <cmath>

using namespace vramscope;
using namespace Qt::StringLiterals;

namespace {

std::string fileOf(const QString &path)
{
    QFile file(test::projectFile(path));
    return file.open(QIODevice::ReadOnly) ? file.readAll().toStdString() : std::string();
}

Plan serving(Engine engine, const std::string &config)
{
    Plan plan;
    plan.workload = Workload::Inference;
    plan.model.config = fileOf(u"resources/models/configs/%1.json"_s.arg(config.c_str()));
    plan.hardware.capacity = Bytes(4096) * kGiB;
    plan.inference.engine = engine;
    plan.inference.maxModelLen = 4096;
    plan.inference.maxLoras = 2;
    plan.inference.maxLoraRank = 16;
    return plan;
}

Bytes slotsOf(const Plan &plan)
{
    const Estimate result = estimate(plan);
    for (const Moment &moment : result.moments)
        for (const Component &part : moment.components)
            if (part.name == "Adapter slots")
                return part.bytes;
    return 0;
}

std::string refusalOf(const Plan &plan, std::string_view field)
{
    const Estimate result = estimate(plan);
    const auto found = std::ranges::find_if(result.issues, [&](const Issue &issue) {
        return issue.field == field && issue.severity == Issue::Severity::Blocking;
    });
    return found == result.issues.end() ? std::string() : found->text;
}

} // namespace

class TestAdapterSlots : public test::Test
{
    Q_OBJECT

private slots:
    void slotsAreThoseThatVllmMakes_data();
    void slotsAreThoseThatVllmMakes();
    void loadedModelsAreThoseOfAPublicLog();
    void targetsChooseThePackedMatrices();
    void sglangHasAPoolOfTheSameFactors();
    void modelsWhoseSlotsAreNotKnownAreRefused();
};

// tests/measure/caches/vllm_adapters.py: vLLM 0.33.0's own layers.
void TestAdapterSlots::slotsAreThoseThatVllmMakes_data()
{
    QTest::addColumn<QString>("model");
    QTest::addColumn<int>("tensor");
    QTest::addColumn<bool>("sharded");
    QTest::addColumn<qint64>("bytes");
    const auto table = parseCsv(fileOf(u"tests/measure/caches/vllm_adapters.csv"_s));
    QVERIFY(table.ok() && table->rows.size() > 60);
    const auto cell = [&](const CsvRow &row, std::string_view column) {
        return row.cells[table->column(column).value()];
    };
    for (const CsvRow &row : table->rows) {
        const std::string name = cell(row, "model") + ' ' + cell(row, "tp") +
                                 (cell(row, "fully_sharded") == "yes" ? " sharded" : "");
        QTest::newRow(name.c_str())
            << QString::fromStdString(cell(row, "model")) << std::stoi(cell(row, "tp"))
            << (cell(row, "fully_sharded") == "yes") << qint64(std::stoll(cell(row, "bytes")));
    }
}

void TestAdapterSlots::slotsAreThoseThatVllmMakes()
{
    QFETCH(QString, model);
    QFETCH(int, tensor);
    QFETCH(bool, sharded);
    QFETCH(qint64, bytes);
    Plan plan = serving(Engine::Vllm, model.toStdString());
    plan.hardware.gpus = plan.parallel.tensor = tensor;
    plan.inference.fullyShardedLoras = sharded;
    QCOMPARE(slotsOf(plan), Bytes(bytes));
}

// https://github.com/vllm-project/vllm/pull/28761: "Model loading took 53.9761 GiB memory", and
// 26.9761 GiB once experts' adapters were divided too. The planner's are 0.9 % higher.
void TestAdapterSlots::loadedModelsAreThoseOfAPublicLog()
{
    const auto loaded = [](const char *release) {
        Plan plan = serving(Engine::Vllm, "qwen3-30b-a3b");
        plan.hardware.gpus = plan.parallel.tensor = 4;
        plan.inference.engineVersion = release;
        plan.inference.maxLoras = 16;
        plan.inference.maxLoraRank = 32;
        plan.inference.fullyShardedLoras = true;
        return double(estimate(plan).inference->weights) / kGiB;
    };
    const double whole = loaded("0.11.1");
    const double divided = loaded("0.12.0");
    QVERIFY2(std::abs(whole - divided - 27.0) < 0.001, qPrintable(QString::number(whole)));
    QVERIFY2(std::abs(divided / 26.9761 - 1) < 0.01, qPrintable(QString::number(divided)));
}

void TestAdapterSlots::targetsChooseThePackedMatrices()
{
    Plan plan = serving(Engine::Vllm, "llama-3.1-8b");
    plan.inference.loraTargets = TextList{"q"}; // packed with k and v
    const Bytes each = Bytes(2) * 2 * 16;
    QCOMPARE(slotsOf(plan), each * 32 * (3 * 4096 + 4096 + 2 * 1024));
    plan.inference.loraTargets = TextList{"o", "head"};
    QCOMPARE(slotsOf(plan), each * (Bytes(32) * 2 * 4096 + 4096 + 128256));
}

// sglang/srt/lora/mem_pool.py: no slots for embedding, head and router unless they are targets.
void TestAdapterSlots::sglangHasAPoolOfTheSameFactors()
{
    Plan plan = serving(Engine::Sglang, "llama-3.1-8b");
    const Bytes each = Bytes(2) * 2 * 16;
    const Bytes block = 3 * 4096 + 4096 + 2 * 1024 + 2 * 4096 + 2 * (4096 + 14336) + 14336 + 4096;
    QCOMPARE(slotsOf(plan), each * 32 * block);
    plan.inference.loraTargets = TextList{"head"};
    QCOMPARE(slotsOf(plan), each * (4096 + 128256));
    plan.hardware.gpus = plan.parallel.tensor = 2;
    QCOMPARE(slotsOf(plan), each * (4096 + 128256 / 2));
    const Plan experts = serving(Engine::Sglang, "qwen3-30b-a3b");
    const Bytes attention = 3 * 2048 + 4096 + 2 * 512 + 4096 + 2048;
    QCOMPARE(slotsOf(experts), each * 48 * (attention + Bytes(128) * (3 * 2048 + 3 * 768)));
}

void TestAdapterSlots::modelsWhoseSlotsAreNotKnownAreRefused()
{
    const auto refused = [](Engine engine, const char *config) {
        return refusalOf(serving(engine, config), "inference.max_loras");
    };
    QVERIFY(refused(Engine::Vllm, "llama-3.1-8b").empty());
    QVERIFY(refused(Engine::Vllm, "falcon-7b").find("takes no adapters") != std::string::npos);
    QVERIFY(refused(Engine::Vllm, "granite-4.0-h-tiny").find("is not known") != std::string::npos);
    QVERIFY(refused(Engine::Sglang, "deepseek-v3").find("latent attention") != std::string::npos);
}

VRAMSCOPE_TEST(TestAdapterSlots)
#include "tst_adapter_slots.moc"
