// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalog/empirical.h"
#include "core/catalog/formats.h"
#include "core/catalog/gpus.h"
#include "core/catalog/model_types.h"
#include "core/catalog/models.h"
#include "core/planner/choices.h"
#include "core/planner/parameters.h"
#include "tests/support/measured_table.h"
#include "tests/support/test.h"

#include <map>
#include <set>

using namespace vramscope;

namespace {

struct Published
{
    const char *name;
    qint64 total;
    qint64 active; ///< 0: all of them
};

// As counted from the published weights; active ones where experts rest.
constexpr Published kPublished[] = {
    {"gpt2", 124439808, 0},
    {"gpt2-medium", 354823168, 0},
    {"gpt2-large", 774030080, 0},
    {"gpt2-xl", 1557611200, 0},
    {"llama-2-7b", 6738415616, 0},
    {"llama-2-13b", 13015864320, 0},
    {"llama-2-70b", 68976648192, 0},
    {"codellama-7b", 6738546688, 0},
    {"codellama-34b", 33743970304, 0},
    {"yi-34b", 34388917248, 0},
    {"llama-3-8b", 8030261248, 0},
    {"llama-3.1-8b", 8030261248, 0},
    {"llama-3.1-70b", 70553706496, 0},
    {"llama-3.1-405b", 405853388800, 0},
    {"llama-3.2-1b", 1235814400, 0},
    {"llama-3.2-3b", 3212749824, 0},
    {"tinyllama-1.1b", 1100048384, 0},
    {"mistral-7b-v0.1", 7241732096, 0},
    {"mistral-7b-v0.3", 7248023552, 0},
    {"mixtral-8x7b", 46702792704, 12879925248},
    {"mixtral-8x22b", 140620634112, 39152031744},
    {"qwen2.5-0.5b", 494032768, 0},
    {"qwen2.5-1.5b", 1543714304, 0},
    {"qwen2.5-7b", 7615616512, 0},
    {"qwen2.5-14b", 14770033664, 0},
    {"qwen2.5-32b", 32763876352, 0},
    {"qwen2.5-72b", 72706203648, 0},
    {"qwen3-0.6b", 596049920, 0},
    {"qwen3-8b", 8190735360, 0},
    {"qwen3-32b", 32762123264, 0},
    {"qwen3-30b-a3b", 30532122624, 3353032704},
    {"qwen3-235b-a22b", 235093634560, 22190763520},
    {"deepseek-v3", 671026419200, 37552297472},
    {"deepseek-v2-lite", 15706484224, 2661150208},
    {"kimi-k2", 1026408232448, 32861500928},
    {"gpt-oss-20b", 20914757184, 4187440704},
    {"gpt-oss-120b", 116829156672, 5711982912},
    {"phi-4", 14659507200, 0},
    {"phi-3-mini", 3821079552, 0},
    {"phi-2", 2779683840, 0},
    {"phi-1.5", 1418270720, 0},
    {"gemma-2b", 2506172416, 0},
    {"gemma-7b", 8537680896, 0},
    {"gemma-2-2b", 2614341888, 0},
    {"gemma-2-9b", 9241705984, 0},
    {"gemma-2-27b", 27227128320, 0},
    {"gemma-3-1b", 999885952, 0},
    {"gemma-3-27b", 27009346304, 0},
    {"bert-base-uncased", 109482240, 0},
    {"bert-base-cased", 108310272, 0},
    {"bert-large-uncased", 335141888, 0},
};

QString slidingText(const Architecture &it)
{
    if (it.slidingLayers.empty())
        return {};
    const bool pairs = it.slidingLayers[0] && !it.slidingLayers[1];
    return pairs ? QStringLiteral("alternating sliding,full")
                 : QStringLiteral("5 sliding : 1 full");
}

QString biasText(const Biases &bias)
{
    QStringList words;
    const std::pair<bool, const char *> all[] = {{bias.qkv, "qkv"},       {bias.o, "o"},
                                                 {bias.mlp, "mlp"},       {bias.head, "head"},
                                                 {bias.expert, "expert"}, {bias.router, "router"}};
    for (const auto &[set, word] : all) {
        if (set)
            words << QString::fromLatin1(word);
    }
    return words.join(u' ');
}

} // namespace

