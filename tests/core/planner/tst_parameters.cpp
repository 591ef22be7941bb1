// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/estimate.h"
#include "core/model/parameters.h"
#include "core/settings/settings.h"
#include "tests/support/models.h"
#include "tests/support/test.h"

#include <QJsonDocument>
#include <QJsonObject>

using namespace vramscope;

class TestParameters : public test::Test
{
    Q_OBJECT

private slots:
    void theEightExpertGptOssCountsItsParameters();
    void partsOfAModelAddUpToItsTotal();
    void aConfigGivesThePresetsArchitecture_data();
    void aConfigGivesThePresetsArchitecture();
    void keysThatDoNotMatterAreIgnored();
    void settingsBesideTheModelWin();
    void slidingLayersFollowTheirKeys();
    void aConfigAtFaultNamesItsKey_data();
    void aConfigAtFaultNamesItsKey();
    void aModelIsNamedExactlyOnce();
    void anUnknownModelTypeIsRefusedUntilItIsSaidWhatItIsBuiltLike();
};

void TestParameters::theEightExpertGptOssCountsItsParameters()
{
    PlanModel model;
    model.config = R"({"model_type": "gpt_oss", "num_hidden_layers": 24, "hidden_size": 2880,
        "num_attention_heads": 64, "num_key_value_heads": 8, "head_dim": 64,
        "intermediate_size": 2880, "num_local_experts": 8, "num_experts_per_tok": 4,
        "vocab_size": 201088, "tie_word_embeddings": false})";
    const auto architecture = architectureOf(model);
    QVERIFY2(architecture.ok(), architecture ? "" : architecture.error().detail.c_str());
    const ParameterCounts counts = countParameters(*architecture);
    QCOMPARE(counts.total, std::int64_t(6575397888));
    QCOMPARE(counts.moeBlock.total(), std::int64_t(225713672));
    QCOMPARE(counts.embedding + counts.head, std::int64_t(2) * 579133440);
}

void TestParameters::partsOfAModelAddUpToItsTotal()
{
    for (const CatalogueShape &preset : test::plainModels()) {
        const ParameterCounts it = countParameters(preset.architecture);
        QCOMPARE(it.denseBlocks + it.moeBlocks, preset.architecture.layers);
        QCOMPARE(it.denseBlocks * it.denseBlock.total() + it.moeBlocks * it.moeBlock.total() +
                     it.embedding + it.positions + it.finalNorm + it.head + it.extra,
                 it.total);
        QVERIFY(it.active > 0 && it.active <= it.total);
        QCOMPARE(it.active < it.total, preset.architecture.moe());
    }
}

