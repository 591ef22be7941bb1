// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/csv.h"
#include "core/estimate/estimate.h"
#include "core/estimate/formulas/kv_cache.h"
#include "core/model/parameters.h"
#include "core/plan/plan.h"
#include "tests/support/test.h"

#include <QFile>

#include <cmath>

using namespace vramscope;
using namespace Qt::StringLiterals;

namespace {

/// DeepSeek V4 as an engine serves it on eight GPUs.
Plan served(const char *preset, Engine engine)
{
    Plan plan;
    plan.workload = Workload::Inference;
    plan.model.preset = preset;
    plan.hardware.gpu = "h200-sxm-141gb";
    plan.hardware.gpus = plan.parallel.tensor = 8;
    plan.inference.engine = engine;
    plan.inference.maxModelLen = 8192;
    return plan;
}

KvCache cacheOf(const Settings &s)
{
    return kvCacheOf(s, rankOf(s, countParameters(s.architecture), 0));
}

} // namespace

class TestCompressedCaches : public test::Test
{
    Q_OBJECT

private slots:
    void blocksAreThoseOfVllm();
    void tokensOfSglangTakeWhatItsLogsPrint_data();
    void tokensOfSglangTakeWhatItsLogsPrint();
    void poolsOfSglangFillWhatIsLeft_data();
    void poolsOfSglangFillWhatIsLeft();
    void layersWithWindowsAloneMakeAPool();
    void publishedWeightsAreInTwoFormats();
    void otherEnginesAreRefused();
};

