// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/estimate.h"
#include "core/model/missing_parts.h"
#include "core/model/parameters.h"
#include "core/plan/plan.h"
#include "core/print/plan_report.h"
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
    void keysThatSayNothingRefuseNothing();
    void whatIsNotCountedStandsInTheAnswer_data();
    void whatIsNotCountedStandsInTheAnswer();
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
    {"apertus-8b", 8'053'338'176,
     R"({"model_type": "apertus", "hidden_size": 4096, "num_hidden_layers": 32,
        "num_attention_heads": 32, "num_key_value_heads": 8, "intermediate_size": 21504,
        "vocab_size": 131072, "tie_word_embeddings": false, "hidden_act": "xielu"})"},
    {"afm-4.5b", 4'619'184'640,
     R"({"model_type": "arcee", "hidden_size": 2560, "num_hidden_layers": 36,
        "num_attention_heads": 20, "num_key_value_heads": 4, "head_dim": 128,
        "intermediate_size": 18432, "vocab_size": 128004, "tie_word_embeddings": false,
        "hidden_act": "relu2"})"},
    {"ling-mini-2.0", 16'255'643'392,
     R"({"model_type": "bailing_moe_v2", "hidden_size": 2048, "num_hidden_layers": 20,
        "num_attention_heads": 16, "num_key_value_heads": 4, "head_dim": 128,
        "intermediate_size": 5120, "moe_intermediate_size": 512, "num_experts": 256,
        "num_experts_per_tok": 8, "num_shared_experts": 1, "first_k_dense_replace": 1,
        "vocab_size": 157184, "use_qk_norm": true, "tie_word_embeddings": false})"},
    {"deepseek-moe-16b", 16'375'728'128,
     R"({"model_type": "deepseek", "hidden_size": 2048, "num_hidden_layers": 28,
        "num_attention_heads": 16, "num_key_value_heads": 16, "intermediate_size":
        10944, "moe_intermediate_size": 1408, "n_routed_experts": 64,
        "num_experts_per_tok": 6, "n_shared_experts": 2, "first_k_dense_replace": 1,
        "vocab_size": 102400, "tie_word_embeddings": false})"},
    {"dots.llm1", 142'774'381'696,
     R"({"model_type": "dots1", "hidden_size": 4096, "num_hidden_layers": 62,
        "num_attention_heads": 32, "num_key_value_heads": 32, "head_dim": 128,
        "intermediate_size": 10944, "moe_intermediate_size": 1408, "n_routed_experts":
        128, "num_experts_per_tok": 6, "n_shared_experts": 2, "first_k_dense_replace":
        1, "vocab_size": 152064, "tie_word_embeddings": false})"},
    {"ernie-4.5-0.3b", 360'748'032,
     R"({"model_type": "ernie4_5", "hidden_size": 1024, "num_hidden_layers": 18,
        "num_attention_heads": 16, "num_key_value_heads": 2, "head_dim": 128,
        "intermediate_size": 3072, "vocab_size": 103424, "tie_word_embeddings": true})"},
    {"ernie-4.5-300b", 299'484'163'264,
     R"({"model_type": "ernie4_5_moe", "hidden_size": 8192, "num_hidden_layers": 54,
        "num_attention_heads": 64, "num_key_value_heads": 8, "head_dim": 128,
        "intermediate_size": 28672, "moe_intermediate_size": 3584, "moe_num_experts":
        64, "moe_k": 8, "moe_num_shared_experts": 0, "moe_layer_start_index": 3,
        "num_nextn_predict_layers": 1, "vocab_size": 103424, "tie_word_embeddings":
        false})"},
    {"exaone-4.0-1.2b", 1'279'391'488,
     R"({"model_type": "exaone4", "hidden_size": 2048, "num_hidden_layers": 30,
        "num_attention_heads": 32, "num_key_value_heads": 8, "head_dim": 64,
        "intermediate_size": 4096, "vocab_size": 102400, "tie_word_embeddings": true})"},
    {"hy3-preview", 295'033'543'488,
     R"({"model_type": "hy_v3", "hidden_size": 4096, "num_hidden_layers": 80,
        "num_attention_heads": 64, "num_key_value_heads": 8, "head_dim": 128,
        "intermediate_size": 13312, "moe_intermediate_size": 1536, "num_experts": 192,
        "num_experts_per_tok": 8, "num_shared_experts": 1, "first_k_dense_replace": 1,
        "num_nextn_predict_layers": 1, "vocab_size": 120832, "tie_word_embeddings":
        false})"},
    {"mimo-7b", 7'622'619'136,
     R"({"model_type": "mimo", "num_hidden_layers": 36, "hidden_size": 4096,
        "num_attention_heads": 32, "num_key_value_heads": 8, "head_dim": 128,
        "intermediate_size": 11008, "vocab_size": 151680, "attention_bias": true,
        "sliding_window": 32768, "max_window_layers": 32, "use_sliding_window": false,
        "num_nextn_predict_layers": 1, "tie_word_embeddings": false})"},
    {"minimax-m2.5", 228'689'764'864,
     R"({"model_type": "minimax_m2", "num_hidden_layers": 62, "hidden_size": 3072,
        "num_attention_heads": 48, "num_key_value_heads": 8, "head_dim": 128,
        "intermediate_size": 1536, "vocab_size": 200064, "num_experts_per_tok": 8,
        "num_local_experts": 256, "tie_word_embeddings": false, "use_qk_norm": true,
        "use_mtp": true, "mtp_transformer_layers": 1, "num_mtp_modules": 3,
        "shared_intermediate_size": 0})"},
    {"olmo-3-7b", 7'298'011'136,
     R"({"model_type": "olmo3", "hidden_size": 4096, "num_hidden_layers": 32,
        "num_attention_heads": 32, "num_key_value_heads": 32, "intermediate_size":
        11008, "vocab_size": 100278, "tie_word_embeddings": false})"},
    {"devstral-2-123b", 125'025'988'608,
     R"({"model_type": "ministral3", "hidden_size": 12288, "intermediate_size": 28672,
        "num_hidden_layers": 88, "num_attention_heads": 96, "num_key_value_heads": 8,
        "head_dim": 128, "vocab_size": 131072, "tie_word_embeddings": false})"},
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
    QTest::newRow("pegasus") << QByteArray(
                                    R"({"model_type": "pegasus", "d_model": 512, "num_layers": 6})")
                             << QByteArray("an encoder and a decoder");
    QTest::newRow("unknown encoder-decoder")
        << QByteArray(R"({"model_type": "newcomer", "is_encoder_decoder": true, "d_model": 512})")
        << QByteArray("an encoder and a decoder");
    QTest::newRow("plamo2") << QByteArray(R"({"model_type": "plamo2", "hidden_size": 4096})")
                            << QByteArray("state-space");
    const auto like = [](const char *type, const char *key) {
        return QByteArray(R"({"model_type": ")") + type +
               R"(", "hidden_size": 64, "num_hidden_layers": 4,
            "num_attention_heads": 4, "intermediate_size": 256, "vocab_size": 1000, )" +
               key + '}';
    };
    QTest::newRow("an unknown type") << like("newcomer", R"("head_dim": 16)")
                                     << QByteArray("model_type \"newcomer\" is not known");
    QTest::newRow("an unknown type as text part")
        << QByteArray(R"({"model_type": "newcomer", "text_config": {"hidden_size": 64,
            "num_hidden_layers": 4, "num_attention_heads": 4, "vocab_size": 1000,
            "intermediate_size": 256}})")
        << QByteArray("model_type \"newcomer\" is not known");
    for (const char *activation : {"xielu", "relu2", "mish"})
        QTest::newRow(activation)
            << like("llama", ("\"hidden_act\": \"" + QByteArray(activation) + '"').constData())
            << QByteArray("hidden_act is \"") + activation;
    const std::pair<const char *, const char *> kinds[] = {
        {R"("layer_types": ["full_attention", "linear_attention", "conv", "full_attention"])",
         "layer_types"},
        {R"("use_sliding_window": false, "layer_types": ["mamba", "mamba", "mamba", "mamba"])",
         "layer_types"},
        {R"("full_attention_interval": 4)", "full_attention_interval"},
        {R"("linear_num_value_heads": 16)", "linear_num_value_heads"},
        {R"("linear_attn_config": {"kda_layers": [1, 2]})", "linear_attn_config.kda_layers"},
        {R"("layer_group_size": 5)", "layer_group_size"},
        {R"("attn_type_list": [0, 0, 0, 1])", "attn_type_list"},
        {R"("mamba_d_state": 128)", "mamba_d_state"},
        {R"("ssm_state_size": 128)", "ssm_state_size"},
        {R"("state_size": 16)", "state_size"},
        {R"("time_step_rank": 48)", "time_step_rank"},
        {R"("hybrid_override_pattern": "M-M*")", "hybrid_override_pattern"},
        {R"("layers_block_type": ["mamba", "attention"])", "layers_block_type"},
        {R"("attn_layer_indices": [3])", "attn_layer_indices"},
        {R"("attn_layer_period": 8)", "attn_layer_period"},
        {R"("conv_L_cache": 3)", "conv_L_cache"},
        {R"("full_attn_idxs": [2])", "full_attn_idxs"},
        {R"("index_n_heads": 64)", "index_n_heads"},
        {R"("sparse_attention_config": {"sparse_topk_blocks": 16})",
         "sparse_attention_config.sparse_topk_blocks"},
        {R"("compress_ratios": [0, 4, 128, 0])", "compress_ratios"},
        {R"("hybrid_layer_pattern": [0, 1, 1, 0])", "hybrid_layer_pattern"},
        {R"("hidden_size_per_layer_input": 256)", "hidden_size_per_layer_input"},
        {R"("num_kv_shared_layers": 10)", "num_kv_shared_layers"},
        {R"("laurel_rank": 64)", "laurel_rank"},
        {R"("altup_num_inputs": 4)", "altup_num_inputs"},
        {R"("moe_latent_size": 1024)", "moe_latent_size"},
        {R"("routed_expert_hidden_size": 3584)", "routed_expert_hidden_size"},
        {R"("attn_res_block_size": 12)", "attn_res_block_size"},
        {R"("hc_mult": 4)", "hc_mult"},
        {R"("block_configs": [{"attention": {}}])", "block_configs"},
        {R"("num_attention_heads_per_layer": [4, 8, 8, 4])", "num_attention_heads_per_layer"},
        {R"("o_lora_rank": 1024)", "o_lora_rank"},
    };
    for (const auto &[key, name] : kinds)
        QTest::newRow(key) << like("llama", key) << QByteArray("model.config.") + name;
    QTest::newRow("projected embeddings")
        << QByteArray(R"({"model_type": "opt", "hidden_size": 1024, "word_embed_proj_dim": 512,
            "num_hidden_layers": 24, "num_attention_heads": 16, "ffn_dim": 4096,
            "max_position_embeddings": 2048, "vocab_size": 50272})")
        << QByteArray("word_embed_proj_dim");
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

