// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/checkpoint/tensor_names.h"

#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <vector>

namespace vramscope {

namespace {

using Words = std::span<const std::string_view>;

// Lists of words, separated by blanks.

// Wrappers of the text model.
constexpr std::string_view kWrappers =
    "model language_model transformer text_model backbone base_model gpt_neox bert roberta "
    "llm module thinker";
constexpr std::string_view kTowers =
    "visual vision_tower vision_model vision_encoder vision_embed_tokens vision_backbone "
    "vision_adapter vision_language_adapter vision_projection multi_modal_projector "
    "vit_large_projector mm_projector patch_merger pre_mm_projector_norm mlp1 audio_tower "
    "audio_encoder audio_model audio_projection embed_vision embed_audio embed_image embed_mm "
    "connector aligner";
constexpr std::string_view kEmbeddings =
    "embed_tokens wte word_embeddings tok_embeddings embed_in embeddings embedding";
constexpr std::string_view kPositions =
    "wpe position_embeddings token_type_embeddings embed_positions";
constexpr std::string_view kHeads = "lm_head embed_out output";
// Gemma 3n and 4: inputs of each layer, several residual streams, low-rank residuals.
constexpr std::string_view kOwnInputs =
    "altup laurel per_layer_input_gate per_layer_projection post_per_layer_input_norm "
    "altup_projections altup_unembed_projections embed_tokens_per_layer "
    "per_layer_model_projection per_layer_projection_norm";
constexpr std::string_view kPoolers = "pooler cls";
constexpr std::string_view kLayerLists = "layers layer h blocks block";

constexpr std::string_view kAttention = "self_attn attn attention self_attention cross_attn";
constexpr std::string_view kMixers = "linear_attn mamba mixer conv short_conv ssm delta_net mamba2";
constexpr std::string_view kFeedForwards =
    "mlp feed_forward ffn intermediate output block_sparse_moe moe mixer experts shared_mlp";
constexpr std::string_view kShared = "shared_expert shared_experts shared_mlp share_expert";

constexpr std::string_view kQueries =
    "q_proj query wq q_b_proj kv_b_proj g_proj gate_proj sinks attention_sink_bias "
    "attention_sink sink";
constexpr std::string_view kKeys = "k_proj key wk";
constexpr std::string_view kValues = "v_proj value wv";
constexpr std::string_view kFused = "qkv_proj query_key_value c_attn Wqkv W_pack wqkv qkv";
constexpr std::string_view kOutputs = "o_proj out_proj c_proj dense wo";
constexpr std::string_view kLatent =
    "q_a_proj kv_a_proj_with_mqa kv_a_proj q_a_layernorm kv_a_layernorm";
constexpr std::string_view kGatesAndUps =
    "gate_proj up_proj gate_up_proj w1 w3 fc1 c_fc dense_h_to_4h input_linear linear_in";
constexpr std::string_view kDowns =
    "down_proj w2 fc2 c_proj dense_4h_to_h output_linear linear_out";
constexpr std::string_view kLatentExperts = "fc1_latent_proj fc2_latent_proj";

constexpr std::string_view kScales =
    "weight_scale weight_scale_inv weight_scale_2 input_scale scales qzeros weight_zero_point "
    "weight_shape input_global_scale weight_global_scale activation_scale act_scale "
    "output_scale k_scale v_scale kv_scale SCB absmax quant_map nested_absmax "
    "nested_quant_map bias_scale";
constexpr std::string_view kPacked = "qweight weight_packed";
constexpr std::string_view kOrders = "g_idx weight_g_idx";
constexpr std::string_view kTables = "inv_freq cos_cached sin_cached";

/// Whether a list has the word.
bool isIn(std::string_view word, std::string_view list)
{
    for (std::size_t at = list.find(word); at != list.npos; at = list.find(word, at + 1)) {
        const std::size_t end = at + word.size();
        if ((at == 0 || list[at - 1] == ' ') && (end == list.size() || list[end] == ' '))
            return !word.empty() && word.find(' ') == word.npos;
    }
    return false;
}

bool hasAny(Words words, std::string_view list)
{
    return std::ranges::any_of(words, [list](std::string_view word) { return isIn(word, list); });
}

bool isNorm(std::string_view word)
{
    return lowered(word).find("norm") != std::string::npos || word.starts_with("ln_") ||
           word == "ln1" || word == "ln2";
}

std::vector<std::string_view> wordsOf(std::string_view name)
{
    std::vector<std::string_view> words;
    while (true) {
        const std::size_t dot = std::min(name.find('.'), name.size());
        words.push_back(name.substr(0, dot));
        if (dot == name.size())
            return words;
        name.remove_prefix(dot + 1);
    }
}

/// A name without the model's wrapper, split into the module and its stored tensor.
struct TensorName
{
    std::vector<std::string_view> words; ///< of the module
    TensorRole role = TensorRole::Weight;
    StoredUse use = StoredUse::Model;
    bool named = true; ///< "weight", "bias", … ended the name

