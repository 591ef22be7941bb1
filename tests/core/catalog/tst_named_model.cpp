// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"
#include "core/catalog/formats.h"
#include "core/catalog/named_model.h"
#include "tests/support/measured_table.h"
#include "tests/support/test.h"

#include <algorithm>
#include <array>
#include <set>

using namespace vramscope;

namespace {

/// Who copies, quantises and tunes what others publish.
constexpr std::array<std::string_view, 12> kOwners = {
    "unsloth/",   "bartowski/", "RedHatAI/", "nvidia/", "lmstudio-community/",  "hugging-quants/",
    "QuantTrio/", "cpatonn/",   "TheBloke/", "Intel/",  "somebody-unheard-of/", ""};

/// A name and the model that has its shape.
struct Expected
{
    std::string name;
    const CatalogueModel *model;
};

std::vector<Expected> everyName()
{
    std::vector<Expected> all;
    for (const CatalogueModel &model : catalogueModels())
        all.push_back({model.name, &model});
    for (const ModelAlias &alias : modelAliases())
        all.push_back({alias.name, alias.model});
    return all;
}

/// The ending as it is written: of any digits some.
std::string written(const ModelSuffix &suffix)
{
    std::string text = suffix.suffix;
    std::ranges::replace(text, '#', '7');
    return text;
}

bool isEnding(const ModelSuffix &suffix)
{
    return !suffix.suffix.ends_with('/') && !suffix.suffix.ends_with('-');
}

std::string nameOf(const CatalogueModel *model)
{
    return model ? model->name : std::string();
}

} // namespace

/// Models by the names that people and repositories give them.
class TestNamedModel : public test::Test
{
    Q_OBJECT

private slots:
    void tablesAreSound();
    void everyNameIsItsOwn();
    void anyOwnerAndAnyEndingNameTheBase();
    void anEndingSaysHowTheWeightsAreStored();
    void repositories_data();
    void repositories();
    void namesInWords_data();
    void namesInWords();
    void whatIsKnownAndNotComputedSaysWhy_data();
    void whatIsKnownAndNotComputedSaysWhy();
    void whatNobodyPublishedIsNotKnown_data();
    void whatNobodyPublishedIsNotKnown();
    void aPipelineStandsBeforeItsParts();
    void downloadsAreOfModels();
};

void TestNamedModel::tablesAreSound()
{
    std::set<std::string> suffixes;
    for (const ModelSuffix &suffix : modelSuffixes()) {
        const char *name = suffix.suffix.c_str();
        QVERIFY2(!suffix.suffix.empty() && lowered(suffix.suffix) == suffix.suffix, name);
        QVERIFY2(suffixes.insert(suffix.suffix).second, name);
        QVERIFY2(suffix.weightFormat.empty() || findWeightStorage(suffix.weightFormat), name);
        QVERIFY2(suffix.engine.empty() || suffix.engine == "llama.cpp" || suffix.engine == "mlx",
                 name);
    }
    for (const ModelAlias &alias : modelAliases()) {
        const char *name = alias.name.c_str();
        QVERIFY2(!alias.title.empty() && lowered(alias.name) == alias.name, name);
        QVERIFY2(!findCatalogueModel(alias.name), name); // it needs no other name
        QVERIFY2(alias.note.empty() || alias.note.ends_with('.'), name);
        QVERIFY2(alias.model || !alias.note.empty(), name);
        QVERIFY2(alias.weightFormat.empty() || findWeightStorage(alias.weightFormat), name);
    }
    QVERIFY(modelAliases().size() > 250);
    const auto rows =
        test::readTable(QStringLiteral(VRAMSCOPE_SOURCE_DIR "/resources/models/names.csv"));
    for (const test::TableRow &row : rows)
        QVERIFY2(!row.text("source").isEmpty(), qPrintable(row.text("name")));
}