void TestParameters::aConfigGivesThePresetsArchitecture_data()
{
    QTest::addColumn<QByteArray>("config");
    QTest::newRow("gpt2") << QByteArray(
        R"({"model_type": "gpt2", "n_embd": 768, "n_layer": 12, "n_head": 12, "n_positions": 1024,
            "n_ctx": 1024, "n_inner": null, "vocab_size": 50257})");
    QTest::newRow("bert-base-uncased") << QByteArray(
        R"({"model_type": "bert", "hidden_size": 768, "num_hidden_layers": 12,
            "num_attention_heads": 12, "intermediate_size": 3072, "vocab_size": 30522,
            "max_position_embeddings": 512, "type_vocab_size": 2})");
    QTest::newRow("llama-3.2-1b") << QByteArray(
        R"({"model_type": "llama", "hidden_size": 2048, "num_hidden_layers": 16,
            "num_attention_heads": 32, "num_key_value_heads": 8, "head_dim": 64,
            "intermediate_size": 8192, "vocab_size": 128256, "tie_word_embeddings": true,
            "attention_bias": false, "mlp_bias": false, "max_position_embeddings": 131072})");
    QTest::newRow("mixtral-8x7b") << QByteArray(
        R"({"model_type": "mixtral", "hidden_size": 4096, "num_hidden_layers": 32,
            "num_attention_heads": 32, "num_key_value_heads": 8, "intermediate_size": 14336,
            "vocab_size": 32000, "num_local_experts": 8, "num_experts_per_tok": 2,
            "sliding_window": null, "max_position_embeddings": 32768})");
    QTest::newRow("qwen2.5-7b") << QByteArray(
        R"({"model_type": "qwen2", "hidden_size": 3584, "num_hidden_layers": 28,
            "num_attention_heads": 28, "num_key_value_heads": 4, "intermediate_size": 18944,
            "vocab_size": 152064, "use_sliding_window": false, "sliding_window": 131072,
            "max_window_layers": 28, "max_position_embeddings": 32768})");
    QTest::newRow("qwen3-30b-a3b") << QByteArray(
        R"({"model_type": "qwen3_moe", "hidden_size": 2048, "num_hidden_layers": 48,
            "num_attention_heads": 32, "num_key_value_heads": 4, "head_dim": 128,
            "intermediate_size": 6144, "moe_intermediate_size": 768, "num_experts": 128,
            "num_experts_per_tok": 8, "decoder_sparse_step": 1, "mlp_only_layers": [],
            "vocab_size": 151936, "tie_word_embeddings": false, "max_position_embeddings": 40960})");
    QTest::newRow("deepseek-v3") << QByteArray(
        R"({"model_type": "deepseek_v3", "hidden_size": 7168, "num_hidden_layers": 61,
            "num_attention_heads": 128, "num_key_value_heads": 128, "intermediate_size": 18432,
            "moe_intermediate_size": 2048, "n_routed_experts": 256, "n_shared_experts": 1,
            "num_experts_per_tok": 8, "first_k_dense_replace": 3, "moe_layer_freq": 1,
            "q_lora_rank": 1536, "kv_lora_rank": 512, "qk_nope_head_dim": 128,
            "qk_rope_head_dim": 64, "v_head_dim": 128, "vocab_size": 129280,
            "attention_bias": false, "max_position_embeddings": 163840})");
    QTest::newRow("deepseek-v2-lite") << QByteArray(
        R"({"model_type": "deepseek_v2", "hidden_size": 2048, "num_hidden_layers": 27,
            "num_attention_heads": 16, "num_key_value_heads": 16, "intermediate_size": 10944,
            "moe_intermediate_size": 1408, "n_routed_experts": 64, "n_shared_experts": 2,
            "num_experts_per_tok": 6, "first_k_dense_replace": 1, "q_lora_rank": null,
            "kv_lora_rank": 512, "qk_nope_head_dim": 128, "qk_rope_head_dim": 64,
            "v_head_dim": 128, "vocab_size": 102400, "max_position_embeddings": 163840})");
    QTest::newRow("gpt-oss-20b") << QByteArray(
        R"({"model_type": "gpt_oss", "hidden_size": 2880, "num_hidden_layers": 24,
            "num_attention_heads": 64, "num_key_value_heads": 8, "head_dim": 64,
            "intermediate_size": 2880, "num_local_experts": 32, "num_experts_per_tok": 4,
            "attention_bias": true, "sliding_window": 128, "vocab_size": 201088,
            "max_position_embeddings": 131072})");
    QTest::newRow("phi-2") << QByteArray(
        R"({"model_type": "phi", "hidden_size": 2560, "num_hidden_layers": 32,
            "num_attention_heads": 32, "num_key_value_heads": 32, "intermediate_size": 10240,
            "vocab_size": 51200, "max_position_embeddings": 2048})");
    QTest::newRow("gemma-3-1b") << QByteArray(
        R"({"model_type": "gemma3_text", "hidden_size": 1152, "num_hidden_layers": 26,
            "num_attention_heads": 4, "num_key_value_heads": 1, "head_dim": 256,
            "intermediate_size": 6912, "vocab_size": 262144, "sliding_window": 512,
            "sliding_window_pattern": 6, "max_position_embeddings": 32768})");
}

void TestParameters::aConfigGivesThePresetsArchitecture()
{
    QFETCH(QByteArray, config);
    PlanModel model;
    model.config = config.toStdString();
    const auto read = architectureOf(model);
    QVERIFY2(read.ok(), read ? "" : read.error().detail.c_str());
    QCOMPARE(*read == test::shapeOf(QTest::currentDataTag()), true);
}