class TestCatalog : public test::Test
{
    Q_OBJECT

private slots:
    void everyPresetCountsThePublishedParameters_data();
    void everyPresetCountsThePublishedParameters();
    void thePresetsAgreeWithTheMeasuredTable();
    void theGpusAgreeWithTheMeasuredTable();
    void namesAreUniqueAndFamiliesStandTogether();
    void everyFormatOfAPlanHasAStorage();
    void formatsTakeTheirPublishedBytesPerWeight();
    void modelTypesAreFoundByName();
    void everyConstantReadOffRunsHasARangeAndASource();
};

void TestCatalog::everyPresetCountsThePublishedParameters_data()
{
    QTest::addColumn<qint64>("total");
    QTest::addColumn<qint64>("active");
    for (const Published &row : kPublished)
        QTest::newRow(row.name) << row.total << (row.active ? row.active : row.total);
    QCOMPARE(modelPresets().size(), std::size(kPublished));
}

void TestCatalog::everyPresetCountsThePublishedParameters()
{
    const ModelPreset *preset = findModelPreset(QTest::currentDataTag());
    QVERIFY(preset);
    const ParameterCounts counts = countParameters(preset->architecture);
    QTEST(qint64(counts.total), "total");
    QTEST(qint64(counts.active), "active");
}

void TestCatalog::thePresetsAgreeWithTheMeasuredTable()
{
    const QString folder = test::measuredFolder();
    if (folder.isEmpty())
        QSKIP("The measured figures are not there (VRAMSCOPE_MEASURED).");
    const auto rows = test::readTable(folder + QStringLiteral("/presets.csv"));
    QVERIFY(!rows.empty() && rows.size() <= modelPresets().size());
    for (const test::TableRow &row : rows) {
        const std::string name = row.text("name").toStdString();
        const ModelPreset *preset = findModelPreset(name);
        QVERIFY2(preset, name.c_str());
        const Architecture &it = preset->architecture;
        const ParameterCounts counts = countParameters(it);
        const std::pair<const char *, std::int64_t> numbers[] = {
            {"num_hidden_layers", it.layers},
            {"hidden_size", it.hidden},
            {"num_attention_heads", it.heads},
            {"num_key_value_heads", it.kvHeads},
            {"head_dim", it.headDim},
            {"intermediate_size", it.ffn},
            {"vocab_size", it.vocab},
            {"tie_word_embeddings", it.tiedEmbeddings},
            {"gated_mlp", it.gatedMlp},
            {"learned_positions", it.learnedPositions},
            {"type_vocab_size", it.typeVocab},
            {"qk_norm", it.qkNorm},
            {"norms_per_layer", it.normsPerLayer},
            {"attention_sinks", it.attentionSinks},
            {"num_experts", it.experts},
            {"num_experts_per_tok", it.expertsPerToken},
            {"moe_intermediate_size", it.expertFfn},
            {"n_shared_experts", it.sharedExperts},
            {"shared_intermediate_size", it.sharedFfn},
            {"first_k_dense_replace", it.denseLayers},
            {"router_correction_bias", it.routerCorrectionBias},
            {"q_lora_rank", it.qLoraRank},
            {"kv_lora_rank", it.kvLoraRank},
            {"qk_nope_head_dim", it.qkNopeHeadDim},
            {"qk_rope_head_dim", it.qkRopeHeadDim},
            {"v_head_dim", it.vHeadDim},
            {"sliding_window", it.slidingWindow},
            {"extra_parameters", it.extraParameters},
            {"parameters_total", counts.total},
            {"parameters_active", counts.active},
        };
        for (const auto &[column, value] : numbers)
            QVERIFY2(row.number(column) == value, qPrintable(row.text("name") + u' ' + column));
        if (!row.text("max_position_embeddings").isEmpty())
            QCOMPARE(qint64(it.maxPositions), row.number("max_position_embeddings"));
        QCOMPARE(QString::fromStdString(it.modelType), row.text("model_type"));
        QCOMPARE(biasText(it.bias), row.text("bias"));
        QCOMPARE(it.norm == NormKind::LayerNorm, row.text("norm") == u"layernorm");
        QCOMPARE(slidingText(it), row.text("layer_types"));
    }
}

