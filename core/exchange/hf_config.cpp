// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/json_text.h"
#include "core/catalog/catalogue.h"
#include "core/exchange/formats.h"
#include "core/exchange/outline.h"
#include "core/model/config_reader.h"
#include "core/model/config_shape.h"
#include "core/model/missing_parts.h"
#include "core/model/parameters.h"

#include <nlohmann/json.hpp>

namespace vramscope {

namespace {

using Json = nlohmann::ordered_json;

constexpr WordPair kConfigTypes[] = {{"bfloat16", "bf16"},      {"float16", "fp16"},
                                     {"float32", "fp32"},       {"torch.bfloat16", "bf16"},
                                     {"torch.float16", "fp16"}, {"torch.float32", "fp32"},
                                     {"auto", "bf16"}};

constexpr WordPair kConfigQuantizations[] = {
    {"gptq", "gptq-int4-g128"}, {"awq", "awq-int4-g128"}, {"fp8", "fp8"},
    {"fbgemm_fp8", "fp8"},      {"mxfp4", "mxfp4"},       {"bitsandbytes", "nf4"}};

void importWeights(Translation &t)
{
    if (t.has("torch_dtype") || t.has("dtype"))
        t.translate("inference.weight_format", "torch_dtype dtype", kConfigTypes);
    else if (t.has("text_config.torch_dtype") || t.has("text_config.dtype"))
        t.translate("inference.weight_format", "text_config.torch_dtype text_config.dtype",
                    kConfigTypes);
    if (!t.has("quantization_config.quant_method"))
        return;
    t.translate("inference.weight_format", "quantization_config.quant_method",
                kConfigQuantizations);
    if (const auto bits = t.count("quantization_config.bits"); bits && *bits != 4)
        t.note("is " + std::to_string(*bits) + "; the plan takes 4 bits.");
    const WeightFormat format = t.plan().inference.weightFormat.value_or(WeightFormat::Bf16);
    if (format == WeightFormat::MxFp4) // of experts alone, wherever it is used
        t.set("inference.modules_to_not_convert",
              TextList{"embedding", "head", "router", "attention", "mlp"});
    constexpr WordPair kEightBits[] = {{"true", "int8"}};
    t.translate("inference.weight_format", "quantization_config.load_in_8bit", kEightBits);
    if (format == WeightFormat::Nf4 && t.isOn("quantization_config.bnb_4bit_use_double_quant"))
        t.set("inference.weight_format", "nf4-double");
    if (format == WeightFormat::GptqInt4 || format == WeightFormat::AwqInt4)
        t.carry("inference.group_size", "quantization_config.group_size");
}

/// Rates at which training drops values; they keep masks.
void importDropout(Translation &t)
{
    const auto carry = [&](FieldPath field, Translation::Keys keys) {
        const std::optional<double> rate = t.number(keys);
        if (rate && *rate != 0)
            t.set(field, *rate);
    };
    carry("activations.dropout", "resid_pdrop hidden_dropout_prob hidden_dropout residual_dropout "
                                 "resid_dropout dropout text_config.hidden_dropout");
    t.take("embd_pdrop embedding_dropout"); // the plan has one rate for all of them
    carry("activations.attention_dropout", "attn_pdrop attention_probs_dropout_prob "
                                           "attention_dropout text_config.attention_dropout");
}

/// GPT-2's class has words of its own for what the others share.
struct ShapeKeys
{
    const char *layers = "num_hidden_layers";
    const char *hidden = "hidden_size";
    const char *heads = "num_attention_heads";
    const char *ffn = "intermediate_size";
    const char *positions = "max_position_embeddings";
};
constexpr ShapeKeys kGpt2Keys = {"n_layer", "n_embd", "n_head", "n_inner", "n_positions"};

void writeExperts(const Architecture &it, Json &config)
{
    const bool shared = it.sharedExperts > 0;
    const bool deepSeek = it.mla();
    const bool local = it.modelType == "mixtral" || it.modelType == "gpt_oss";
    config[deepSeek ? "n_routed_experts"
           : local  ? "num_local_experts"
                    : "num_experts"] = it.experts;
    config["num_experts_per_tok"] = it.expertsPerToken;
    if (it.expertFfn != it.ffn)
        config["moe_intermediate_size"] = it.expertFfn;
    if (shared && deepSeek)
        config["n_shared_experts"] = it.sharedExperts;
    if (shared && it.sharedFfn != it.sharedExperts * it.expertFfn)
        config["shared_expert_intermediate_size"] = it.sharedFfn;
    if (it.denseLayers > 0)
        config["first_k_dense_replace"] = it.denseLayers;
}

void writeLatentAttention(const Architecture &it, Json &config)
{
    config["q_lora_rank"] = it.qLoraRank > 0 ? Json(it.qLoraRank) : Json();
    config["kv_lora_rank"] = it.kvLoraRank;
    config["qk_nope_head_dim"] = it.qkNopeHeadDim;
    config["qk_rope_head_dim"] = it.qkRopeHeadDim;
    config["v_head_dim"] = it.vHeadDim;
}

void writeWindow(const Architecture &it, Json &config)
{
    if (it.slidingWindow == 0)
        return;
    config["sliding_window"] = it.slidingWindow;
    config["use_sliding_window"] = true;
    if (it.slidingLayers.empty())
        return;
    Json types = Json::array();
    for (const bool slides : it.slidingLayers)
        types.push_back(slides ? "sliding_attention" : "full_attention");
    config["layer_types"] = types;
}

Json configOf(const Architecture &it)
{
    const ShapeKeys keys = it.modelType == "gpt2" ? kGpt2Keys : ShapeKeys{};
    Json config{{"model_type", it.modelType}};
    config[keys.layers] = it.layers;
    config[keys.hidden] = it.hidden;
    config[keys.heads] = it.heads;
    config["num_key_value_heads"] = it.kvHeads;
    if (!it.mla())
        config["head_dim"] = it.headDim;
    config[keys.ffn] = it.ffn;
    config["vocab_size"] = it.vocab;
    if (it.maxPositions > 0)
        config[keys.positions] = it.maxPositions;
    if (it.typeVocab > 0)
        config["type_vocab_size"] = it.typeVocab;
    config["tie_word_embeddings"] = it.tiedEmbeddings;
    if (it.moe())
        writeExperts(it, config);
    if (it.mla())
        writeLatentAttention(it, config);
    writeWindow(it, config);
    return config;
}

} // namespace

Imported importHfConfig(Translation t, std::string_view text)
{
    t.clear("model");
    t.set("model.config", std::string(text));
    std::vector<std::string> keys;
    const auto shape = shapeOfConfig(std::string(text), t.plan().model, &keys);
    for (const std::string &key : keys) {
        t.take(key);
        for (const std::string_view part : configTextParts())
            t.take(std::string(part) + key);
    }
    importWeights(t);
    importDropout(t);
    if (!shape)
        t.note("", shape.error().detail);
    t.take("num_nextn_predict_layers text_config.num_nextn_predict_layers use_mtp");
    for (const char *part : {"vision_config.", "audio_config.", "thinker_config.", "talker_config.",
                             "mtp_", "num_mtp_", "text_config.mtp_"})
        t.takeAll(part);
    for (const Issue &issue : missingParts(t.plan()))
        t.note(issue.field.substr(std::string_view("model.config.").size()), issue.text);
    return std::move(t).finish("Hugging Face config.json", "hf-config", configTextParts());
}

/// The shape of a preset, or the plan's config unchanged.
void writeHfConfig(Outline &outline)
{
    outline.covered({"model.preset", "model.config"});
    const PlanModel &model = outline.plan().model;
    PlanModel alone; // what stands beside it has no word in a config
    alone.preset = model.preset;
    const CatalogueModel *known = model.preset ? findCatalogueModel(*model.preset) : nullptr;
    const Json config = model.config                    ? parsedJson(*model.config)
                        : known && !known->architecture ? parsedJson(known->config)
                                                        : configOf(architectureOf(alone).value());
    outline.begin(config.dump(2, ' ', false, Json::error_handler_t::replace) + '\n');
}

} // namespace vramscope
