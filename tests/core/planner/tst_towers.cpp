// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/config_reader.h"
#include "core/model/flat_json.h"
#include "core/model/towers/towers.h"
#include "core/model/towers/visual_tokens.h"
#include "tests/support/measured_table.h"
#include "tests/support/test.h"

#include <QFile>

using namespace vramscope;
using namespace Qt::StringLiterals;

// The towers of every config that Transformers counted (tests/measure/models): exact or none.
class TestTowers : public test::Test
{
    Q_OBJECT

private slots:
    void publishedModels();
    void classesOfTransformers();
    void ofAKnownFamily_data();
    void ofAKnownFamily();
    void anUnknownTowerIsNotGuessed_data();
    void anUnknownTowerIsNotGuessed();
    void ofAConfigAsPublished_data();
    void ofAConfigAsPublished();
    void aWrongKeyIsAnError();
    void whatVllmDividesAndLeavesOut();
    void tokensOfAnImage_data();
    void tokensOfAnImage();
};

namespace {

QString modelFile(const QString &name)
{
    // The configs of published models are shipped; what was counted of them stands with the
    // counter.
    const bool shipped = name.startsWith(u"configs/"_s);
    return test::projectFile((shipped ? u"resources/models/"_s : u"tests/measure/models/"_s) +
                             name);
}

ConfigReader readerOf(const QByteArray &json)
{
    auto values = flattened(json.toStdString());
    return ConfigReader(values ? std::move(*values) : std::vector<FlatValue>());
}

std::int64_t textWidthOf(const ConfigReader &config)
{
    const FieldValue *width = config.find("hidden_size");
    const auto *whole = width ? std::get_if<std::int64_t>(width) : nullptr;
    return whole ? *whole : 1;
}

std::vector<Tower> towersOfJson(const QByteArray &json)
{
    const ConfigReader config = readerOf(json);
    return towersOf(config, textWidthOf(config)).value();
}

std::vector<Tower> towersOfFile(const QString &name)
{
    QFile file(modelFile(name));
    return file.open(QIODevice::ReadOnly) ? towersOfJson(file.readAll()) : std::vector<Tower>();
}

qint64 parametersOf(const std::vector<Tower> &towers)
{
    qint64 sum = 0;
    for (const Tower &tower : towers)
        sum += tower.parameters();
    return sum;
}

constexpr auto kFamilies = std::to_array<const char *>({
    "qwen2_vl-small",
    "qwen2_5_vl-small",
    "qwen3_vl-tied",
    "qwen3_vl_moe-small",
    "qwen3_5-small",
    "qwen3_5_moe-small",
    "exaone4_5-small",
    "glm4v-small",
    "glm4v_moe-small",
    "glm46v",
    "gemma3-pooling-head",
    "gemma3-no-pooling-head",
    "shieldgemma2",
    "paligemma-small",
    "aya_vision-completed",
    "cohere2_vision-small",
    "idefics3-small",
    "smolvlm",
    "llava-small",
    "llava_next",
    "llava_next_video",
    "llava_onevision",
    "vipllava",
    "mistral3-small",
    "llama4-small",
    "internvl-small",
    "kimi_k25-small",
    "gemma4-towers",
    "voxtral-small",
    "qwen2_audio-small",
    "qwen2_5_omni_thinker",
    "qwen3_omni_moe_thinker",
});

} // namespace

void TestTowers::publishedModels()
{
    const auto rows = test::readTable(modelFile(u"models.csv"_s));
    int counted = 0;
    for (const test::TableRow &row : rows) {
        // Kimi K3 has a class in vLLM 0.33.0 alone, whose tower and projector these are.
        const qint64 expected =
            row.text("model_type") == u"kimi_k3"_s
                ? 447'358'976
                : row.number("vision") + row.number("audio") + row.number("projector");
        const qint64 found = parametersOf(towersOfFile(u"configs/"_s + row.text("config")));
        const QString type = row.text("model_type");
        const bool known = type != u"step3p7"_s && type != u"gemma4_unified"_s;
        QVERIFY2(
            found == (known ? expected : 0),
            qPrintable(u"%1: %2 instead of %3"_s.arg(row.text("id")).arg(found).arg(expected)));
        counted += found > 0 ? 1 : 0;
    }
    QCOMPARE(counted, 46);
}

