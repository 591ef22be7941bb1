// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalog/constants.h"
#include "core/catalog/empirical.h"
#include "core/catalog/formats.h"
#include "core/catalog/gpus.h"
#include "core/catalog/model_types.h"
#include "core/model/parameters.h"
#include "core/plan/choices.h"
#include "tests/support/measured_table.h"
#include "tests/support/models.h"
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

// What public listings report of devices: bytes that the driver's tool or the runtime prints (0:
// nobody has reported them), bytes a second, bf16 FLOP/s, and whether host and device share one
// memory.
struct ReportedDevice
{
    const char *name;
    qint64 reported;
    qint64 bandwidth;
    qint64 flops;
    bool unified;
};

constexpr ReportedDevice kReportedDevices[] = {
    {"mi210-64gb", 68702699520, 1638400000000, 181000000000000, false},
    {"mi250x-gcd-64gb", 68702699520, 1638400000000, 191500000000000, false},
    {"mi300x-192gb", 206141652992, 5300000000000, 1307400000000000, false},
    {"mi300a-128gb", 0, 5300000000000, 980600000000000, true},
    {"mi350x-288gb", 309220868096, 8000000000000, 2300000000000000, false},
    {"mi355x-288gb", 309220868096, 8000000000000, 2500000000000000, false},
    {"rx-7900-xtx-24gb", 25753026560, 960000000000, 122800000000000, false},
    {"rx-9070-xt-16gb", 17095983104, 640000000000, 195000000000000, false},
    {"r9700-32gb", 34208743424, 640000000000, 191000000000000, false},
    {"strix-halo-128gb", 103079215104, 256000000000, 59400000000000, true},
    {"b100-192gb", 0, 8000000000000, 1750000000000000, false},
    {"b200-180gb", 192265846784, 8000000000000, 2250000000000000, false},
    {"b300-288gb", 288400343040, 8000000000000, 2250000000000000, false},
    {"gb200-186gb", 198674743296, 8000000000000, 2500000000000000, false},
    {"gb300-288gb", 298013687808, 8000000000000, 2500000000000000, false},
    {"gb10-128gb", 130663055360, 273000000000, 125000000000000, true},
    {"jetson-thor-128gb", 131880452096, 273000000000, 0, true},
    {"rtx-5090-32gb", 34190917632, 1792000000000, 209500000000000, false},
    {"rtx-5080-16gb", 17094934528, 960000000000, 112600000000000, false},
    {"rtx-5070-ti-16gb", 17094934528, 896000000000, 87900000000000, false},
    {"rtx-5070-12gb", 12820938752, 672000000000, 61700000000000, false},
    {"rtx-5060-ti-16gb", 17103323136, 448000000000, 47400000000000, false},
    {"rtx-5060-ti-8gb", 8546942976, 448000000000, 47400000000000, false},
    {"rtx-pro-6000-blackwell-96gb", 102641958912, 1597000000000, 0, false},
    {"h20-96gb", 102625181696, 4000000000000, 148000000000000, false},
    {"h800-80gb", 85520809984, 3350000000000, 989400000000000, false},
    {"a800-80gb", 85899345920, 2039000000000, 312000000000000, false},
    {"l40s-48gb", 48305799168, 864000000000, 362000000000000, false},
    {"l20-48gb", 48305799168, 864000000000, 119500000000000, false},
    {"rtx-4090-24gb", 25757220864, 1008000000000, 165200000000000, false},
    {"h200-141gb", 150754820096, 4800000000000, 989400000000000, false},
    {"h100-80gb", 85520809984, 3350000000000, 989400000000000, false},
    {"apple-16gb", 11453250000, 0, 0, true},
    {"apple-32gb", 26800600000, 0, 0, true},
    {"apple-36gb", 28991030000, 0, 0, true},
    {"apple-m4-pro-48gb", 40200900000, 273000000000, 0, true},
    {"apple-m3-max-64gb", 55662790000, 400000000000, 0, true},
    {"apple-m4-max-128gb", 115448730000, 546000000000, 0, true},
    {"apple-m3-ultra-512gb", 498216210000, 819000000000, 0, true},
    {"arc-a770-16gb", 16225243136, 560000000000, 0, false},
    {"arc-b580-12gb", 12168933376, 456000000000, 0, false},
    {"arc-pro-b60-24gb", 24385683456, 456000000000, 0, false},
    {"max-1550-128gb", 0, 3276800000000, 0, false},
    {"ascend-910b-64gb", 65788161556, 1600000000000, 0, false},
    {"ascend-910c-128gb", 0, 3200000000000, 0, false},
    {"tpu-v5e", 16911433728, 819000000000, 197000000000000, false},
    {"tpu-v5p", 102800042229, 2765000000000, 459000000000000, false},
    {"tpu-v6e", 33554432000, 1640000000000, 918000000000000, false},
    {"tpu-v7", 0, 7370000000000, 2307000000000000, false},
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
    void everyReportedDeviceIsKnown_data();
    void everyReportedDeviceIsKnown();
    void aSliceOfACardIsADeviceOfItsOwn();
    void onlyNvidiaHasTheWorkspacesOfCublas();
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
}

