// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/json_text.h"
#include "core/catalog/catalogue.h"
#include "core/exchange/outline.h"
#include "core/planner/parameters.h"

#include <nlohmann/json.hpp>

namespace vramscope {

namespace {

using Json = nlohmann::ordered_json;

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

/// A preset's own shape, and a config as it stands.
std::string hfConfigText(Outline &outline)
{
    outline.said({"model.preset", "model.config"});
    const PlanModel &model = outline.plan().model;
    PlanModel alone; // what stands beside it has no word in a config
    alone.preset = model.preset;
    const CatalogueModel *known = model.preset ? findCatalogueModel(*model.preset) : nullptr;
    const Json config = model.config                    ? parsedJson(*model.config)
                        : known && !known->architecture ? parsedJson(known->config)
                                                        : configOf(architectureOf(alone).value());
    return config.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

} // namespace vramscope