void TestModelFamilies::keysThatSayNothingRefuseNothing()
{
    const std::string shape = R"({"model_type": "llama", "hidden_size": 64, "num_hidden_layers": 4,
        "num_attention_heads": 4, "intermediate_size": 256, "vocab_size": 1000, "hidden_act": "silu")";
    Plan plan;
    plan.model.config = shape + '}';
    const std::int64_t plain = estimate(plan).parametersTotal;
    QVERIFY(plain > 0);
    for (
        const char *key :
        {R"("layer_types": ["full_attention", "full_attention", "full_attention", "full_attention"])",
         R"("num_nextn_predict_layers": 0)",
         R"("sliding_window": 4096)",
         R"("full_attention_interval": 1)",
         R"("linear_attn_config": null)",
         R"("mamba_d_state": 0)",
         R"("layers_block_type": ["attention", "attention", "attention", "attention"])",
         R"("index_n_heads": null)",
         R"("hidden_size_per_layer_input": 0)",
         R"("num_kv_shared_layers": 0)",
         R"("hc_mult": 1)",
         R"("layer_group_size": 1)",
         R"("hybrid_layer_pattern": [0, 0, 0, 0])",
         R"("attn_type_list": [1, 1, 1, 1])",
         R"("num_attention_heads_per_layer": [4, 4, 4, 4])",
         R"("vision_config": null)",
         R"("use_mtp": false)",
         R"("mtp_num_layers": 0)",
         R"("rope_scaling": {"factor": 8.0})",
         R"("quantization_config": {"quant_method": "fp8"})"}) {
        plan.model.config = shape + ", " + key + '}';
        const Estimate it = estimate(plan);
        QVERIFY2(it.computed, whyNotComputed(it).c_str());
        QCOMPARE(it.parametersTotal, plain);
        QVERIFY2(notCounted(it.issues).empty(), key);
    }
    // A class that is not gated takes any activation, and a plan that says so any class.
    plan.model.config = shape + R"(, "hidden_activation": "relu2"})";
    QVERIFY(!estimate(plan).computed);
    plan.model.gatedMlp = false;
    QVERIFY(estimate(plan).computed);
}