/// tests/measure/caches: what vLLM 0.33.0 itself laid out.
void TestCompressedCaches::blocksAreThoseOfVllm()
{
    QFile file(test::projectFile(u"tests/measure/caches/vllm_caches.csv"_s));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const auto table = parseCsv(file.readAll().toStdString());
    QVERIFY(table.ok());
    const auto column = [&](const char *name) {
        return std::size_t(std::ranges::find(table->columns, name) - table->columns.begin());
    };
    int rows = 0;
    for (const CsvRow &row : table->rows) {
        const std::string &model = row.cells[column("model")];
        if (!model.starts_with("deepseek-v4"))
            continue;
        Plan plan = served(model.c_str(), Engine::Vllm);
        plan.hardware.gpus = plan.parallel.tensor = std::stoll(row.cells[column("tp")]);
        const Estimate answer = estimate(plan);
        const BlockPool pool = blockPoolOf(cacheOf(*answer.settings), *answer.settings);
        const auto compare = [&](const char *name, std::int64_t is) {
            QCOMPARE(std::to_string(is), row.cells[column(name)]);
        };
        compare("groups", pool.groups());
        compare("block_bytes", pool.blockBytes.value());
        compare("blocks_20gib", pool.blocksIn(Bytes(20) << 30));
        compare("blocks_8192", pool.blocksOf(8192));
        compare("blocks_131072", pool.blocksOf(131'072));
        ++rows;
    }
    QCOMPARE(rows, 12);
}

void TestCompressedCaches::tokensOfSglangTakeWhatItsLogsPrint_data()
{
    QTest::addColumn<QString>("preset");
    QTest::addColumn<QString>("version");
    QTest::addColumn<bool>("drafts");
    QTest::addColumn<double>("printed"); // bytes_per_full_token
    QTest::newRow("0.5.12") << "deepseek-v4-flash"
                            << "0.5.12" << false << 15'955.85;
    QTest::newRow("0.5.12.post1") << "deepseek-v4-pro"
                                  << "0.5.12.post1" << false << 23'749.84;
    QTest::newRow("0.5.15") << "deepseek-v4-flash"
                            << "0.5.15" << false << 7'705.45;
    QTest::newRow("0.5.20, with a draft") << "deepseek-v4-flash"
                                          << "0.5.20" << true << 9'259.90;
}

void TestCompressedCaches::tokensOfSglangTakeWhatItsLogsPrint()
{
    QFETCH(const QString, preset);
    QFETCH(const QString, version);
    QFETCH(const bool, drafts);
    QFETCH(const double, printed);
    const Estimate answer = estimate(served(preset.toUtf8().constData(), Engine::Sglang));
    Settings s = *answer.settings;
    s.engineVersion = version.toStdString();
    s.speculative.method = drafts ? SpeculativeMethod::Mtp : SpeculativeMethod::None;
    const double bytes = sglangPools(cacheOf(s).compressed, s, Bytes(40) << 30).tokenBytes;
    QCOMPARE(std::round(bytes * 100) / 100, printed);
}

void TestCompressedCaches::poolsOfSglangFillWhatIsLeft_data()
{
    QTest::addColumn<QString>("version");
    for (const char *version : {"0.5.12", "0.5.13", "0.5.15", "0.5.20", "0.5.23"})
        QTest::newRow(version) << version;
}

/// Whatever the release: the pools take the memory, but for less than a page of tokens.
void TestCompressedCaches::poolsOfSglangFillWhatIsLeft()
{
    QFETCH(const QString, version);
    Plan plan = served("deepseek-v4-flash", Engine::Sglang);
    plan.inference.engineVersion = version.toStdString();
    const Estimate answer = estimate(plan);
    QVERIFY(answer.inference);
    const Settings &s = *answer.settings;
    QCOMPARE(s.sglang.pageSize, 256);
    QCOMPARE(s.sglang.maxRunningRequests, 256);
    constexpr Bytes kLeft = Bytes(60) << 30;
    const CompressedPools pools = sglangPools(cacheOf(s).compressed, s, kLeft);
    QVERIFY(pools.tokens > 0);
    QCOMPARE(pools.tokens % 256, 0);
    const Bytes taken = (pools.entries + pools.windows + pools.states + pools.draft).value();
    QVERIFY2(taken <= kLeft && kLeft - taken < 512 * 32'000,
             qPrintable(u"%1 of %2"_s.arg(taken).arg(kLeft)));
    QVERIFY(answer.inference->kvTokens > 0);
}

/// Of a config whose layers are all windows no token takes memory where requests decide.
void TestCompressedCaches::layersWithWindowsAloneMakeAPool()
{
    for (const char *version : {"0.5.12", "0.5.20", "0.5.23"}) {
        Settings s = *estimate(served("deepseek-v4-flash", Engine::Sglang)).settings;
        s.engineVersion = version;
        CompressedCache cache = cacheOf(s).compressed;
        cache.indexedLayers = cache.sparseLayers = 0;
        const CompressedPools pools = sglangPools(cache, s, Bytes(40) << 30);
        QCOMPARE(pools.tokens > 0, pools.tokenBytes > 0);
        QCOMPARE(pools.confirmed, std::string_view(version) != "0.5.23");
        QVERIFY(pools.windows > 0);
    }
}

/// Experts in fp4 with a scale for 32 elements, other linear layers in fp8.
void TestCompressedCaches::publishedWeightsAreInTwoFormats()
{
    const Estimate answer = estimate(served("deepseek-v4-flash", Engine::Sglang));
    const std::int64_t experts = std::int64_t(43) * 256 * 3 * 4096 * 2048;
    const double rest = 284'332'230'231 - double(experts);
    const double least = (double(experts) * 17 / 32 + rest) / 8;
    QVERIFY(double(answer.inference->weights) > least);
    QVERIFY(double(answer.inference->weights) < least * 1.1); // what is whole on every rank
}

void TestCompressedCaches::otherEnginesAreRefused()
{
    for (const Engine engine : {Engine::Hf, Engine::TrtLlm, Engine::LlamaCpp}) {
        const Estimate answer = estimate(served("deepseek-v4-flash", engine));
        QVERIFY(std::ranges::any_of(answer.issues, [](const Issue &issue) {
            return issue.severity == Issue::Severity::Blocking;
        }));
    }
}

VRAMSCOPE_TEST(TestCompressedCaches)
#include "tst_compressed_caches.moc"