    explicit TensorName(std::string_view name);
    [[nodiscard]] std::string_view leaf() const
    {
        return words.empty() ? std::string_view() : words.back();
    }

private:
    void takeEnd();
    void takeStem();
};

TensorName::TensorName(std::string_view name)
    : words(wordsOf(name))
{
    const auto inner = std::ranges::find_if_not(
        words, [](std::string_view word) { return isIn(word, kWrappers); });
    words.erase(words.begin(), inner == words.end() ? words.end() - 1 : inner);
    takeEnd();
    if (words.empty()) // the name is an ending and nothing else
        words.emplace_back();
}

void TensorName::takeEnd()
{
    if (const auto state = std::ranges::find(words, "quant_state"); state != words.end()) {
        use = StoredUse::Text; // weight.quant_state.bitsandbytes__nf4
        words.erase(state, words.end());
        takeEnd();
        return;
    }
    if (leaf() == "weight_format")
        use = StoredUse::Text;
    const std::string_view last = leaf();
    if (last == "weight" || last == "bias")
        role = last == "bias" ? TensorRole::Bias : TensorRole::Weight;
    else if (isIn(last, kScales))
        role = TensorRole::Scale;
    else if (isIn(last, kPacked))
        role = TensorRole::Packed;
    else if (isIn(last, kOrders))
        use = StoredUse::Order;
    else
        return takeStem();
    words.pop_back();
    if (role == TensorRole::Scale && leaf() == "weight" &&
        words.size() > 1) // bitsandbytes: weight.absmax
        words.pop_back();
}

/// Fused experts name their parameters themselves: gate_up_proj_blocks.
void TensorName::takeStem()
{
    named = false;
    struct
    {
        std::string_view end;
        TensorRole role;
    } constexpr kEnds[] = {{"_blocks", TensorRole::Packed},
                           {"_scales", TensorRole::Scale},
                           {"_scale_inv", TensorRole::Scale},
                           {"_scale", TensorRole::Scale},
                           {"_bias", TensorRole::Bias}};
    if (!hasAny(words, "experts"))
        return;
    for (const auto &[end, meant] : kEnds) {
        std::string_view &last = words.back();
        if (last.ends_with(end)) {
            last.remove_suffix(end.size());
            role = meant;
            return;
        }
    }
}

TensorMeaning in(ModelPart part, Division division)
{
    TensorMeaning meaning;
    meaning.use = StoredUse::Model;
    meaning.part = part;
    meaning.division = division;
    return meaning;
}

TensorMeaning ofAttention(Words inner, std::string_view leaf)
{
    constexpr auto kPart = ModelPart::Attention;
    if (isIn(leaf, kLatent) || hasAny(inner, "indexer"))
        return in(kPart, Division::Whole);
    if (isNorm(leaf))
        return in(kPart, Division::HeadNorm);
    if (isIn(leaf, kFused))
        return in(kPart, Division::FusedHeads);
    if (isIn(leaf, kKeys) || isIn(leaf, kValues)) {
        TensorMeaning meaning = in(kPart, Division::KeyValue);
        meaning.isKey = isIn(leaf, kKeys);
        return meaning;
    }
    if (isIn(leaf, kOutputs))
        return in(kPart, Division::Input);
    return isIn(leaf, kQueries) ? in(kPart, Division::Output) : TensorMeaning();
}

TensorMeaning ofFeedForward(ModelPart part, std::string_view leaf, bool down)
{
    TensorMeaning meaning = in(part, down ? Division::Input : Division::Output);
    meaning.isGateOrUp = !down;
    const bool known = isIn(leaf, kGatesAndUps) || isIn(leaf, kDowns) || leaf == "dense";
    if (!known)
        return {};
    if (part == ModelPart::Experts)
        meaning.division = Division::Expert;
    return meaning;
}

/// Experts, their router, and the shared experts.
TensorMeaning ofExperts(Words inner, std::string_view leaf)
{
    const bool down = isIn(leaf, kDowns);
    if (leaf == "shared_expert_gate")
        return in(ModelPart::SharedExperts, Division::Whole);
    if (hasAny(inner, kShared))
        return ofFeedForward(ModelPart::SharedExperts, leaf, down);
    // "e_score_correction" if its end was read as a bias of the experts (Laguna).
    if (leaf.ends_with("correction_bias") || leaf.ends_with("score_correction") ||
        leaf == "expert_bias" || leaf == "router_bias") {
        TensorMeaning meaning = in(ModelPart::Router, Division::Whole);
        meaning.keepsType = true;
        return meaning;
    }
    if (hasAny(inner, "experts"))
        return ofFeedForward(ModelPart::Experts, leaf, down);
    if (hasAny(inner, "router") || leaf == "gate" || leaf == "wg" || isIn(leaf, kLatentExperts))
        return in(ModelPart::Router, Division::Whole);
    // Granite and Step keep all experts in two or three tensors.
    if (hasAny(inner, "block_sparse_moe") || hasAny(inner, "moe"))
        return ofFeedForward(ModelPart::Experts, leaf, down);
    return {};
}

TensorMeaning ofMixer(std::string_view leaf)
{
    TensorMeaning meaning = in(ModelPart::StateMixer, Division::Mixer);
    meaning.keepsType = leaf == "A_log";
    return meaning;
}

/// Tensors of a Zamba layer other than mixers and the shared block's matrices: the norms of both,
/// its adapters, and the matrix that joins the stream. vLLM model_executor/models/zamba2.py.
TensorMeaning besideShared(Words inner, std::string_view leaf)
{
    if (isNorm(leaf) && !hasAny(inner, "mamba"))
        return in(ModelPart::Norms, Division::Whole);
    if (leaf == "linear")
        return in(ModelPart::Attention, Division::Whole);
    const bool adapter = std::ranges::any_of(
        inner, [](std::string_view word) { return word.ends_with("_adapter_list"); });
    const ModelPart part = hasAny(inner, kAttention) ? ModelPart::Attention : ModelPart::Mlp;
    return adapter ? in(part, Division::Output) : TensorMeaning();
}

/// `inner` are the words after the number of the layer.
TensorMeaning ofLayer(Words inner, const BlockKind &kind)
{
    if (inner.empty())
        return {};
    const std::string_view leaf = inner.back();
    if ((inner.size() == 1 && isNorm(leaf)) || leaf == "LayerNorm")
        return in(ModelPart::Norms, Division::Whole);
    if (hasAny(inner, "act_fn") || leaf == "layer_scalar") { // Apertus, Gemma 4
        TensorMeaning meaning = in(ModelPart::Other, Division::Whole);
        meaning.isBuffer = !leaf.starts_with("alpha_");
        return meaning;
    }
    if (kind.mixer == TokenMixer::Shared) {
        const TensorMeaning meaning = besideShared(inner, leaf);
        if (meaning.use != StoredUse::Unknown)
            return meaning;
    }
    const bool stateAlone = kind.keepsState() && !kind.attends();
    if (kind.feedForward == FeedForward::Experts && !hasAny(inner, kAttention)) {
        const TensorMeaning meaning = ofExperts(inner, leaf);
        if (meaning.use != StoredUse::Unknown)
            return meaning;
    }
    // Nemotron-H calls each mixer so, whatever it is.
    const bool mixed = hasAny(inner, kMixers) || (stateAlone && hasAny(inner, kAttention));
    if (mixed && kind.keepsState())
        return ofMixer(leaf);
    if (kind.attends() && (hasAny(inner, kAttention) || hasAny(inner, "mixer")))
        return ofAttention(inner, leaf);
    if (hasAny(inner, kFeedForwards) && kind.feedForward != FeedForward::None) {
        const bool down = isIn(leaf, kDowns) || (leaf == "dense" && hasAny(inner, "output"));
        const bool beside = kind.feedForward == FeedForward::Experts; // as in Gemma 4
        return ofFeedForward(beside ? ModelPart::SharedExperts : ModelPart::Mlp, leaf, down);
    }
    return {};
}

TensorMeaning ofWhole(Words words, std::string_view leaf)
{
    if (isIn(leaf, kHeads))
        return in(ModelPart::Head, Division::Vocabulary);
    if (isIn(leaf, kEmbeddings))
        return in(ModelPart::Embedding, Division::Vocabulary);
    if (isIn(leaf, kPositions))
        return in(ModelPart::Positions, Division::Whole);
    if (hasAny(words, kPoolers))
        return in(ModelPart::Other, Division::Whole);
    // A norm of the whole model has at most a wrapper before it.
    return isNorm(leaf) && words.size() <= 2 ? in(ModelPart::Norms, Division::Whole)
                                             : TensorMeaning();
}

/// Names of llama.cpp: "blk.*.attn_q.weight" (src/llama-arch.cpp, LLM_TENSOR_NAMES).
TensorMeaning ofGgufLayer(std::string_view module, const BlockKind &kind)
{
    constexpr std::string_view kWhole = "attn_q_a attn_kv_a_mqa attn_q_a_norm attn_kv_a_norm";
    constexpr std::string_view kByOutput =
        "attn_q attn_q_b attn_kv_b attn_k_b attn_v_b attn_sinks attn_gate";
    if (module == "nextn") {
        TensorMeaning meaning;
        meaning.use = StoredUse::Prediction;
        return meaning;
    }
    if (module == "attn_q_norm" || module == "attn_k_norm")
        return in(ModelPart::Attention, Division::HeadNorm);
    if (isIn(module, kWhole))
        return in(ModelPart::Attention, Division::Whole);
    if (isIn(module, kByOutput))
        return in(ModelPart::Attention, Division::Output);
    if (module == "attn_k" || module == "attn_v") {
        TensorMeaning meaning = in(ModelPart::Attention, Division::KeyValue);
        meaning.isKey = module == "attn_k";
        return meaning;
    }
    if (module == "attn_qkv")
        return in(ModelPart::Attention, Division::FusedHeads);
    if (module == "attn_output")
        return in(ModelPart::Attention, Division::Input);
    if (module.find("norm") != std::string_view::npos && !module.starts_with("ssm_"))
        return in(ModelPart::Norms, Division::Whole);
    if (module == "ffn_gate_inp" || module == "exp_probs_b") {
        TensorMeaning meaning = in(ModelPart::Router, Division::Whole);
        meaning.keepsType = module == "exp_probs_b";
        return meaning;
    }
    if (module == "ffn_gate_inp_shexp")
        return in(ModelPart::SharedExperts, Division::Whole);
    if (module.starts_with("ffn_")) {
        const bool down = module.starts_with("ffn_down");
        const bool shared = module.ends_with("_shexp");
        const bool routed = module.ends_with("exps");
        TensorMeaning meaning = in(routed   ? ModelPart::Experts
                                   : shared ? ModelPart::SharedExperts
                                            : ModelPart::Mlp,
                                   routed ? Division::Expert
                                   : down ? Division::Input
                                          : Division::Output);
        meaning.isGateOrUp = !down;
        return meaning;
    }
    return kind.keepsState() ? ofMixer(module) : TensorMeaning();
}

TensorMeaning ofGguf(Words words, const BlockKind &kind)
{
    TensorMeaning meaning;
    const std::string_view first = words.front();
    if (first == "blk" && words.size() > 2) {
        meaning = ofGgufLayer(words[2], kind);
        meaning.inLayer = true;
    } else if (first == "token_embd") {
        meaning = in(ModelPart::Embedding, Division::Vocabulary);
    } else if (first == "output") {
        meaning = in(ModelPart::Head, Division::Vocabulary);
    } else if (first == "position_embd") {
        meaning = in(ModelPart::Positions, Division::Whole);
    } else if (first.starts_with("rope_f")) {
        meaning.use = StoredUse::Rotary;
    } else if (isNorm(first)) {
        meaning = in(ModelPart::Norms, Division::Whole);
    }
    meaning.role = words.back() == "bias" ? TensorRole::Bias : TensorRole::Weight;
    return meaning;
}

} // namespace

bool isGgufName(std::string_view name)
{
    constexpr std::string_view kFirst = "blk token_embd token_embd_norm output_norm position_embd";
    return isIn(name.substr(0, name.find('.')), kFirst) || name == "output.weight" ||
           name.starts_with("rope_freqs.") || name.starts_with("rope_factors_");
}

TensorMeaning meaningOf(std::string_view text, const BlockKind &kind)
{
    if (isGgufName(text))
        return ofGguf(wordsOf(text), kind);
    const TensorName name(text);
    const Words words = name.words;
    TensorMeaning meaning;
    const auto star = std::ranges::find(words, "*");
    const auto place = static_cast<std::size_t>(star - words.begin());
    const bool outermost =
        place == 1 || (place == 2 && (words[0] == "encoder" || words[0] == "decoder"));
    const bool layered = star != words.end() && outermost && isIn(words[place - 1], kLayerLists);
    if (hasAny(words.first(1), kTowers)) {
        meaning.use = StoredUse::Tower;
    } else if (words.front().starts_with("mtp") || hasAny(words, "nextn_predict_layers")) {
        meaning.use = StoredUse::Prediction;
    } else if (isIn(name.leaf(), kTables)) {
        meaning.use = StoredUse::Rotary;
    } else if (name.leaf() == "masked_bias" || name.leaf() == "position_ids" ||
               (name.role == TensorRole::Bias && isIn(name.leaf(), kAttention))) {
        meaning.use = StoredUse::Mask;
    } else if (hasAny(words, kOwnInputs)) {
        meaning = in(ModelPart::Other, Division::Whole);
    } else if (layered) {
        meaning = ofLayer(words.subspan(place + 1), kind);
    } else if (star == words.end()) {
        meaning = ofWhole(words, name.leaf());
    }
    if (meaning.use == StoredUse::Model && name.use != StoredUse::Model)
        meaning.use = name.use;
    meaning.role = name.role;
    meaning.inLayer = layered && meaning.use != StoredUse::Tower;
    return meaning;
}

} // namespace vramscope