void TestNamedModel::everyNameIsItsOwn()
{
    for (const Expected &one : everyName()) {
        const NamedModel read = namedModel(one.name);
        QVERIFY2(read.known(), one.name.c_str());
        QCOMPARE(nameOf(read.model), nameOf(one.model));
        QVERIFY2(!read.title.empty(), one.name.c_str());
        QCOMPARE(read.isPublishedQuantised, !read.weightFormat.empty());
    }
    for (const CatalogueModel &model : catalogueModels())
        QCOMPARE(namedModel(model.name).title, model.title);
    for (const ModelAlias &alias : modelAliases()) {
        QCOMPARE(namedModel(alias.name).title, alias.title);
        QCOMPARE(std::string(namedModel(alias.name).weightFormat), alias.weightFormat);
        // An ending says more than the name.
        QCOMPARE(std::string(namedModel(alias.name + "-nvfp4").weightFormat), std::string("nvfp4"));
    }
}

void TestNamedModel::anyOwnerAndAnyEndingNameTheBase()
{
    std::size_t checked = 0;
    for (const Expected &one : everyName()) {
        for (const ModelSuffix &suffix : modelSuffixes()) {
            if (!isEnding(suffix))
                continue;
            const std::string_view owner = kOwners[checked++ % kOwners.size()];
            const std::string id = std::string(owner) + one.name + "-" + written(suffix);
            const NamedModel read = namedModel(id);
            QVERIFY2(read.known(), id.c_str());
            QVERIFY2(read.model == one.model, id.c_str());
        }
    }
    QVERIFY(checked > 20'000);
}

void TestNamedModel::anEndingSaysHowTheWeightsAreStored()
{
    for (const ModelSuffix &suffix : modelSuffixes()) {
        if (!isEnding(suffix))
            continue;
        const std::string id = "somebody/Qwen3-8B-" + written(suffix);
        const NamedModel read = namedModel(id);
        QCOMPARE(std::string(read.weightFormat), suffix.weightFormat);
        QCOMPARE(std::string(read.engine), suffix.engine);
        QCOMPARE(read.isInstruct, suffix.instruct);
        QCOMPARE(read.formatWritten, suffix.format ? written(suffix) : std::string());
        // Behind a blank a format is a word of its own, which the sentence says of the plan.
        if (suffix.ofFiles() && suffix.shown.empty())
            QVERIFY2(!namedModel("qwen3-8b " + written(suffix)).known(), id.c_str());
    }
}

void TestNamedModel::repositories_data()
{
    QTest::addColumn<QString>("model");
    QTest::addColumn<QString>("title");
    QTest::addColumn<QString>("format");
    QTest::addColumn<QString>("engine");
    QTest::addColumn<bool>("instruct");
    const auto row = [](const char *id, const char *model, const char *title,
                        const char *format = "", const char *engine = "", bool instruct = false) {
        QTest::newRow(id) << QString::fromLatin1(model) << QString::fromLatin1(title)
                          << QString::fromLatin1(format) << QString::fromLatin1(engine) << instruct;
    };
    row("bartowski/Meta-Llama-3.1-8B-Instruct-GGUF", "llama-3.1-8b", "Llama 3.1 8B", "",
        "llama.cpp", true);
    row("unsloth/Qwen3-14B-unsloth-bnb-4bit", "qwen3-14b", "Qwen3 14B", "nf4");
    row("RedHatAI/Qwen3-32B-FP8-dynamic", "qwen3-32b", "Qwen3 32B", "fp8");
    row("RedHatAI/gemma-3-27b-it-quantized.w4a16", "gemma-3-27b", "Gemma 3 27B", "gptq-int4-g128",
        "", true);
    row("nvidia/DeepSeek-R1-FP4", "deepseek-v3", "DeepSeek R1 671B", "nvfp4");
    row("nvidia/Llama-3.3-70B-Instruct-FP8", "llama-3.1-70b", "Llama 3.3 70B", "fp8", "", true);
    row("mlx-community/Llama-3.1-8B-Instruct-4bit", "llama-3.1-8b", "Llama 3.1 8B", "", "mlx",
        true);
    row("lmstudio-community/Qwen3.6-27B-MLX-4bit", "qwen3.5-27b", "Qwen3.6 27B", "", "mlx");
    row("Qwen/Qwen3-30B-A3B-Instruct-2507-FP8", "qwen3-30b-a3b", "Qwen3 30B-A3B 2507", "fp8", "",
        true);
    row("Qwen/Qwen3-4B-Thinking-2507", "qwen3-4b", "Qwen3 4B Thinking 2507", "", "", true);
    row("Qwen/Qwen3-Coder-30B-A3B-Instruct", "qwen3-30b-a3b", "Qwen3 Coder 30B-A3B", "", "", true);
    row("Qwen/Qwen2.5-Coder-32B-Instruct-GPTQ-Int8", "qwen2.5-32b", "Qwen2.5 Coder 32B", "int8", "",
        true);
    row("deepseek-ai/DeepSeek-R1-Distill-Qwen-1.5B", "deepseek-r1-distill-qwen-1.5b",
        "DeepSeek R1 Distill Qwen 1.5B");
    row("moonshotai/Kimi-K2-Instruct-0905", "kimi-k2", "Kimi K2 0905 1T", "", "", true);
    row("meta-llama/Llama-2-7b-chat-hf", "llama-2-7b", "Llama 2 7B", "", "", true);
    row("TheBloke/Llama-2-70B-Chat-AWQ", "llama-2-70b", "Llama 2 70B", "awq-int4-g128", "", true);
    row("qwen3:8b", "qwen3-8b", "Qwen3 8B");
    row("gpt-oss:20b", "gpt-oss-20b", "gpt-oss 20B");
    row("llama3.1:70b-instruct-q4_K_M", "llama-3.1-70b", "Llama 3.1 70B", "q4_k_m", "llama.cpp",
        true);
    row("hf.co/unsloth/Qwen3-8B-GGUF:Q3_K_M", "qwen3-8b", "Qwen3 8B", "q3_k_m", "llama.cpp");
    row("nvidia/Llama-3_3-Nemotron-Super-49B-v1", "llama-3.3-nemotron-super-49b",
        "Llama 3.3 Nemotron Super 49B");
    row("huihui-ai/Huihui-Qwen3-14B-abliterated-v2", "qwen3-14b", "Qwen3 14B abliterated", "", "",
        true);
    row("RedHatAI/NVIDIA-Nemotron-3-Nano-30B-A3B-FP8", "nemotron-3-nano-30b-a3b",
        "Nemotron 3 Nano 30B-A3B", "fp8");
    row("huihui-ai/Qwen2.5-VL-7B-Instruct-abliterated", "qwen2.5-vl-7b",
        "Qwen2.5-VL 7B abliterated", "", "", true);
}

void TestNamedModel::repositories()
{
    QFETCH(const QString, model);
    QFETCH(const QString, title);
    QFETCH(const QString, format);
    QFETCH(const QString, engine);
    QFETCH(const bool, instruct);
    const NamedModel read = namedModel(QTest::currentDataTag());
    QCOMPARE(QString::fromStdString(nameOf(read.model)), model);
    QCOMPARE(QString::fromStdString(read.title), title);
    QCOMPARE(std::string(read.weightFormat), format.toStdString());
    QCOMPARE(std::string(read.engine), engine.toStdString());
    QCOMPARE(read.isInstruct, instruct);
    QCOMPARE(read.isPublishedQuantised, !format.isEmpty() || !engine.isEmpty());
    QVERIFY(!read.isCorrected);
}

void TestNamedModel::namesInWords_data()
{
    QTest::addColumn<QString>("model");
    const auto row = [](const char *words, const char *model) {
        QTest::newRow(words) << QString::fromLatin1(model);
    };
    row("llama 3.3 70b instruct", "llama-3.1-70b");
    row("qwen3 coder 30b a3b", "qwen3-30b-a3b");
    row("qwen3 30b", "qwen3-30b-a3b");
    row("Qwen 3 235B", "qwen3-235b-a22b");
    row("Qwen3\u201132B", "qwen3-32b"); // a dash that does not break
    row("qwen3\u201332b", "qwen3-32b");
    row("deepseek r1 671b", "deepseek-v3");
    row("deepseek r1", "deepseek-v3");
    row("gemma 3 12b it", "gemma-3-12b");
    row("command r+", "command-r-plus");
    row("glm 4.5 air", "glm-4.5-air");
    row("GPT-2", "gpt2");
    row("mistral 7b instruct v0.2", "mistral-7b-v0.1");
    row("wan 2.1 1.3b", "wan2.1-t2v-1.3b");
    row("flux schnell", "flux.1-schnell");
}

void TestNamedModel::namesInWords()
{
    QFETCH(const QString, model);
    QCOMPARE(QString::fromStdString(nameOf(namedModel(QTest::currentDataTag()).model)), model);
}

void TestNamedModel::whatIsKnownAndNotComputedSaysWhy_data()
{
    QTest::addColumn<QString>("title");
    QTest::newRow("stable video diffusion") << QStringLiteral("Stable Video Diffusion");
    QTest::newRow("stabilityai/stable-video-diffusion") << QStringLiteral("Stable Video Diffusion");
    QTest::newRow("mochi-1 nf4") << QString(); // the format is another word
    QTest::newRow("Mochi-1-nf4") << QStringLiteral("Mochi 1");
    QTest::newRow("EleutherAI/gpt-neo-125m") << QStringLiteral("GPT-Neo 125M");
    QTest::newRow("tencent/HunyuanVideo-1.5") << QStringLiteral("HunyuanVideo 1.5");
}

void TestNamedModel::whatIsKnownAndNotComputedSaysWhy()
{
    QFETCH(const QString, title);
    const NamedModel read = namedModel(QTest::currentDataTag());
    QCOMPARE(QString::fromStdString(read.title), title);
    QCOMPARE(read.known(), !title.isEmpty());
    QVERIFY(!read.model);
    QCOMPARE(!read.whyNot.empty(), !title.isEmpty());
}

void TestNamedModel::whatNobodyPublishedIsNotKnown_data()
{
    QTest::addColumn<bool>("known");
    for (const char *name : {"foo-8b", "someone/thing-7b", "llama-3.1-9b", "qwen9-8b", "-8b", "8b",
                             "7b-instruct", "", "/", "gguf", "instruct", "qwen3-8b 4096",
                             "qwen3-8b 8192 tokens", "my-llama-3.1-8b", "q4_k_m", "a/b/c", "llama"})
        QTest::newRow(qPrintable(QStringLiteral("'%1'").arg(QLatin1StringView(name)))) << false;
}

void TestNamedModel::whatNobodyPublishedIsNotKnown()
{
    QFETCH(const bool, known);
    const std::string_view quoted = QTest::currentDataTag();
    const NamedModel read = namedModel(quoted.substr(1, quoted.size() - 2));
    QVERIFY2(read.known() == known, read.title.c_str());
    QVERIFY(read.title.empty() && read.weightFormat.empty() && !read.isInstruct);
}

void TestNamedModel::aPipelineStandsBeforeItsParts()
{
    int pipelines = 0;
    for (const CatalogueModel &model : catalogueModels()) {
        if (!model.pipeline)
            continue;
        ++pipelines;
        const NamedModel read = namedModel(model.repository);
        QVERIFY2(read.model && read.model->pipeline, model.repository.c_str());
    }
    QVERIFY(pipelines >= 10);
}

void TestNamedModel::downloadsAreOfModels()
{
    const auto rows =
        test::readTable(QStringLiteral(VRAMSCOPE_SOURCE_DIR "/resources/models/popularity.csv"));
    for (const test::TableRow &row : rows) {
        const CatalogueModel *model = findCatalogueModel(row.text("name").toStdString());
        QVERIFY2(model, qPrintable(row.text("name")));
        QCOMPARE(downloadsOf(*model), int(row.number("downloads")));
        QVERIFY(downloadsOf(*model) > 0);
    }
    QCOMPARE(downloadsOf(CatalogueModel()), 0);
}

VRAMSCOPE_TEST(TestNamedModel)
#include "tst_named_model.moc"