void TestModelFamilies::whatIsNotCountedStandsInTheAnswer_data()
{
    QTest::addColumn<QByteArray>("key");
    QTest::addColumn<QByteArray>("says");
    const auto row = [](const char *key, const char *says) {
        QTest::newRow(key) << QByteArray(key) << QByteArray(says);
    };
    row(R"("vision_config": {"hidden_size": 32})",
        "Text part only: the vision tower is not counted.");
    row(R"("visual": {"layers": 48, "width": 1664})",
        "Text part only: the vision tower is not counted.");
    row(R"("audio_config": {"d_model": 32})", "Text part only: the audio tower is not counted.");
    row(R"("audio_config": {"d_model": 32}, "vision_config": {"depth": 2})",
        "Text part only: the audio tower and the vision tower are not counted.");
    row(R"("talker_config": {"hidden_size": 32})",
        "Text part only: \"talker_config\" is not counted.");
    row(R"("num_nextn_predict_layers": 1)", "Multi-token prediction is not counted.");
    row(R"("mtp_num_hidden_layers": 1)", "Multi-token prediction is not counted.");
    row(R"("vision_lora": {"r": 256})",
        "The adapters that the model brings along are not counted.");
}

void TestModelFamilies::whatIsNotCountedStandsInTheAnswer()
{
    QFETCH(QByteArray, key);
    QFETCH(QByteArray, says);
    const std::string text = R"("hidden_size": 64, "num_hidden_layers": 4, "vocab_size": 1000,
        "num_attention_heads": 4, "intermediate_size": 256, "model_type": "llama")";
    for (const std::string &config : {'{' + text + ", " + key.toStdString() + '}',
                                      R"({"model_type": "newcomer", "text_config": {)" + text +
                                          "}, " + key.toStdString() + '}'}) {
        Plan plan;
        plan.model.config = config;
        const Estimate it = estimate(plan);
        QVERIFY2(it.computed, whyNotComputed(it).c_str());
        QVERIFY2(answerLine("A plan", it).find(says.toStdString()) != std::string::npos,
                 answerLine("A plan", it).c_str());
    }
    // A text part stands beside something, even where that has no key of its own.
    Plan plan;
    plan.model.config = R"({"vision_config": {}, "text_config": {)" + text + "}}";
    QVERIFY(answerLine(plan, estimate(plan)).find("Text part only") != std::string::npos);
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

VRAMSCOPE_TEST(TestModelFamilies)
#include "tst_model_families.moc"
