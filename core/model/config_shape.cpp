// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/config_shape.h"

#include "core/base/counted.h"
#include "core/base/text.h"
#include "core/catalog/model_types.h"
#include "core/model/config_blocks.h"
#include "core/model/config_kinds.h"
#include "core/model/config_reader.h"
#include "core/plan/plan.h"

#include <algorithm>
#include <array>
#include <utility>

namespace vramscope {

namespace {

/// The layers that slide, by their words in the config.
void readLayerTypes(ConfigReader &config, const ModelType &type, const FieldValue &value,
                    Architecture &it)
{
    const auto *list = std::get_if<TextList>(&value);
    if (!list || list->size() != static_cast<std::size_t>(it.layers)) {
        config.fail("layer_types", "must be a list with one word for each of the " +
                                       counted(it.layers, "layer") + ".");
        return;
    }
    for (const std::string &word : *list) {
        const bool slides = word == "sliding_attention" || word == "chunked_attention";
        if (!slides && word != "full_attention") {
            config.fail("layer_types", "holds \"" + excerpt(word, 40) +
                                           "\"; known are sliding_attention, chunked_attention "
                                           "and full_attention.");
            return;
        }
        it.slidingLayers.push_back(slides);
    }
    if (std::ranges::none_of(it.slidingLayers, std::identity()))
        it.slidingLayers.clear(), it.slidingWindow = 0;
    else if (it.slidingWindow == 0)
        config.fail(type.windowKey, "is missing: layer_types names sliding layers.");
}

/// Which layers of a config attend through a window, and its width; `otherwise` where the config
/// does not say (0: no window).
void readWindow(ConfigReader &config, const ModelType &type, std::int64_t otherwise,
                Architecture &it)
{
    it.slidingWindow = config.count({type.windowKey}, 1, kMaxPositions, otherwise);
    if (!config.flag("use_sliding_window", !type.windowNeedsFlag)) {
        it.slidingWindow = 0;
        return;
    }
    if (const FieldValue *list = config.find("layer_types")) {
        readLayerTypes(config, type, *list, it);
    } else if (it.slidingWindow > 0 && type.fullEvery > 0) {
        const std::int64_t every =
            config.count({"sliding_window_pattern"}, 1, kMaxLayers, type.fullEvery);
        it.slidingLayers = slidingPattern(it.layers, every);
    } else if (it.slidingWindow > 0 && type.windowNeedsFlag) {
        const std::int64_t full = config.count({"max_window_layers"}, 0, kMaxLayers, 0);
        for (std::int64_t layer = 0; layer < it.layers; ++layer)
            it.slidingLayers.push_back(layer >= full);
    }
}

/// Reads one config.json, subject by subject, with the keys of each family.
class ShapeReader
{
public:
    ShapeReader(std::vector<FlatValue> values, const PlanModel &model,
                std::vector<std::string> *keysRead)
        : m_config(std::move(values))
        , m_model(model)
    {
        m_config.listTo(keysRead);
    }

    Result<Architecture> read();

private:
    void type();
    void sizes();
    void encoderHead();
    void positions();
    void heads();
    void latentAttention();
    void biases();
    void norms();
    void activation();
    [[nodiscard]] std::optional<double> fraction(std::string_view key) const;
    [[nodiscard]] bool capped(std::string_view key, bool byDefault) const;
    void feedForward();
    void experts();
    void denseLayers();

    /// The class's default where a part of a config has no value.
    [[nodiscard]] std::int64_t byDefault(std::int64_t Architecture::*member) const
    {
        return m_config.nested() ? m_type.defaults.*member : 0;
    }