void TestCatalog::theGpusAgreeWithTheMeasuredTable()
{
    const QString folder = test::measuredFolder();
    if (folder.isEmpty())
        QSKIP("The measured figures are not there (VRAMSCOPE_MEASURED).");
    const auto rows = test::readTable(folder + QStringLiteral("/gpus.csv"));
    QVERIFY(!rows.empty());
    for (const test::TableRow &row : rows) {
        const GpuPreset *gpu = findGpuPreset(row.text("name").toStdString());
        QVERIFY2(gpu, qPrintable(row.text("name")));
        if (!row.text("capacity_bytes").isEmpty())
            QCOMPARE(qint64(gpu->capacity), row.number("capacity_bytes"));
        if (!row.text("memory_bandwidth").isEmpty())
            QCOMPARE(qint64(gpu->memoryBandwidth), row.number("memory_bandwidth"));
    }
}

void TestCatalog::namesAreUniqueAndFamiliesStandTogether()
{
    std::set<std::string> names;
    std::set<std::string> closedFamilies;
    std::string family;
    for (const ModelPreset &preset : modelPresets()) {
        QVERIFY2(names.insert(preset.name).second, preset.name.c_str());
        QVERIFY(!preset.title.empty());
        if (preset.family != family) {
            QVERIFY2(closedFamilies.insert(preset.family).second, preset.name.c_str());
            family = preset.family;
        }
    }
    for (const GpuPreset &gpu : gpuPresets()) {
        QVERIFY2(names.insert(gpu.name).second, gpu.name.c_str());
        QVERIFY(!gpu.title.empty() && !gpu.source.empty() && gpu.hostLink > 0);
    }
    QVERIFY(!findModelPreset("llama-9") && !findGpuPreset(""));
}

void TestCatalog::everyFormatOfAPlanHasAStorage()
{
    for (const std::string_view text : choiceTexts<WeightFormat>)
        QVERIFY2(findWeightStorage(text), std::string(text).c_str());
    for (const std::string_view text : choiceTexts<BaseQuantization>)
        QVERIFY2(text == "none" || findWeightStorage(text), std::string(text).c_str());
    QVERIFY(!findWeightStorage("none"));
}

void TestCatalog::formatsTakeTheirPublishedBytesPerWeight()
{
    const std::pair<const char *, double> published[] = {
        {"bf16", 2},
        {"fp8", 1},
        {"gptq-int4-g128", 0.5 + 2.5 / 128},
        {"nf4", 0.5625},
        {"nf4-double", 0.5 + 1.0 / 64 + 4.0 / (64 * 256)},
        {"mxfp4", 0.53125},
        {"nvfp4", 0.5625},
        {"q4_0", 0.5625},
        {"q8_0", 1.0625},
        {"q6_k", 210.0 / 256}};
    for (const auto &[name, bytes] : published)
        QCOMPARE(findWeightStorage(name)->bytesPerElement(), bytes);
}

void TestCatalog::modelTypesAreFoundByName()
{
    QVERIFY(findModelType("qwen3_moe")->qkNorm);
    QCOMPARE(findModelType("no such type"), nullptr);
    QCOMPARE(slidingPattern(7, 6), (std::vector<bool>{true, true, true, true, true, false, true}));
}

void TestCatalog::everyConstantReadOffRunsHasARangeAndASource()
{
    std::set<std::string_view> names;
    for (const Empirical &it : empiricals()) {
        const std::string name(it.name);
        QVERIFY2(names.insert(it.name).second, name.c_str());
        QVERIFY2(it.low <= it.value && it.value <= it.high && it.low < it.high, name.c_str());
        QVERIFY2(it.value > 0 && it.spread() > 0, name.c_str());
        QVERIFY2(!it.unit.empty() && !it.source.empty() && !it.asOf.empty(), name.c_str());
    }
    QCOMPARE(empirical(Measured::CudaContext).bytes(), 426 * kMiB);
    QCOMPARE(empirical(Measured::MatrixBeingQuantised).name, empiricals().back().name);
}

VRAMSCOPE_TEST(TestCatalog)
#include "tst_catalog.moc"