void TestParameters::keysThatDoNotMatterAreIgnored()
{
    PlanModel model;
    model.config =
        R"({"architectures": ["X"], "rope_scaling": {"factor": 8}, "hidden_size": 64, "vocab_size": 10,
            "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 128,
            "rms_norm_eps": 1e-5, "torch_dtype": "bfloat16", "initializer_range": 0.02})";
    const auto read = architectureOf(model);
    QVERIFY(read.ok());
    QCOMPARE(read->headDim, std::int64_t(16));
    QCOMPARE(read->kvHeads, std::int64_t(4));
}

void TestParameters::settingsBesideTheModelWin()
{
    PlanModel model;
    model.preset = "llama-3-8b";
    model.norm = "layernorm";
    model.gatedMlp = false;
    model.bias = TextList{"qkv", "mlp"};
    model.learnedPositions = 100;
    model.qkNorm = true;
    model.normsPerLayer = 4;
    model.attentionSinks = true;
    model.vocabSizePadded = 128512;
    const auto read = architectureOf(model);
    QVERIFY(read.ok());
    QVERIFY(read->norm == NormKind::LayerNorm && !read->gatedMlp && read->qkNorm);
    QVERIFY(read->bias.qkv && read->bias.mlp && !read->bias.o && read->attentionSinks);
    QCOMPARE(read->vocab, std::int64_t(128512));
    const std::int64_t block = 4 * 2 * 4096 + 4096 * (4096 + 2048) + 4096 * 4096 + 6144 + 2 * 128 +
                               32 + 2 * 4096 * 14336 + 14336 + 4096;
    QCOMPARE(countParameters(*read).total,
             32 * block + 2 * 128512 * std::int64_t(4096) + 100 * 4096 + 2 * 4096);
    model.vocabSizePadded = 5;
    QVERIFY(!architectureOf(model).ok());
}

void TestParameters::slidingLayersFollowTheirKeys()
{
    const auto read = [](const std::string &extra) {
        PlanModel model;
        model.config = R"({"model_type": "qwen2", "hidden_size": 64, "vocab_size": 10,
            "num_hidden_layers": 4, "num_attention_heads": 4, "intermediate_size": 128, )" +
                       extra + "}";
        return architectureOf(model).value();
    };
    const Architecture off = read(R"("sliding_window": 32)");
    QVERIFY(off.slidingWindow == 0 && off.slidingLayers.empty());
    const Architecture upper =
        read(R"("sliding_window": 32, "use_sliding_window": true, "max_window_layers": 3)");
    QCOMPARE(upper.slidingLayers, (std::vector<bool>{false, false, false, true}));
    const Architecture listed = read(
        R"("sliding_window": 32, "use_sliding_window": true, "layer_types": ["sliding_attention",
            "full_attention", "full_attention", "full_attention"])");
    QCOMPARE(listed.slidingLayers, (std::vector<bool>{true, false, false, false}));
    QCOMPARE(listed.slidingWindow, std::int64_t(32));
}

