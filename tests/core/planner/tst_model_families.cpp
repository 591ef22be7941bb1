// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/planner/parameters.h"
#include "tests/support/test.h"

#include <algorithm>

using namespace vramscope;

// The config.json of published models, cut to the keys that matter, against their published totals
// (the count that the model card or the safetensors index states; of a multimodal model, the
// language model's own).
class TestModelFamilies : public test::Test
{
    Q_OBJECT

private slots:
    void eachFamilyCountsItsPublishedParameters_data();
    void eachFamilyCountsItsPublishedParameters();
    void aFamilyThatCannotBeComputedSaysSo_data();
    void aFamilyThatCannotBeComputedSaysSo();
    void chunkedAttentionSlidesInAllButEveryFourthLayer();
};

namespace {

struct Published
{
    const char *name;
    std::int64_t parameters;
    const char *config;
};

constexpr Published kPublished[] = {
    {"falcon-7b", 6'921'720'704,
     R"({"model_type": "falcon", "hidden_size": 4544, "num_hidden_layers": 32,
        "num_attention_heads": 71, "num_kv_heads": 71, "vocab_size": 65024,
        "multi_query": true, "new_decoder_architecture": false,
        "parallel_attn": true, "bias": false, "alibi": false})"},
    {"falcon-40b", 41'303'293'952,
     R"({"model_type": "falcon", "hidden_size": 8192, "num_hidden_layers": 60,
        "num_attention_heads": 128, "num_kv_heads": 8, "vocab_size": 65024,
        "multi_query": true, "new_decoder_architecture": true,
        "parallel_attn": true, "bias": false, "alibi": false})"},
    {"falcon-40b, first layout", 41'303'293'952,
     R"({"model_type": "RefinedWeb", "hidden_size": 8192, "n_layer": 60,
        "n_head": 128, "n_head_kv": 8, "vocab_size": 65024,
        "multi_query": true, "parallel_attn": true, "bias": false,
        "alibi": false})"},
    {"falcon-rw-1b", 1'311'625'216,
     R"({"model_type": "falcon", "hidden_size": 2048, "num_hidden_layers": 24,
        "num_attention_heads": 32, "vocab_size": 50304, "multi_query": false,
        "new_decoder_architecture": false, "parallel_attn": false,
        "bias": true, "alibi": true})"},
    {"pythia-6.9b", 6'857'302'016,
     R"({"model_type": "gpt_neox", "hidden_size": 4096, "num_hidden_layers": 32,
        "num_attention_heads": 32, "intermediate_size": 16384,
        "vocab_size": 50432, "tie_word_embeddings": false,
        "use_parallel_residual": true, "max_position_embeddings": 2048})"},
    {"gpt-j-6b", 6'050'882'784,
     R"({"model_type": "gptj", "n_embd": 4096, "n_layer": 28, "n_head": 16,
        "n_inner": null, "n_positions": 2048, "rotary_dim": 64,
        "vocab_size": 50400, "tie_word_embeddings": false})"},
    {"opt-1.3b", 1'315'758'080,
     R"({"model_type": "opt", "hidden_size": 2048, "num_hidden_layers": 24,
        "num_attention_heads": 32, "ffn_dim": 8192,
        "max_position_embeddings": 2048, "word_embed_proj_dim": 2048,
        "do_layer_norm_before": true, "vocab_size": 50272})"},
    {"bloom-560m", 559'214'592, R"({"model_type": "bloom", "n_embed": 1024, "n_layer": 24,
        "num_attention_heads": 16, "vocab_size": 250880})"},
    {"mpt-7b", 6'649'286'656,
     R"({"model_type": "mpt", "d_model": 4096, "n_layers": 32, "n_heads": 32,
        "expansion_ratio": 4, "max_seq_len": 2048, "vocab_size": 50432,
        "no_bias": true, "learned_pos_emb": true,
        "attn_config": {"alibi": true, "attn_type": "multihead_attention"}})"},
    {"starcoder", 15'517'456'384,
     R"({"model_type": "gpt_bigcode", "n_embd": 6144, "n_layer": 40, "n_head": 48,
        "n_inner": 24576, "n_positions": 8192, "multi_query": true,
        "vocab_size": 49152})"},
    {"starcoder2-3b", 3'030'371'328,
     R"({"model_type": "starcoder2", "hidden_size": 3072, "num_hidden_layers": 30,
        "num_attention_heads": 24, "num_key_value_heads": 2,
        "intermediate_size": 12288, "use_bias": true, "vocab_size": 49152,
        "max_position_embeddings": 16384})"},
    {"command-r-v01", 34'980'831'232,
     R"({"model_type": "cohere", "hidden_size": 8192, "num_hidden_layers": 40,
        "num_attention_heads": 64, "num_key_value_heads": 64,
        "intermediate_size": 22528, "use_qk_norm": false,
        "vocab_size": 256000})"},
    {"command-r7b", 8'028'033'024,
     R"({"model_type": "cohere2", "hidden_size": 4096, "num_hidden_layers": 32,
        "num_attention_heads": 32, "num_key_value_heads": 8, "head_dim": 128,
        "intermediate_size": 14336, "sliding_window": 4096,
        "sliding_window_pattern": 4, "vocab_size": 256000})"},
    {"olmo-7b", 6'888'095'744,
     R"({"model_type": "olmo", "hidden_size": 4096, "num_hidden_layers": 32,
        "num_attention_heads": 32, "num_key_value_heads": 32,
        "intermediate_size": 11008, "vocab_size": 50304,
        "tie_word_embeddings": false})"},
    {"olmo-2-7b", 7'298'617'344,
     R"({"model_type": "olmo2", "hidden_size": 4096, "num_hidden_layers": 32,
        "num_attention_heads": 32, "num_key_value_heads": 32,
        "intermediate_size": 11008, "vocab_size": 100352,
        "tie_word_embeddings": false, "attention_bias": false})"},
    {"olmoe-1b-7b", 6'919'161'856,
     R"({"model_type": "olmoe", "hidden_size": 2048, "num_hidden_layers": 16,
        "num_attention_heads": 16, "num_key_value_heads": 16,
        "intermediate_size": 1024, "num_experts": 64,
        "num_experts_per_tok": 8, "vocab_size": 50304,
        "tie_word_embeddings": false})"},
    {"stablelm-2-1.6b", 1'644'515'328,
     R"({"model_type": "stablelm", "hidden_size": 2048, "num_hidden_layers": 24,
        "num_attention_heads": 32, "num_key_value_heads": 32,
        "intermediate_size": 5632, "use_qkv_bias": true,
        "use_parallel_residual": false, "qk_layernorm": false,
        "vocab_size": 100352, "tie_word_embeddings": false})"},
    {"internlm2-7b", 7'737'708'544,
     R"({"model_type": "internlm2", "bias": false, "hidden_size": 4096,
        "num_hidden_layers": 32, "num_attention_heads": 32,
        "num_key_value_heads": 8, "intermediate_size": 14336,
        "vocab_size": 92544, "tie_word_embeddings": false})"},
    {"baichuan2-7b", 7'505'973'248,
     R"({"model_type": "baichuan", "hidden_size": 4096, "num_hidden_layers": 32,
        "num_attention_heads": 32, "intermediate_size": 11008,
        "vocab_size": 125696, "model_max_length": 4096,
        "tie_word_embeddings": false})"},
    {"chatglm3-6b", 6'243'584'000,
     R"({"model_type": "chatglm", "hidden_size": 4096, "num_layers": 28,
        "num_attention_heads": 32, "kv_channels": 128,
        "multi_query_attention": true, "multi_query_group_num": 2,
        "ffn_hidden_size": 13696, "padded_vocab_size": 65024,
        "add_qkv_bias": true, "add_bias_linear": false, "rmsnorm": true,
        "seq_length": 8192, "tie_word_embeddings": false})"},
    {"glm-4-9b", 9'399'951'360,
     R"({"model_type": "glm", "hidden_size": 4096, "num_hidden_layers": 40,
        "num_attention_heads": 32, "num_key_value_heads": 2, "head_dim": 128,
        "intermediate_size": 13696, "attention_bias": true,
        "vocab_size": 151552, "tie_word_embeddings": false})"},
    {"minicpm-2b", 2'724'880'896,
     R"({"model_type": "minicpm", "hidden_size": 2304, "num_hidden_layers": 40,
        "num_attention_heads": 36, "num_key_value_heads": 36,
        "intermediate_size": 5760, "vocab_size": 122753})"},
    {"granite-3.1-8b", 8'170'848'256,
     R"({"model_type": "granite", "hidden_size": 4096, "num_hidden_layers": 40,
        "num_attention_heads": 32, "num_key_value_heads": 8,
        "intermediate_size": 12800, "vocab_size": 49155,
        "tie_word_embeddings": true, "attention_bias": false,
        "mlp_bias": false})"},
    {"granite-3.1-3b-a800m", 3'298'793'472,
     R"({"model_type": "granitemoe", "hidden_size": 1536, "num_hidden_layers": 32,
        "num_attention_heads": 24, "num_key_value_heads": 8,
        "intermediate_size": 512, "num_local_experts": 40,
        "num_experts_per_tok": 8, "vocab_size": 49155,
        "tie_word_embeddings": true})"},
    {"smollm3-3b", 3'075'098'624,
     R"({"model_type": "smollm3", "hidden_size": 2048, "num_hidden_layers": 36,
        "num_attention_heads": 16, "num_key_value_heads": 4,
        "intermediate_size": 11008, "vocab_size": 128256,
        "no_rope_layers": [1, 1, 1, 0]})"},
    {"qwen-7b", 7'721'324'544,
     R"({"model_type": "qwen", "hidden_size": 4096, "num_hidden_layers": 32,
        "num_attention_heads": 32, "kv_channels": 128,
        "intermediate_size": 22016, "vocab_size": 151936, "no_bias": true,
        "seq_length": 8192, "tie_word_embeddings": false})"},
    {"dbrx", 131'596'523'520,
     R"({"model_type": "dbrx", "d_model": 6144, "n_layers": 40, "n_heads": 48,
        "max_seq_len": 32768,
        "attn_config": {"kv_n_heads": 8, "clip_qkv": 8},
        "ffn_config": {"ffn_hidden_size": 10752, "moe_num_experts": 16, "moe_top_k": 4},
        "vocab_size": 100352, "tie_word_embeddings": false})"},
    {"phi-3.5-moe", 41'873'153'344,
     R"({"model_type": "phimoe", "hidden_size": 4096, "num_hidden_layers": 32,
        "num_attention_heads": 32, "num_key_value_heads": 8,
        "intermediate_size": 6400, "num_local_experts": 16,
        "num_experts_per_tok": 2, "attention_bias": true,
        "lm_head_bias": true, "vocab_size": 32064,
        "tie_word_embeddings": false})"},
    {"llama-4-scout, text part", 107'769'861'120, R"({"model_type": "llama4",
        "text_config": {"model_type": "llama4_text", "hidden_size": 5120, "num_hidden_layers": 48, "num_attention_heads": 40, "num_key_value_heads": 8, "head_dim": 128, "intermediate_size": 8192, "intermediate_size_mlp": 16384, "interleave_moe_layer_step": 1, "num_local_experts": 16, "num_experts_per_tok": 1, "attention_chunk_size": 8192, "use_qk_norm": true, "vocab_size": 202048, "tie_word_embeddings": false},
        "vision_config": {"hidden_size": 1408}})"},
    {"roberta-base", 124'645'632,
     R"({"model_type": "roberta", "hidden_size": 768, "num_hidden_layers": 12,
        "num_attention_heads": 12, "intermediate_size": 3072,
        "vocab_size": 50265, "max_position_embeddings": 514,
        "type_vocab_size": 1})"},
    {"distilbert-base", 66'362'880,
     R"({"model_type": "distilbert", "dim": 768, "n_layers": 6, "n_heads": 12,
        "hidden_dim": 3072, "vocab_size": 30522,
        "max_position_embeddings": 512})"},
    {"yi-34b", 34'388'917'248, R"({"model_type": "Yi", "hidden_size": 7168, "num_hidden_layers": 60,
        "num_attention_heads": 56, "num_key_value_heads": 8,
        "intermediate_size": 20480, "vocab_size": 64000,
        "tie_word_embeddings": false})"},
    {"gemma-3-27b, text part", 27'009'346'304, R"({"model_type": "gemma3",
        "text_config": {"model_type": "gemma3_text", "head_dim": 128, "hidden_size": 5376, "intermediate_size": 21504, "num_attention_heads": 32, "num_hidden_layers": 62, "num_key_value_heads": 16, "sliding_window": 1024},
        "vision_config": {"hidden_size": 1152}})"},
    {"qwen2-vl-7b, text part", 7'615'616'512,
     R"({"model_type": "qwen2_vl", "hidden_size": 3584, "num_hidden_layers": 28,
        "num_attention_heads": 28, "num_key_value_heads": 4,
        "intermediate_size": 18944, "use_sliding_window": false,
        "vocab_size": 152064, "tie_word_embeddings": false,
        "vision_config": {"embed_dim": 1280}})"},
    {"llava-1.5-7b, text part", 6'738'939'904, R"({"model_type": "llava",
        "text_config": {"model_type": "llama", "max_position_embeddings": 4096, "vocab_size": 32064},
        "vision_config": {"hidden_size": 1024}})"},
};

} // namespace