void TestTowers::classesOfTransformers()
{
    const auto rows = test::readTable(modelFile(u"registry.csv"_s));
    QVERIFY(rows.size() > 500);
    std::map<QString, qint64> thinkers;
    int counted = 0;
    for (const test::TableRow &row : rows) {
        if (row.text("parameters").isEmpty())
            continue;
        const QString type = row.text("model_type");
        const QString variant = row.text("variant");
        const QString name = variant.isEmpty() ? type : type + u'-' + variant;
        const qint64 found = parametersOf(towersOfFile(u"registry/"_s + name + u".json"_s));
        if (found == 0)
            continue;
        ++counted;
        if (type.contains(u"omni"_s)) {
            thinkers[name] = found; // the whole has a talker besides
            continue;
        }
        const qint64 expected = row.number("parameters") - row.number("text_parameters");
        QVERIFY2(found == expected,
                 qPrintable(u"%1: %2 instead of %3"_s.arg(name).arg(found).arg(expected)));
    }
    QCOMPARE(thinkers[u"qwen2_5_omni"_s], thinkers[u"qwen2_5_omni_thinker"_s]);
    QCOMPARE(counted, 53);
}

void TestTowers::ofAKnownFamily_data()
{
    QTest::addColumn<QString>("name");
    for (const char *name : kFamilies)
        QTest::newRow(name) << QString::fromLatin1(name);
}

/// Each family, in the small variant where there is one.
void TestTowers::ofAKnownFamily()
{
    QFETCH(const QString, name);
    const auto rows = test::readTable(modelFile(u"registry.csv"_s));
    const auto row = std::ranges::find_if(rows, [&](const test::TableRow &it) {
        const QString variant = it.text("variant");
        return (variant.isEmpty() ? it.text("model_type")
                                  : it.text("model_type") + u'-' + variant) == name;
    });
    QVERIFY(row != rows.end());
    const auto towers = towersOfFile(u"registry/"_s + name + u".json"_s);
    QVERIFY(!towers.empty());
    QCOMPARE(parametersOf(towers), row->number("parameters") - row->number("text_parameters"));
    for (const Tower &tower : towers) {
        QVERIFY(tower.layers > 0 && tower.width > 0 && tower.block > 0);
        QVERIFY(tower.split <= tower.parameters());
        QVERIFY(tower.notLoaded < tower.encoder && tower.notLoadedSplit <= tower.notLoaded);
    }
}

void TestTowers::anUnknownTowerIsNotGuessed_data()
{
    QTest::addColumn<QByteArray>("json");
    const auto row = [](const char *name, const char *json) {
        QTest::newRow(name) << QByteArray(json);
    };
    row("no such model", R"({"model_type": "new_vl", "hidden_size": 8,
        "vision_config": {"model_type": "siglip_vision_model"}})");
    row("no such tower", R"({"model_type": "gemma3", "text_config": {"hidden_size": 8},
        "vision_config": {"model_type": "siglip3_vision_model", "hidden_size": 8}})");
    row("no tower", R"({"model_type": "gemma4", "hidden_size": 8, "vision_config": null})");
    row("text alone", R"({"model_type": "gemma3", "text_config": {"hidden_size": 8}})");
    row("a newer Kimi", R"({"model_type": "kimi_k9", "text_config": {"hidden_size": 8},
        "vision_config": {"vt_hidden_size": 8}})");
    row("a type within the text", R"({"text_config": {"model_type": "gemma3", "hidden_size": 8},
        "vision_config": {"hidden_size": 8}})");
}

void TestTowers::anUnknownTowerIsNotGuessed()
{
    QFETCH(const QByteArray, json);
    QVERIFY(towersOfJson(json).empty());
}