    ConfigReader m_config;
    const PlanModel &m_model;
    ModelType m_type;
    const BlockReader *m_blocks = nullptr; ///< null: a transformer
    Architecture m_it;
};

void ShapeReader::type()
{
    const std::string name = m_config.text("model_type");
    if (const std::string_view why = whyNotComputed(name); !why.empty())
        m_config.fail("model_type", '"' + name + "\" " + std::string(why));
    const ModelType *known = findModelType(name);
    if (!known && m_config.nested())
        known = findModelType(textTypeOf(name));
    m_type = known ? *known : ModelType{};
    m_it = m_type.architecture;
    m_it.modelType = known ? known->name : name;
    m_blocks = findBlockReader(m_it.modelType);
    const bool readsSource = std::ranges::find(sourceBlockReaders(), m_it.modelType,
                                               &BlockReader::type) != sourceBlockReaders().end();
    if (!readsSource && m_config.flag("is_encoder_decoder", false))
        m_config.fail("is_encoder_decoder", std::string(whyNotComputed("pegasus")));
    refuseOtherKinds(m_config, m_type, m_model.gatedMlp.has_value(), m_blocks);
    if (!known && name.find_first_not_of(" \t\r\n") != std::string::npos)
        m_config.fail("model_type",
                      '"' + name.substr(0, 60) +
                          "\" is not known, and a model of an unknown type is not taken for a "
                          "Llama. Where it is built like one that is known, write that one's "
                          "model_type: \"llama\", \"qwen3\", …");
}

void ShapeReader::sizes()
{
    m_it.layers = m_config.required(
        {"num_hidden_layers", "n_layer", "n_layers", "num_layers", "encoder_layers"}, kMaxLayers,
        m_blocks ? listedLayers(m_config) : byDefault(&Architecture::layers));
    m_it.hidden = m_config.required({"hidden_size", "n_embd", "d_model", "n_embed", "dim"},
                                    kMaxWidth, byDefault(&Architecture::hidden));
    if (!m_blocks || m_blocks->tokens)
        m_it.vocab = m_config.required({"padded_vocab_size", "vocab_size"}, kMaxVocabulary,
                                       byDefault(&Architecture::vocab));
    for (const char *key : {"word_embed_proj_dim", "embedding_size"}) {
        if (m_config.count({key}, 1, kMaxWidth, m_it.hidden) != m_it.hidden)
            m_config.fail(key, "differs from the hidden size, which is not supported: embeddings "
                               "must be as wide as the layers.");
    }
    // The class of the whole ties the head, whatever the part says.
    m_it.tiedEmbeddings = m_config.flagOfWhole(
        "tie_word_embeddings", m_config.flag("tie_word_embeddings", m_it.tiedEmbeddings));
    if (m_it.typeVocab > 0)
        m_it.typeVocab = m_config.count({"type_vocab_size"}, 0, kMaxHeads, m_it.typeVocab);
    if (m_type.pooler)
        encoderHead();
    m_it.logitSoftCap = capped("final_logit_softcapping", m_it.logitSoftCap);
    m_it.scoreSoftCap = capped("attn_logit_softcapping", m_it.scoreSoftCap);
    m_it.extraParameters += m_type.extraPerLayer * m_it.layers;
}

/// What follows the blocks of an encoder: a pooler, or a prediction of masked tokens, which ends in
/// a norm and gives the head a bias. transformers models/bert/modeling_bert.py.
void ShapeReader::encoderHead()
{
    m_it.encoder = true;
    m_it.extraParameters = m_it.hidden * m_it.hidden + m_it.hidden;
    const FieldValue *value = m_config.find("architectures");
    const auto *classes = value ? std::get_if<TextList>(value) : nullptr;
    const std::string name = classes && !classes->empty() ? classes->front() : std::string();
    if (name.ends_with("ForMaskedLM") || name.ends_with("LMHeadModel") ||
        name.ends_with("ForCausalLM")) {
        m_it.extraParameters += 2 * m_it.hidden;
        m_it.bias.head = true;
    }
}

void ShapeReader::positions()
{
    const ConfigKeys keys = {"max_position_embeddings",
                             "n_positions",
                             "n_ctx",
                             "max_seq_len",
                             "model_max_length",
                             "seq_length",
                             "max_sequence_length",
                             "max_target_positions"};
    m_it.maxPositions =
        m_config.count(keys, 1, kMaxPositions, byDefault(&Architecture::maxPositions));
    const bool alibi = m_config.flag("attn_config.alibi", m_config.flag("alibi", false));
    m_it.rotary &= !alibi;
    const bool learned =
        m_type.learnedPositions && m_config.flag("learned_pos_emb", true) && !alibi;
    if (learned && !m_model.learnedPositions)
        m_it.learnedPositions = m_config.required(keys, kMaxPositions) + m_type.positionOffset;
}

void ShapeReader::heads()
{
    m_it.heads = m_config.required(
        {"num_attention_heads", "n_head", "n_heads", "encoder_attention_heads", "num_heads"},
        kMaxHeads, byDefault(&Architecture::heads));
    const std::int64_t groups = byDefault(&Architecture::kvHeads);
    m_it.kvHeads = m_config.count(
        {"num_key_value_heads", "num_kv_heads", "n_head_kv", "attn_config.kv_n_heads"}, 1,
        kMaxHeads, groups > 0 ? groups : m_it.heads);
    const bool grouped = m_config.flag("new_decoder_architecture", m_config.has("n_head_kv"));
    if (!grouped && m_config.flag("multi_query", m_type.multiQuery))
        m_it.kvHeads = 1;
    if (m_config.flag("multi_query_attention", false))
        m_it.kvHeads = m_config.required({"multi_query_group_num"}, kMaxHeads);
    m_it.kvLoraRank = m_config.count({"kv_lora_rank"}, 0, kMaxWidth, 0);
    if (m_it.mla())
        return latentAttention();
    const std::int64_t even = std::max<std::int64_t>(1, m_it.hidden / m_it.heads);
    const std::int64_t dim = byDefault(&Architecture::headDim);
    m_it.headDim =
        m_config.count({"head_dim", "kv_channels", "d_kv"}, 1, kMaxHeads, dim > 0 ? dim : even);
    if (m_it.heads % m_it.kvHeads != 0)
        m_config.fail("num_key_value_heads", "must divide num_attention_heads.");
}

void ShapeReader::latentAttention()
{
    m_it.qLoraRank = m_config.count({"q_lora_rank"}, 0, kMaxWidth, 0);
    m_it.qkNopeHeadDim = m_config.required({"qk_nope_head_dim"}, kMaxWidth);
    m_it.qkRopeHeadDim = m_config.required({"qk_rope_head_dim"}, kMaxWidth);
    m_it.vHeadDim = m_config.required({"v_head_dim"}, kMaxWidth);
    m_it.headDim = m_it.qkNopeHeadDim + m_it.qkRopeHeadDim;
}

void ShapeReader::biases()
{
    Biases &bias = m_it.bias;
    if (m_config.has(m_type.biasKey)) {
        const bool stated = m_config.flag(m_type.biasKey, false) != m_type.biasKeyDenies;
        const Biases &of = m_type.biasOfKey;
        bias.qkv = of.qkv ? stated : bias.qkv;
        bias.o = of.o ? stated : bias.o;
        bias.mlp = of.mlp ? stated : bias.mlp;
        m_it.normBias |= m_type.biasKeyDenies && stated; // MPT: norms too
    }
    if (m_config.has("attention_bias")) {
        bias.qkv = m_config.flag("attention_bias", false);
        if (m_type.attentionBiasOnOutput)
            bias.o = bias.qkv;
    }
    bias.o = m_config.flag("attention_out_bias", bias.o);
    bias.qkv = m_config.flag("add_qkv_bias", m_config.flag("use_qkv_bias", bias.qkv));
    if (m_config.flag("add_bias_linear", false))
        bias.qkv = bias.o = bias.mlp = true;
    bias.mlp = m_config.flag("mlp_bias", bias.mlp);
    bias.shared = bias.mlp && m_type.sharedBias;
    bias.head = m_config.flag("lm_head_bias", bias.head);
    m_it.normWeight &= m_config.flag("layer_norm_elementwise_affine", true);
}

void ShapeReader::norms()
{
    const bool grouped = m_config.flag("new_decoder_architecture", m_config.has("n_head_kv"));
    const bool parallel =
        m_config.has(m_type.oneNormKey) && m_config.flag(m_type.oneNormKey, false);
    if (parallel)
        m_it.normsPerLayer = grouped ? m_config.count({"num_ln_in_parallel_attn"}, 1, 2, 2) : 1;
    if (!m_type.qkNormKey.empty())
        m_it.qkNorm = m_config.flag(m_type.qkNormKey, m_it.qkNorm);
    m_it.plainQkNorm = m_it.expertsOnAll && m_config.flag("use_qk_norm", true);
    if (m_it.qkNorm && m_type.qkNormBias)
        m_it.extraParameters += 2 * m_it.headDim * m_it.layers;
    if (const auto part = fraction("partial_rotary_factor"))
        m_it.partialRotary = m_it.partialRotary || *part < 1;
    if (m_type.embeddingNorm)
        m_it.extraParameters += m_it.hidden * m_it.normVectors();
}

/// A number of the config, or of its rotation's settings.
std::optional<double> ShapeReader::fraction(std::string_view key) const
{
    const std::string name(key);
    for (const std::string &path : {name, "rope_parameters." + name, "rope_scaling." + name}) {
        const FieldValue *value = m_config.find(path);
        if (const auto *real = value ? std::get_if<double>(value) : nullptr)
            return *real;
        if (const auto *whole = value ? std::get_if<std::int64_t>(value) : nullptr)
            return static_cast<double>(*whole);
    }
    return std::nullopt;
}

/// Whether values are capped softly: by a number, or by the class's default; null switches it off.
bool ShapeReader::capped(std::string_view key, bool byDefault) const
{
    return m_config.has(key) ? fraction(key).value_or(0) > 0 : byDefault;
}

/// Names in transformers' activations.py that are no single kernel.
void ShapeReader::activation()
{
    constexpr std::array<std::pair<std::string_view, Activation>, 6> kWrittenOut = {{
        {"gelu_new", Activation::GeluNew},
        {"gelu_fast", Activation::GeluFast},
        {"gelu_accurate", Activation::GeluNew},
        {"quick_gelu", Activation::QuickGelu},
        {"relu", Activation::Relu},
        {"relu2", Activation::ReluSquared},
    }};
    for (const char *key : {"hidden_act", "hidden_activation", "activation_function"}) {
        const std::string name = m_config.text(key);
        if (name.empty())
            continue;
        const auto found = std::ranges::find(kWrittenOut, std::string_view(name),
                                             &std::pair<std::string_view, Activation>::first);
        const bool clamped = m_it.activation == Activation::ClampedGate; // around the name's
        if (!clamped)
            m_it.activation = found == kWrittenOut.end() ? Activation::Fused : found->second;
    }
}

void ShapeReader::feedForward()
{
    activation();
    m_it.ffn = m_config.count({"intermediate_size", "n_inner", "ffn_dim", "ffn_hidden_size",
                               "ffn_config.ffn_hidden_size", "hidden_dim", "block_ff_dim",
                               "encoder_ffn_dim", "d_ff"},
                              1, kMaxFfn, byDefault(&Architecture::ffn));
    if (m_type.ffnCountsBoth)
        m_it.ffn /= 2;
    const std::int64_t ratio =
        m_config.count({"expansion_ratio"}, 1, kMaxHeads, m_type.ffnOverHidden);
    if (m_it.ffn == 0 && m_type.ffnOverHidden > 0)
        m_it.ffn = std::min(kMaxFfn, ratio * m_it.hidden);
    experts();
    if (m_it.moe() && m_it.modelType == "llama4_text") // its experts have the usual key
        m_it.ffn = m_config.count({"intermediate_size_mlp"}, 1, kMaxFfn, m_it.ffn);
    if (m_it.ffn == 0 && (!m_it.moe() || m_it.denseLayers > 0))
        m_it.ffn = m_config.required({"intermediate_size"}, kMaxFfn);
}

void ShapeReader::experts()
{
    const ConfigKeys counts = {"num_local_experts", "num_experts", "n_routed_experts",
                               "moe_num_experts", "ffn_config.moe_num_experts"};
    m_it.experts = m_type.experts ? m_config.required(counts, kMaxHeads)
                                  : m_config.count(counts, 0, kMaxHeads, 0);
    if (!m_it.moe())
        return;
    m_it.expertsPerToken = m_config.required({"num_experts_per_tok", "experts_per_token",
                                              "num_experts_per_token", "moe_k", "moe_topk",
                                              "moe_top_k", "top_k_experts", "ffn_config.moe_top_k"},
                                             kMaxHeads);
    if (m_it.expertsPerToken > m_it.experts)
        m_config.fail("num_experts_per_tok", "is more than there are experts.");
    m_it.expertFfn = m_config.count({"moe_intermediate_size"}, 1, kMaxFfn, m_it.ffn);
    if (m_it.expertFfn == 0)
        m_it.expertFfn = m_config.required({"moe_intermediate_size"}, kMaxFfn);
    m_it.sharedExperts = m_config.count(
        {"n_shared_experts", "num_shared_experts", "num_shared_expert", "moe_num_shared_experts"},
        0, kMaxHeads, m_type.sharedExpertLikeRouted ? 1 : 0);
    m_it.sharedFfn = m_config.count({"shared_expert_intermediate_size", "shared_intermediate_size",
                                     "moe_shared_expert_intermediate_size", "share_expert_dim"},
                                    0, kMaxFfn, m_it.sharedExperts * m_it.expertFfn);
    if (m_it.sharedFfn > 0)
        m_it.sharedExperts = std::max<std::int64_t>(1, m_it.sharedExperts);
    denseLayers();
}

/// Which layers have experts: those after the first dense ones, or any that a rule or a list names.
void ShapeReader::denseLayers()
{
    m_it.denseLayers = m_config.count(
        {"first_k_dense_replace", "moe_layer_start_index", "num_dense_layers"}, 0, m_it.layers, 0);
    if (m_blocks)
        return; // it reads the layers' own words
    takeExperts(expertLayers(m_config, m_it), m_it);
}

Result<Architecture> ShapeReader::read()
{
    type();
    sizes();
    positions();
    if (!m_blocks || m_blocks->attends)
        heads();
    biases();
    norms();
    if (!m_blocks || m_blocks->feeds)
        feedForward();
    if (m_blocks && !m_config.error())
        m_blocks->read(m_config, m_it);
    if (!m_blocks)
        readWindow(m_config, m_type, byDefault(&Architecture::slidingWindow), m_it);
    if (m_config.error())
        return *m_config.error();
    return m_it;
}

} // namespace

Result<Architecture> shapeOfConfig(const std::string &config, const PlanModel &model,
                                   std::vector<std::string> *keysRead)
{
    auto values = flattened(config);
    if (!values)
        return Error{ErrorCode::Invalid,
                     "model.config must be an object: the content of a config.json."};
    return ShapeReader(std::move(*values), model, keysRead).read();
}

} // namespace vramscope