void TestModelFamilies::eachFamilyCountsItsPublishedParameters_data()
{
    QTest::addColumn<int>("row");
    for (std::size_t row = 0; row < std::size(kPublished); ++row)
        QTest::newRow(kPublished[row].name) << static_cast<int>(row);
}

void TestModelFamilies::eachFamilyCountsItsPublishedParameters()
{
    QFETCH(int, row);
    PlanModel model;
    model.config = kPublished[row].config;
    const auto read = architectureOf(model);
    QVERIFY2(read.ok(), read ? "" : read.error().detail.c_str());
    QCOMPARE(countParameters(*read).total, kPublished[row].parameters);
}

void TestModelFamilies::aFamilyThatCannotBeComputedSaysSo_data()
{
    QTest::addColumn<QByteArray>("config");
    QTest::addColumn<QByteArray>("says");
    QTest::newRow("t5") << QByteArray(R"({"model_type": "t5", "d_model": 512, "num_layers": 6})")
                        << QByteArray("an encoder and a decoder");
    QTest::newRow("unknown encoder-decoder")
        << QByteArray(R"({"model_type": "newcomer", "is_encoder_decoder": true, "d_model": 512})")
        << QByteArray("an encoder and a decoder");
    QTest::newRow("jamba") << QByteArray(R"({"model_type": "jamba", "hidden_size": 4096})")
                           << QByteArray("state-space");
    QTest::newRow("projected embeddings")
        << QByteArray(R"({"model_type": "opt", "hidden_size": 1024, "word_embed_proj_dim": 512,
            "num_hidden_layers": 24, "num_attention_heads": 16, "ffn_dim": 4096,
            "max_position_embeddings": 2048, "vocab_size": 50272})")
        << QByteArray("word_embed_proj_dim");
    QTest::newRow("experts in every second layer")
        << QByteArray(R"({"model_type": "llama4_text", "hidden_size": 5120, "num_hidden_layers": 48,
            "num_attention_heads": 40, "intermediate_size": 8192, "interleave_moe_layer_step": 2,
            "num_local_experts": 128, "num_experts_per_tok": 1, "vocab_size": 202048})")
        << QByteArray("interleave_moe_layer_step");
}

void TestModelFamilies::aFamilyThatCannotBeComputedSaysSo()
{
    QFETCH(QByteArray, config);
    QFETCH(QByteArray, says);
    PlanModel model;
    model.config = config.toStdString();
    const auto read = architectureOf(model);
    QVERIFY(!read.ok());
    QVERIFY2(QByteArray::fromStdString(read.error().detail).contains(says),
             read.error().detail.c_str());
}

void TestModelFamilies::chunkedAttentionSlidesInAllButEveryFourthLayer()
{
    PlanModel model;
    for (const Published &published : kPublished) {
        if (std::string_view(published.name).starts_with("llama-4"))
            model.config = published.config;
    }
    const auto read = architectureOf(model);
    QVERIFY(read.ok());
    QCOMPARE(read->slidingWindow, std::int64_t(8192));
    QCOMPARE(std::ranges::count(read->slidingLayers, false), 12);
    QVERIFY(!read->slidingLayers[3]);
}

QTEST_APPLESS_MAIN(TestModelFamilies)
#include "tst_model_families.moc"
