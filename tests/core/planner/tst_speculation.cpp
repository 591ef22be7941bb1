// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/csv.h"
#include "core/estimate/estimate.h"
#include "core/estimate/formulas/speculation.h"
#include "core/plan/plan.h"
#include "tests/support/test.h"

#include <QFile>

#include <map>
#include <set>

using namespace vramscope;
using namespace Qt::StringLiterals;

namespace {

QByteArray draftFile(const QString &name)
{
    QFile file(test::projectFile(u"tests/measure/"_s + name));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

std::string draftConfig(const std::string &model)
{
    const QString name = u"configs/%1.json"_s.arg(QString::fromStdString(model));
    const QByteArray own = draftFile(u"drafts/"_s + name);
    return (own.isEmpty() ? draftFile(u"caches/"_s + name) : own).toStdString();
}

using Row = std::map<std::string, std::string>;

std::vector<Row> draftRows()
{
    std::vector<Row> rows;
    const auto table = parseCsv(draftFile(u"drafts/vllm_drafts.csv"_s).toStdString());
    if (!table.ok())
        return rows;
    for (const CsvRow &line : table->rows) {
        Row &row = rows.emplace_back();
        for (std::size_t at = 0; at < table->columns.size(); ++at)
            row[table->columns[at]] = line.cells[at];
    }
    return rows;
}

SpeculativeMethod draftMethod(const std::string &word)
{
    const auto &words = choiceTexts<SpeculativeMethod>;
    return static_cast<SpeculativeMethod>(std::ranges::find(words, word) - words.begin());
}

Plan servedDraft(const std::string &model, std::int64_t ranks)
{
    Plan plan;
    plan.workload = Workload::Inference;
    plan.model.config = draftConfig(model);
    plan.model.textOnly = true;
    plan.hardware.gpu = "h100-sxm-80gb";
    plan.hardware.gpus = plan.parallel.tensor = ranks;
    plan.inference.engine = Engine::Vllm;
    plan.inference.maxModelLen = 8192;
    return plan;
}

/// What vLLM serves in a row of the table.
Plan servedDraft(const Row &row)
{
    Plan plan = servedDraft(row.at("model"), std::stoll(row.at("tp")));
    plan.inference.prefixCaching = row.at("prefix_caching") != "off";
    plan.inference.speculative.method = draftMethod(row.at("method"));
    plan.inference.speculative.tokens = std::stoll(row.at("tokens"));
    if (!row.at("draft").empty())
        plan.inference.speculative.config = draftConfig(row.at("draft"));
    return plan;
}

Bytes partBytes(const Estimate &estimate, std::string_view name)
{
    for (const Moment &moment : estimate.moments)
        for (const Component &part : moment.components)
            if (part.name == name)
                return part.bytes;
    return 0;
}

std::string draftRefusal(const Estimate &estimate)
{
    const auto found =
        std::ranges::find(estimate.issues, Issue::Severity::Blocking, &Issue::severity);
    return found == estimate.issues.end() ? std::string() : found->field + ": " + found->text;
}

PlanSpeculation draftedBy(SpeculativeMethod method)
{
    PlanSpeculation draft;
    draft.method = method;
    return draft;
}

/// Llama 3.1 8B on one GPU with a draft from the catalogue.
Plan draftedPlan(Engine engine)
{
    Plan plan;
    plan.workload = Workload::Inference;
    plan.model.preset = "llama-3.1-8b";
    plan.hardware.gpu = "h100-sxm-80gb";
    plan.inference.engine = engine;
    plan.inference.maxModelLen = plan.inference.meanSequenceLength = 4096;
    plan.inference.speculative.method = SpeculativeMethod::DraftModel;
    plan.inference.speculative.model = "llama-3.2-1b";
    return plan;
}

} // namespace

class TestSpeculation : public test::Test
{
    Q_OBJECT

private slots:
    void draftsAndPoolsAreThoseOfVllm();
    void withoutSpeculationNothingChanges();
    void everyEngineCountsADraftModelAndItsCache();
    void aHeadReadsTheModelsEmbeddingAndOutput();
    void textIsDraftedFromWithoutWeights();
    void checkingTakesMoreThanTheProfileRunShows();
    void whatIsNotKnownIsRefusedAtItsField_data();
    void whatIsNotKnownIsRefusedAtItsField();
    void countedModulesAreNotSaidToBeMissing();
    void modulesAreWhatPublishedFilesHoldBesideTheModel_data();
    void modulesAreWhatPublishedFilesHoldBesideTheModel();
};

void TestSpeculation::draftsAndPoolsAreThoseOfVllm()
{
    std::set<std::string> pairs;
    int rows = 0;
    for (Row &row : draftRows()) {
        if (row["model"] == "mimo-v2-flash")
            continue; // its module slides: refused
        const Estimate answer = estimate(servedDraft(row));
        const std::string what = row["model"] + ' ' + row["method"] + " tp " + row["tp"] +
                                 " prefix " + row["prefix_caching"];
        QVERIFY2(draftRefusal(answer).empty(), (what + ": " + draftRefusal(answer)).c_str());
        const Settings &s = *answer.settings;
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
        std::int64_t parameters = 0;
        if (s.draft) {
            const RankInventory held = draftRankOf(s).rank;
            parameters = held.parameters() - held.embedding - held.head;
        }
        compare("draft_parameters", parameters);
        if (cache.stateLayers > 0)
            compare("state_bytes_layer", cache.stateBytes.value());
        compare("block_tokens", pool.blockSize);
        compare("groups", pool.groups());
        compare("block_bytes", pool.blockBytes.value());
        compare("blocks_20gib", pool.blocksIn(Bytes(20) << 30));
        compare("blocks_8192", pool.blocksOf(8192));
        compare("blocks_131072", pool.blocksOf(131'072));
        pairs.insert(row["model"] + row["method"]);
        ++rows;
    }
    qInfo("%d rows of %d pairs", rows, int(pairs.size()));
    QVERIFY(pairs.size() >= 18);
}

void TestSpeculation::withoutSpeculationNothingChanges()
{
    Plan plan = draftedPlan(Engine::Vllm);
    plan.inference.speculative = {};
    const std::int64_t before = estimate(plan).inference->kvBlocks;
    plan.inference.speculative.method = SpeculativeMethod::None;
    plan.inference.speculative.tokens = 8;
    QCOMPARE(estimate(plan).inference->kvBlocks, before);
}

void TestSpeculation::everyEngineCountsADraftModelAndItsCache()
{
    for (const Engine engine : {Engine::Vllm, Engine::Hf, Engine::LlamaCpp, Engine::Plain}) {
        const Estimate with = estimate(draftedPlan(engine));
        QVERIFY2(with.computed, draftRefusal(with).c_str());
        // llama.cpp keeps the 33 norms of 2,048 in 32 bit.
        const Bytes more = engine == Engine::LlamaCpp ? Bytes(2) * 33 * 2048 : 0;
        QCOMPARE(partBytes(with, "Weights of the draft model"), Bytes(2) * 1'235'814'400 + more);
        // 16 layers of 8 heads of 64, keys and values of 2 bytes; the model's 32 of 8 of 128.
        QCOMPARE(with.inference->kvBytesPerToken, Bytes(32'768 + 131'072));
        if (engine != Engine::Vllm)
            QCOMPARE(partBytes(with, "Draft's cache"), Bytes(32'768) * 4096);
    }
}

void TestSpeculation::aHeadReadsTheModelsEmbeddingAndOutput()
{
    Plan plan = servedDraft("llama-3.1-8b", 1);
    plan.inference.speculative.method = SpeculativeMethod::Eagle3;
    plan.inference.speculative.config = draftConfig("eagle3-llama3.1-8b");
    const Estimate head = estimate(plan);
    QVERIFY2(head.computed, draftRefusal(head).c_str());
    // What vLLM allocates beside the ends, and its own output of 32,000 rows.
    QCOMPARE(partBytes(head, "Weights of the draft head"),
             Bytes(2) * (293'617'664 + std::int64_t(32'000) * 4096));
    QCOMPARE(partBytes(head, "Tables of the draft"), Bytes(8) * 32'000);
    // The draft's input and three hidden states of 8192 tokens.
    QCOMPARE(partBytes(head, "Hidden states for the draft"), Bytes(2) * 4 * 4096 * 8192);
}

void TestSpeculation::textIsDraftedFromWithoutWeights()
{
    Plan plan = draftedPlan(Engine::Vllm);
    plan.inference.speculative = {};
    const Estimate alone = estimate(plan);
    plan.inference.speculative.method = SpeculativeMethod::Ngram;
    const Estimate text = estimate(plan);
    QVERIFY(text.computed);
    QCOMPARE(text.inference->weights, alone.inference->weights);
    QCOMPARE(text.inference->kvCache, alone.inference->kvCache);
}

void TestSpeculation::checkingTakesMoreThanTheProfileRunShows()
{
    Plan plan = draftedPlan(Engine::Vllm);
    plan.inference.maxNumSeqs = 256;
    plan.inference.speculative.tokens = 1;
    const auto logits = [&](std::int64_t tokens) -> Bytes {
        plan.inference.speculative.tokens = tokens;
        return partBytes(estimate(plan), "Logits of drafted tokens");
    };
    QVERIFY(logits(15) > logits(7));
    QCOMPARE(logits(15) - logits(7), Bytes(14) * 8 * 256 * 128'256);
}

void TestSpeculation::whatIsNotKnownIsRefusedAtItsField_data()
{
    QTest::addColumn<QByteArray>("change");
    QTest::addColumn<QByteArray>("says");
    const auto row = [](const char *change, const char *says) {
        QTest::newRow(change) << QByteArray(change) << QByteArray(says);
    };
    row("no draft", "inference.speculative.model: Name the model that drafts");
    row("unknown draft", "inference.speculative.model: The draft: ");
    row("modules of Llama", "inference.speculative.method: The prediction modules of models");
    row("modules in transformers", "inference.speculative.method: EAGLE heads and prediction");
    row("a head of the catalogue", "inference.speculative.model: A head is no model");
    row("two stages", "parallel.pipeline: A draft is computed beside a model on one");
    row("two sequences", "inference.concurrent_sequences: transformers speculates for one");
    row("states in transformers", "inference.speculative.method: Speculation with layers that");
    row("sliding layers", "inference.speculative.method: How vLLM groups the layers");
    row("short convolutions", "inference.speculative.method: How many states vLLM keeps");
    row("another cache", "inference.speculative.method: The layers of this draft keep");
}

void TestSpeculation::whatIsNotKnownIsRefusedAtItsField()
{
    QFETCH(QByteArray, change);
    QFETCH(QByteArray, says);
    Plan plan = draftedPlan(Engine::Vllm);
    PlanSpeculation &draft = plan.inference.speculative;
    if (change == "no draft")
        draft.model.reset();
    else if (change == "unknown draft")
        draft.model = "no-such-model";
    else if (change == "modules of Llama")
        draft = draftedBy(SpeculativeMethod::Mtp);
    else if (change == "modules in transformers") {
        plan.model.preset = "deepseek-v3";
        plan.inference.engine = Engine::Hf;
        draft = draftedBy(SpeculativeMethod::Mtp);
    } else if (change == "a head of the catalogue")
        draft.method = SpeculativeMethod::Eagle;
    else if (change == "two stages")
        plan.hardware.gpus = plan.parallel.pipeline = 2;
    else if (change == "two sequences") {
        plan.inference.engine = Engine::Hf;
        plan.inference.concurrentSequences = 2;
    } else if (change == "states in transformers") {
        plan.model.preset = "qwen3-next-80b-a3b";
        plan.inference.engine = Engine::Hf;
    } else if (change == "sliding layers")
        plan.model.preset = "gemma-3-27b";
    else if (change == "short convolutions") {
        plan.model.preset = "lfm2-1.2b";
        draft = draftedBy(SpeculativeMethod::Ngram);
    } else if (change == "another cache")
        plan.model = {.preset = {}, .config = draftConfig("qwen3-next-80b-a3b")};
    const Estimate answer = estimate(plan);
    QVERIFY(!answer.computed);
    const std::string refused = draftRefusal(answer);
    QVERIFY2(refused.starts_with(says.toStdString()), refused.c_str());
}

void TestSpeculation::countedModulesAreNotSaidToBeMissing()
{
    const auto missing = [](const Plan &plan) {
        const Estimate answer = estimate(plan);
        return std::ranges::any_of(answer.issues, [](const Issue &issue) {
            return issue.text.find("prediction is not counted") != std::string::npos;
        });
    };
    for (const char *model : {"deepseek-v3", "glm-4.5"}) {
        Plan plan = draftedPlan(Engine::Vllm);
        plan.model.preset = model;
        plan.hardware.gpus = plan.parallel.tensor = 8;
        plan.inference.speculative = {};
        QVERIFY(missing(plan));
        plan.inference.speculative.method = SpeculativeMethod::Mtp;
        QVERIFY(!missing(plan));
    }
}

void TestSpeculation::modulesAreWhatPublishedFilesHoldBesideTheModel_data()
{
    QTest::addColumn<qint64>("file");
    QTest::addColumn<qint64>("repeated");
    const auto row = [](const char *model, qint64 file, qint64 repeated = 0) {
        QTest::newRow(model) << file << repeated;
    };
    // Values in the safetensors files, scales aside, and embedding and head where they hold these
    // once more for the module.
    row("deepseek-v3", 684'531'386'000 - 41'540'496, qint64(2) * 129'280 * 7168);
    row("glm-4.5", 358'337'791'296, qint64(2) * 151'552 * 5120);
    row("glm-4.6", 356'785'898'816);
    row("glm-5", 753'864'139'008);
    row("qwen3-next-80b-a3b", 81'324'862'720);
    row("ernie-4.5-300b-a47b", 300'474'051'776);
    row("hy3-preview", 298'786'155'776);
    row("mimo-7b", 7'833'409'536);
}

void TestSpeculation::modulesAreWhatPublishedFilesHoldBesideTheModel()
{
    QFETCH(qint64, file);
    QFETCH(qint64, repeated);
    Plan plan = draftedPlan(Engine::Vllm);
    plan.model.preset = QTest::currentDataTag();
    plan.inference.speculative = draftedBy(SpeculativeMethod::Mtp);
    const Settings s = resolve(plan).settings;
    QVERIFY(s.draft);
    const std::int64_t model = countParameters(s.architecture).total;
    QCOMPARE(model + draftRankOf(s).rank.parameters() + repeated, std::int64_t(file));
}

VRAMSCOPE_TEST(TestSpeculation)
#include "tst_speculation.moc"