void TestTowers::ofAConfigAsPublished_data()
{
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<qint64>("parameters");
    const auto row = [](const char *name, qint64 parameters, const char *json) {
        QTest::newRow(name) << QByteArray(json) << parameters;
    };
    // The defaults of kimi_k25 in registry/, under the keys of the models' own files.
    row("Kimi K2.5", 471'143'920,
        R"({"model_type": "kimi_k25", "text_config": {"hidden_size": 7168},
        "vision_config": {"vt_hidden_size": 1152, "vt_intermediate_size": 4304,
        "vt_num_hidden_layers": 27, "vt_num_attention_heads": 16, "init_pos_emb_height": 64,
        "init_pos_emb_width": 64, "merge_kernel_size": [2, 2], "patch_size": 14}})");
    // The same tower beside a narrower text: only the projector's last layer is smaller.
    row("Kimi-VL", 471'143'920 - (7168 - 2048) * (4608 + 1),
        R"({"model_type": "kimi_vl", "text_config": {"hidden_size": 2048},
        "vision_config": {"model_type": "moonvit", "hidden_size": 1152, "intermediate_size": 4304,
        "num_hidden_layers": 27, "num_attention_heads": 16, "init_pos_emb_height": 64,
        "init_pos_emb_width": 64, "merge_kernel_size": [2, 2], "patch_size": 14}})");
    // OpenGVLab's own keys: intern_vit_6b, qkv_bias, qk_normalization.
    row("InternVL", 304'012'288 + 27'540'480,
        R"({"model_type": "internvl_chat", "downsample_ratio": 0.5,
        "llm_config": {"hidden_size": 3584}, "vision_config": {"model_type": "intern_vit_6b",
        "hidden_size": 1024, "intermediate_size": 4096, "num_hidden_layers": 24,
        "num_attention_heads": 16, "patch_size": 14, "image_size": 448, "qkv_bias": true,
        "qk_normalization": false, "norm_type": "layer_norm"}})");
}

void TestTowers::ofAConfigAsPublished()
{
    QFETCH(const QByteArray, json);
    QFETCH(const qint64, parameters);
    QCOMPARE(parametersOf(towersOfJson(json)), parameters);
}

void TestTowers::aWrongKeyIsAnError()
{
    const auto errorOf = [](const char *json) {
        const ConfigReader config = readerOf(json);
        const auto towers = towersOf(config, 8);
        return towers ? QString() : QString::fromStdString(towers.error().detail);
    };
    QCOMPARE(errorOf(R"({"model_type": "qwen2_vl", "vision_config": {"depth": 0}})"),
             u"model.config.vision_config.depth must be a whole number from 1 to 1000."_s);
    QCOMPARE(errorOf(R"({"model_type": "qwen2_vl", "vision_config": {"patch_size": [14, 7]}})"),
             u"model.config.vision_config.patch_size must be the same on both sides."_s);
    QCOMPARE(errorOf(R"({"model_type": "gemma3", "vision_config": {"vision_use_head": 1}})"),
             u"model.config.vision_config.vision_use_head must be true or false."_s);
    QCOMPARE(errorOf(R"({"model_type": "llava", "multimodal_projector_bias": 2,
                         "vision_config": {"depth": 1}})"),
             u"model.config.multimodal_projector_bias must be true or false."_s);
}

void TestTowers::whatVllmDividesAndLeavesOut()
{
    // Gemma 3: the projector and all norms, row biases and the patch embedding stay whole.
    const Tower gemma = towersOfFile(u"configs/gemma-3-4b-it.json"_s).front();
    const qint64 divided = 27 * (4 * 1152 * 1152 + 2 * 1152 * 4304 + 3 * 1152 + 4304) + 4096 * 1152;
    QCOMPARE(qint64(gemma.split), divided);
    QCOMPARE(qint64(gemma.notLoaded), qint64(0));
    // Transformers' own class: every rank holds all of it.
    QCOMPARE(qint64(towersOfFile(u"configs/gemma-4-26b-a4b.json"_s).front().split), qint64(0));
    // LLaVA takes its features before the last layer.
    const Tower llava = towersOfFile(u"registry/llava.json"_s).front();
    QCOMPARE(qint64(llava.notLoaded), qint64(llava.block + 2 * 1024));
}