void TestCatalog::everyPresetCountsThePublishedParameters()
{
    const CatalogueShape *preset = findCatalogueShape(QTest::currentDataTag());
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
    QVERIFY(!rows.empty());
    for (const test::TableRow &row : rows) {
        const std::string name = row.text("name").toStdString();
        const CatalogueShape *preset = findCatalogueShape(name);
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

void TestCatalog::everyReportedDeviceIsKnown_data()
{
    QTest::addColumn<int>("row");
    for (std::size_t i = 0; i < std::size(kReportedDevices); ++i)
        QTest::newRow(kReportedDevices[i].name) << int(i);
}

void TestCatalog::everyReportedDeviceIsKnown()
{
    QFETCH(int, row);
    const ReportedDevice &reported = kReportedDevices[row];
    const GpuPreset *gpu = findGpuPreset(reported.name);
    QVERIFY(gpu);
    // Where torch's figure is known, which is smaller, the capacity is that one.
    QVERIFY(gpu->capacity == reported.reported || gpu->driverTotal == reported.reported);
    QVERIFY(gpu->capacity <= reported.reported);
    QVERIFY(gpu->capacity > 0 || gpu->source.starts_with("reported capacity not known"));
    QCOMPARE(qint64(gpu->memoryBandwidth), reported.bandwidth);
    QCOMPARE(qint64(gpu->bf16Flops), reported.flops);
    QCOMPARE(gpu->unified(), reported.unified);
}

void TestCatalog::aSliceOfACardIsADeviceOfItsOwn()
{
    const std::pair<const char *, double> slices[] = {
        {"a100-40gb-mig-1g.5gb", 4.75},    {"a100-40gb-mig-2g.10gb", 9.62},
        {"a100-40gb-mig-3g.20gb", 19.5},   {"a100-80gb-mig-1g.10gb", 9.5},
        {"a100-80gb-mig-2g.20gb", 19.5},   {"a100-80gb-mig-3g.40gb", 39.25},
        {"h100-80gb-mig-1g.10gb", 9.75},   {"h100-80gb-mig-2g.20gb", 19.62},
        {"h100-80gb-mig-3g.40gb", 39.5},   {"h200-141gb-mig-1g.18gb", 16},
        {"h200-141gb-mig-2g.35gb", 32.25}, {"h200-141gb-mig-3g.71gb", 69.5}};
    for (const auto &[name, gib] : slices) {
        const GpuPreset *gpu = findGpuPreset(name);
        QVERIFY2(gpu, name);
        QCOMPARE(gpu->capacity, static_cast<Bytes>(gib * static_cast<double>(kGiB)));
        QVERIFY2(!gpu->unified(), name);
    }
}

void TestCatalog::onlyNvidiaHasTheWorkspacesOfCublas()
{
    QCOMPARE(cublasWorkspace(GpuGeneration::Blackwell), Bytes(69 * kMiB));
    QCOMPARE(cublasWorkspace(GpuGeneration::Cdna3), Bytes(0));
    QVERIFY(atLeast(GpuGeneration::Blackwell, GpuGeneration::Hopper));
    QVERIFY(!atLeast(GpuGeneration::Ada, GpuGeneration::Hopper));
    QVERIFY(!atLeast(GpuGeneration::Cdna4, GpuGeneration::Volta));
    QCOMPARE(findGpuPreset("rtx-5090-32gb"), findGpuPreset("rtx-5090"));
    QCOMPARE(vendorOf(GpuGeneration::Rdna4), GpuVendor::Amd);
    QCOMPARE(vendorOf(GpuGeneration::Tpu), GpuVendor::Google);
}

void TestCatalog::namesAreUniqueAndFamiliesStandTogether()
{
    std::set<std::string> names;
    std::set<std::string> closedFamilies;
    std::string family;
    for (const CatalogueModel &preset : catalogueModels()) {
        QVERIFY2(names.insert(preset.name).second, preset.name.c_str());
        QVERIFY(!preset.title.empty());
        if (preset.family != family) {
            QVERIFY2(closedFamilies.insert(preset.family).second, preset.name.c_str());
            family = preset.family;
        }
    }
    for (const GpuPreset &gpu : gpuPresets()) {
        QVERIFY2(names.insert(gpu.name).second, gpu.name.c_str());
        QVERIFY(!gpu.title.empty() && !gpu.source.empty() &&
                !generationName(gpu.generation).empty());
        QVERIFY(gpu.hostLink > 0 || gpu.unified() || gpu.vendor() != GpuVendor::Nvidia);
        QVERIFY2(gpu.otherName.empty() || names.insert(gpu.otherName).second, gpu.name.c_str());
    }
    QVERIFY(!findCatalogueModel("llama-9") && !findGpuPreset(""));
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
        {"q6_k", 210.0 / 256},
        {"q4_k_m", 144.0 / 256},
        {"iq4_xs", 136.0 / 256},
        {"q5_1", 0.75}};
    for (const auto &[name, bytes] : published)
        QCOMPARE(findWeightStorage(name)->bytesPerElement(), bytes);
}

void TestCatalog::modelTypesAreFoundByName()
{
    QVERIFY(findModelType("qwen3_moe")->architecture.qkNorm);
    const ModelType *oss = findModelType("gpt_oss");
    QVERIFY(
        (oss->architecture.bias == Biases{.qkv = true, .o = true, .expert = true, .router = true}));
    QVERIFY(oss->experts && oss->architecture.attentionSinks && oss->fullEvery == 2);
    QVERIFY(findModelType("mistral")->defaults.kvHeads == 8);
    QVERIFY(textTypeOf("idefics2") == "mistral");
    QVERIFY(whyNotComputed("pegasus").starts_with("has an encoder and a decoder"));
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
    QCOMPARE(empirical(Measured::WideningFourBits).name, empiricals().back().name);
}

VRAMSCOPE_TEST(TestCatalog)
#include "tst_catalog.moc"
