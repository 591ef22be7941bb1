// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/csv.h"
#include "core/estimate/estimate.h"
#include "core/estimate/formulas/kv_cache.h"
#include "core/model/parameters.h"
#include "core/plan/plan.h"
#include "tests/support/test.h"

#include <QFile>

#include <map>
#include <set>

using namespace vramscope;
using namespace Qt::StringLiterals;

// tests/measure/caches: what vLLM 0.33.0 itself laid out for models that keep states.
namespace {

QByteArray cacheFile(const QString &name)
{
    QFile file(test::projectFile(u"tests/measure/caches/"_s + name));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

using Row = std::map<std::string, std::string>;

/// The rows of vLLM's layouts by the names of their columns; none where the table does not read.
std::vector<Row> cacheRows()
{
    std::vector<Row> rows;
    const auto table = parseCsv(cacheFile(u"vllm_caches.csv"_s).toStdString());
    if (!table.ok())
        return rows;
    for (const CsvRow &line : table->rows) {
        Row &row = rows.emplace_back();
        for (std::size_t at = 0; at < table->columns.size(); ++at)
            row[table->columns[at]] = line.cells[at];
    }
    return rows;
}

/// A model as vLLM serves it in a row of the table.
Plan served(const Row &row)
{
    Plan plan;
    plan.workload = Workload::Inference;
    plan.model.config =
        cacheFile(u"configs/%1.json"_s.arg(QString::fromStdString(row.at("model")))).toStdString();
    plan.hardware.gpu = "h100-sxm-80gb";
    plan.hardware.gpus = plan.parallel.tensor = std::stoll(row.at("tp"));
    plan.inference.engine = Engine::Vllm;
    plan.inference.maxModelLen = 8192;
    plan.inference.blockSize = 16;
    plan.inference.prefixCaching = row.at("prefix_caching") != "off";
    if (row.at("cache_dtype") != "auto")
        plan.inference.kvBytesPerElement = 1;
    return plan;
}

} // namespace

class TestStateCaches : public test::Test
{
    Q_OBJECT

private slots:
    void statesAndBlocksAreThoseOfVllm();
    void windowsShareThePassingBatch();
    void theIndexOfSparseAttentionIsThatOfVllm();
    void layersOfTwoShapesDrawFromOnePoolAsInVllm();
    void aStateTakesNoMoreWhenTheSequenceGrows();
    void kimiK3IsCountedAsByVllm();
};

void TestStateCaches::statesAndBlocksAreThoseOfVllm()
{
    std::set<std::string> models;
    int rows = 0;
    for (Row &row : cacheRows()) {
        // Drafts and fp8 kernels of MLA are not computed.
        const bool mlaInFp8 = row["model"].starts_with("kimi") && row["cache_dtype"] != "auto";
        if (row["state_layers"] == "0" || mlaInFp8)
            continue;
        const Estimate answer = estimate(served(row));
        const std::string what = row["model"] + " tp " + row["tp"] + ' ' + row["cache_dtype"] +
                                 " prefix " + row["prefix_caching"];
        const Settings &s = *answer.settings;
        QVERIFY2(s.architecture.layers > 0,
                 (what + (answer.issues.empty() ? "" : ": " + answer.issues.front().text)).c_str());
        const RankInventory rank = rankOf(s, countParameters(s.architecture), 0);
        const KvCache cache = kvCacheOf(s, rank);
        const BlockPool pool = blockPoolOf(cache, s);
        const auto compare = [&](const char *column, std::int64_t is) {
            QVERIFY2(std::to_string(is) == row[column],
                     qPrintable(u"%1: %2 is %3 instead of %4"_s
                                    .arg(QString::fromStdString(what), QString::fromUtf8(column))
                                    .arg(is)
                                    .arg(QString::fromStdString(row[column]))));
        };
        compare("state_layers", cache.stateLayers);
        compare("state_bytes_layer", cache.stateBytes.value());
        compare("state_bytes_sequence", cache.states(1).value());
        if (cache.fullLayers > 0)
            compare("block_tokens", pool.blockSize);
        compare("groups", pool.groups());
        compare("block_bytes", pool.blockBytes.value());
        compare("blocks_20gib", pool.blocksIn(Bytes(20) << 30));
        compare("blocks_8192", pool.blocksOf(8192));
        compare("blocks_131072", pool.blocksOf(131'072));
        models.insert(row["model"]);
        ++rows;
    }
    qInfo("%d rows of %d models", rows, int(models.size()));
    QVERIFY(models.size() >= 20);
}

/// Of many sequences each keeps its window between passes, and one batch passes at a time.
void TestStateCaches::windowsShareThePassingBatch()
{
    BlockPool pool;
    pool.groupSize = 18;
    pool.fullGroups = pool.windowGroups = 1;
    pool.window = 128;
    pool.windowTokens = 127 + 8192;
    constexpr std::int64_t kFull = 10'240 / 16;
    constexpr std::int64_t kWindow = 128 / 16 + 1; // it may begin within a block
    constexpr std::int64_t kPassing = 512;         // ⌈(127 + 8,192 - 128) / 16⌉
    QCOMPARE(pool.blocksOfLoad(100, 10'240).value(), 100 * (kFull + kWindow) + kPassing);
    QCOMPARE(pool.blocksOfLoad(1, 10'240).value(), pool.blocksOf(10'240)); // one passes whole
    QCOMPARE(pool.blocksOfLoad(3, 64).value(), 3 * pool.blocksOf(64));
    pool.windowGroups = 0;
    QCOMPARE(pool.blocksOfLoad(100, 10'240).value(), 100 * kFull);
}

void TestStateCaches::theIndexOfSparseAttentionIsThatOfVllm()
{
    int rows = 0;
    for (Row &row : cacheRows()) {
        const bool sparse = row["model"] == "deepseek-v3.2" || row["model"] == "glm-5";
        if (!sparse || row["cache_dtype"] != "auto")
            continue;
        const Estimate answer = estimate(served(row));
        const Settings &s = *answer.settings;
        const RankInventory rank = rankOf(s, countParameters(s.architecture), 0);
        const BlockPool pool = blockPoolOf(kvCacheOf(s, rank), s);
        QCOMPARE(std::to_string(pool.blockBytes.value()), row["block_bytes"]);
        QCOMPARE(std::to_string(pool.blocksIn(Bytes(20) << 30)), row["blocks_20gib"]);
        QCOMPARE(std::to_string(pool.blocksOf(131'072)), row["blocks_131072"]);
        ++rows;
    }
    QVERIFY(rows >= 4);
}

void TestStateCaches::layersOfTwoShapesDrawFromOnePoolAsInVllm()
{
    const std::map<std::string, std::int64_t> kTwoShapes = {
        {"gemma-4-26b-a4b", 25'233'141'760}, {"gemma-3n-e2b", 4'435'182'688},
        {"gemma-4-e2b", 4'628'569'344},      {"laguna-xs.2", 33'442'617'088},
        {"mimo-v2-flash", 308'778'780'864},  {"step-3.5-flash", 196'956'130'368}};
    int rows = 0;
    for (Row &row : cacheRows()) {
        const auto expected = kTwoShapes.find(row["model"]);
        const bool ownInputs = row["model"] == "gemma-3n-e2b" || row["model"] == "gemma-4-e2b";
        if (expected == kTwoShapes.end() || (ownInputs && row["tp"] != "1"))
            continue;
        const Estimate answer = estimate(served(row));
        QCOMPARE(answer.parametersTotal, expected->second);
        const Settings &s = *answer.settings;
        const RankInventory rank = rankOf(s, countParameters(s.architecture), 0);
        const BlockPool pool = blockPoolOf(kvCacheOf(s, rank), s);
        QCOMPARE(std::to_string(pool.groups()), row["groups"]);
        QCOMPARE(std::to_string(pool.blockBytes.value()), row["block_bytes"]);
        QCOMPARE(std::to_string(pool.blocksIn(Bytes(20) << 30)), row["blocks_20gib"]);
        QCOMPARE(std::to_string(pool.blocksOf(8192)), row["blocks_8192"]);
        QCOMPARE(std::to_string(pool.blocksOf(131'072)), row["blocks_131072"]);
        ++rows;
    }
    QVERIFY(rows >= 28);
}

void TestStateCaches::aStateTakesNoMoreWhenTheSequenceGrows()
{
    KvCache cache;
    cache.perLayer = cache.perFullLayer = 512;
    cache.fullLayers = 12;
    cache.stateLayers = 36;
    cache.stateBytes = 1'000'000;
    QCOMPARE(cache.bytes(2, 0).value(), std::int64_t(72'000'000));
    QCOMPARE((cache.bytes(2, 100).value() - cache.bytes(2, 0).value()),
             std::int64_t(2 * 100 * 12 * 512 * 2));
}

/// Parameters of vLLM 0.33.0's class, without the routers' corrections, which the others of its
/// kind keep as buffers; its experts alone are published in MXFP4.
void TestStateCaches::kimiK3IsCountedAsByVllm()
{
    Plan plan;
    plan.workload = Workload::Inference;
    plan.model.preset = "kimi-k3";
    plan.hardware.gpu = "b300-sxm-288gb";
    plan.hardware.gpus = plan.parallel.tensor = 8;
    const Estimate answer = estimate(plan);
    constexpr std::int64_t kCorrections = std::int64_t(92) * 896;
    QCOMPARE(answer.parametersTotal, 2'779'931'834'976 - kCorrections);
    constexpr std::int64_t kExperts = std::int64_t(92) * 896 * 3 * 3072 * 3584;
    const double least = double(kExperts) * 17 / 32 + 2 * double(2'779'931'834'976 - kExperts);
    QVERIFY(double(answer.inference->weights) * 8 > least);
    QVERIFY(double(answer.inference->weights) * 8 < least * 1.1);
}

VRAMSCOPE_TEST(TestStateCaches)
#include "tst_state_caches.moc"