void TestTowers::tokensOfAnImage_data()
{
    QTest::addColumn<QString>("config");
    QTest::addColumn<qint64>("width");
    QTest::addColumn<qint64>("height");
    QTest::addColumn<qint64>("tokens");
    QTest::addColumn<qint64>("patches");
    const auto row = [](const char *name, const char *config, qint64 width, qint64 height,
                        qint64 tokens, qint64 patches) {
        QTest::newRow(name) << QString::fromLatin1(config) << width << height << tokens << patches;
    };
    row("Qwen2.5-VL", "configs/qwen2.5-vl-7b-instruct.json", 1120, 840, 40 * 30, 4 * 40 * 30);
    row("Qwen2.5-VL, the largest", "configs/qwen2.5-vl-7b-instruct.json", 28 * 128, 28 * 128,
        16'384, 65'536);
    row("Qwen2.5-VL, scaled down", "configs/qwen2.5-vl-7b-instruct.json", 8000, 8000, 16'384,
        65'536);
    row("Qwen2-VL, the smallest", "configs/qwen2-vl-7b-instruct.json", 10, 10, 4, 16);
    row("Qwen3-VL", "configs/qwen3-vl-8b-instruct.json", 1024, 768, 32 * 24, 4 * 32 * 24);
    row("Qwen3-VL, the largest", "configs/qwen3-vl-8b-instruct.json", 8192, 8192, 16'384, 65'536);
    row("Qwen3.5, the smallest", "configs/qwen3.5-27b.json", 32, 32, 64, 256);
    row("Gemma 3", "configs/gemma-3-27b-it.json", 2000, 300, 256, 4096);
    row("Gemma 4", "configs/gemma-4-26b-a4b.json", 640, 480, 280, 2520);
    row("Pixtral, the largest", "registry/mistral3.json", 1540, 1540, 3025 + 55, 4 * 3025);
    row("Pixtral, scaled down", "registry/mistral3.json", 3080, 1540, 55 * 28 + 28, 4 * 55 * 28);
    row("Pixtral", "registry/mistral3.json", 281, 280, 11 * 10 + 10, 440);
    row("Llama 4, one tile", "configs/llama-4-scout-17b-16e-instruct.json", 336, 336, 144, 576);
    row("Llama 4, the largest", "configs/llama-4-scout-17b-16e-instruct.json", 1344, 1344, 144 * 17,
        576 * 17);
    row("Llama 4, a wide one", "configs/llama-4-scout-17b-16e-instruct.json", 672, 336, 144 * 3,
        576 * 3);
    row("InternVL, one tile", "configs/internvl3-8b-instruct.json", 448, 448, 256, 1024);
    row("InternVL, the largest", "configs/internvl3-8b-instruct.json", 1792, 1344, 3328, 13 * 1024);
    row("Kimi", "registry/kimi_k25.json", 560, 280, 200, 800);
    row("LLaVA", "registry/llava.json", 100, 900, 576, 576);
}

void TestTowers::tokensOfAnImage()
{
    QFETCH(const QString, config);
    QFETCH(const qint64, width);
    QFETCH(const qint64, height);
    QFETCH(const qint64, tokens);
    QFETCH(const qint64, patches);
    const auto towers = towersOfFile(config);
    QVERIFY(!towers.empty());
    const auto found = visualTokens(towers.front(), width, height);
    QVERIFY(found.has_value());
    QCOMPARE(qint64(found->tokens), tokens);
    QCOMPARE(qint64(found->patches), patches);
    QVERIFY(!visualTokens(towers.front(), 0, height));
}

VRAMSCOPE_TEST(TestTowers)
#include "tst_towers.moc"