void TestParameters::aConfigAtFaultNamesItsKey_data()
{
    QTest::addColumn<QByteArray>("change"); // replaces keys of a valid config
    QTest::addColumn<QByteArray>("key");
    const auto row = [](const char *change, const char *key) {
        QTest::newRow(change) << QByteArray(change) << QByteArray(key);
    };
    row(R"({"hidden_size": null})", "hidden_size");
    row(R"({"num_hidden_layers": -1})", "num_hidden_layers");
    row(R"({"vocab_size": 2000000000})", "vocab_size");
    row(R"({"vocab_size": 18446744073709551615})", "vocab_size");
    row(R"({"vocab_size": "many"})", "vocab_size");
    row(R"({"intermediate_size": 1.5})", "intermediate_size");
    row(R"({"intermediate_size": null})", "intermediate_size");
    row(R"({"num_attention_heads": 0})", "num_attention_heads");
    row(R"({"num_key_value_heads": 3})", "num_key_value_heads");
    row(R"({"tie_word_embeddings": 1})", "tie_word_embeddings");
    row(R"({"model_type": 7})", "model_type");
    row(R"({"num_experts": 8})", "num_experts_per_tok");
    row(R"({"num_experts": 8, "num_experts_per_tok": 9})", "num_experts_per_tok");
    row(R"({"num_experts": 8, "num_experts_per_tok": 2, "mlp_layer_types": ["sparse"]})",
        "mlp_layer_types");
    row(R"({"num_experts": 8, "num_experts_per_tok": 2, "mlp_only_layers": [7]})",
        "mlp_only_layers");
    row(R"({"model_type": "mixtral"})", "num_local_experts");
    row(R"({"kv_lora_rank": 8})", "qk_nope_head_dim");
    row(R"({"layer_types": ["full_attention"]})", "layer_types");
    row(R"({"layer_types": ["full_attention", "linear_attention"]})", "layer_types");
    row(R"({"layer_types": ["full_attention", "sliding_attention"]})", "sliding_window");
    row(R"({"num_hidden_layers": 10000, "intermediate_size": 10000000, "hidden_size": 1000000})",
        "model.config");
}

void TestParameters::aConfigAtFaultNamesItsKey()
{
    QFETCH(QByteArray, change);
    QFETCH(QByteArray, key);
    QJsonObject config{{"model_type", "llama"},    {"num_hidden_layers", 2},
                       {"hidden_size", 64},        {"num_attention_heads", 4},
                       {"num_key_value_heads", 2}, {"intermediate_size", 128},
                       {"vocab_size", 100}};
    // Joined as text: JSON of Qt would round large numbers.
    QByteArray text = "{";
    const QJsonObject changes = QJsonDocument::fromJson(change).object();
    for (auto it = config.constBegin(); it != config.constEnd(); ++it) {
        if (!changes.contains(it.key()))
            text += QJsonDocument(QJsonObject{{it.key(), it.value()}})
                        .toJson(QJsonDocument::Compact)
                        .chopped(1)
                        .mid(1) +
                    ',';
    }
    text += change.mid(1);
    PlanModel model;
    model.config = text.toStdString();
    const auto read = architectureOf(model);
    QVERIFY2(!read.ok(), text.constData());
    QVERIFY2(QByteArray::fromStdString(read.error().detail).contains(key),
             read.error().detail.c_str());
}

void TestParameters::aModelIsNamedExactlyOnce()
{
    PlanModel model;
    QVERIFY(!architectureOf(model).ok());
    model.preset = "llama3-8b";
    const auto misspelt = architectureOf(model);
    QVERIFY(!misspelt.ok());
    QVERIFY2(QByteArray::fromStdString(misspelt.error().detail).contains("'llama-3-8b'"),
             misspelt.error().detail.c_str());
    model.preset = "llama-3-8b";
    model.config = "{}";
    QVERIFY(!architectureOf(model).ok());
    model.preset.reset();
    QVERIFY(!architectureOf(model).ok());
    model.config = "[1, 2";
    QVERIFY(!architectureOf(model).ok());
}

void TestParameters::anUnknownModelTypeIsRefusedUntilItIsSaidWhatItIsBuiltLike()
{
    Plan plan;
    plan.model.config = R"({"model_type": "newcomer", "num_hidden_layers": 2, "hidden_size": 64,
        "num_attention_heads": 4, "intermediate_size": 128, "vocab_size": 100})";
    const Estimate unknown = estimate(plan);
    QVERIFY(!unknown.computed);
    QCOMPARE(unknown.parametersTotal, std::int64_t(0));
    QVERIFY(whyNotComputed(unknown).find("\"newcomer\" is not known") != std::string::npos);
    plan.model.config->replace(plan.model.config->find("newcomer"), 8, "llama");
    const ResolvedPlan llama = resolve(plan);
    QVERIFY(llama.computable() && llama.issues.empty());
}

VRAMSCOPE_TEST(TestParameters)
#include "tst_parameters.moc"
