// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/formats.h"
#include "core/planner/config_reader.h"
#include "core/planner/config_shape.h"

#include <array>

namespace vramscope {

namespace {

constexpr std::array<WordPair, 7> kTypes = {{{"bfloat16", "bf16"},
                                             {"float16", "fp16"},
                                             {"float32", "fp32"},
                                             {"torch.bfloat16", "bf16"},
                                             {"torch.float16", "fp16"},
                                             {"torch.float32", "fp32"},
                                             {"auto", "bf16"}}};

constexpr std::array<WordPair, 6> kQuantizations = {{{"gptq", "gptq-int4-g128"},
                                                     {"awq", "awq-int4-g128"},
                                                     {"fp8", "fp8"},
                                                     {"fbgemm_fp8", "fp8"},
                                                     {"mxfp4", "mxfp4"},
                                                     {"bitsandbytes", "nf4"}}};

// What tells a tokenizer, a generator or an initialiser, and never a size.
constexpr std::string_view kHarmless[] = {
    "architectures*",
    "auto_map*",
    "transformers_version",
    "_name_or_path",
    "_*",
    "*_token_id",
    "bos_token_id",
    "eos_token_id",
    "pad_token_id",
    "sep_token_id",
    "unk_token_id",
    "cls_token_id",
    "mask_token_id",
    "decoder_start_token_id",
    "boi_token_index",
    "eoi_token_index",
    "image_token_index",
    "image_token_id",
    "video_token_id",
    "vision_start_token_id",
    "vision_end_token_id",
    "vision_token_id",
    "id2label*",
    "label2id*",
    "use_cache",
    "initializer_range",
    "initializer_factor",
    "embedding_initializer_range",
    "attn_logit_softcapping",
    "final_logit_softcapping",
    "query_pre_attn_scalar",
    "hidden_act",
    "hidden_activation",
    "activation_function",
    "act_fn",
    "ffn_act_fn*",
    "activation",
    "afn",
    "rms_norm_eps",
    "norm_eps",
    "norm_epsilon",
    "layer_norm_eps",
    "layer_norm_epsilon",
    "layernorm_epsilon",
    "rope_theta",
    "rope_scaling*",
    "rope_parameters*",
    "rope_local_base_freq",
    "rope_traditional",
    "rope_ratio",
    "rope_pct",
    "rope_interleave",
    "rotary_dim",
    "rotary_pct",
    "rotary_emb_base",
    "rotary",
    "partial_rotary_factor",
    "original_max_position_embeddings",
    "original_rope",
    "pretraining_tp",
    "summary_*",
    "task_specific_params*",
    "scale_attn_*",
    "reorder_and_upcast_attn",
    "attention_softmax_in_fp32",
    "output_router_logits",
    "output_hidden_states",
    "output_attentions",
    "return_dict",
    "router_aux_loss_coef",
    "router_z_loss_coef",
    "router_jitter_noise",
    "input_jitter_noise",
    "aux_loss_alpha",
    "seq_aux",
    "norm_topk_prob",
    "routed_scaling_factor",
    "scoring_func",
    "topk_method",
    "topk_group",
    "n_group",
    "logit_scale",
    "logits_scaling",
    "embedding_multiplier",
    "residual_multiplier",
    "attention_multiplier",
    "scale_depth",
    "scale_emb",
    "dim_model_base",
    "swiglu_limit",
    "position_embedding_type",
    "model_version",
    "hidden_dropout",
    "resid_pdrop",
    "embd_pdrop",
    "attn_pdrop",
    "attention_dropout*",
    "hidden_dropout_prob",
    "attention_probs_dropout_prob",
    "dropout",
    "activation_dropout",
    "attention_probs_dropout",
    "residual_dropout",
    "embedding_dropout",
    "resid_dropout",
    "classifier_dropout",
    "layerdrop",
    "chunk_size_feed_forward",
    "tokenizer_class",
    "prefix",
    "gradient_checkpointing",
    "do_layer_norm_before",
    "no_rope_layers*",
    "no_rope_layer_interval",
    "use_parallel_residual",
    "attn_config.*",
    "ffn_config.*",
    "mm_tokens_per_image",
    "max_window_layers",
    "use_sliding_window",
    "quantization_config.*",
};

void importWeights(Translation &t)
{
    if (t.has("torch_dtype") || t.has("dtype"))
        t.translate("inference.weight_format", {"torch_dtype", "dtype"}, kTypes);
    else if (t.has("text_config.torch_dtype") || t.has("text_config.dtype"))
        t.translate("inference.weight_format", {"text_config.torch_dtype", "text_config.dtype"},
                    kTypes);
    if (!t.has("quantization_config.quant_method"))
        return;
    t.translate("inference.weight_format", {"quantization_config.quant_method"}, kQuantizations);
    if (const auto bits = t.count({"quantization_config.bits"}); bits && *bits != 4)
        t.note("is " + std::to_string(*bits) + "; the plan takes 4 bits.");
    const WeightFormat format = t.plan().inference.weightFormat.value_or(WeightFormat::Bf16);
    if (t.flag({"quantization_config.load_in_8bit"}).value_or(false))
        t.set("inference.weight_format", "int8");
    if (format == WeightFormat::Nf4 &&
        t.flag({"quantization_config.bnb_4bit_use_double_quant"}).value_or(false))
        t.set("inference.weight_format", "nf4-double");
    if (format == WeightFormat::GptqInt4 || format == WeightFormat::AwqInt4)
        t.carry("inference.group_size", {"quantization_config.group_size"});
}

} // namespace

Imported importHfConfig(Translation t, std::string_view text)
{
    t.clear("model");
    t.set("model.config", std::string(text));
    std::vector<std::string_view> keys;
    const auto shape = shapeOfConfig(std::string(text), t.plan().model, &keys);
    for (const std::string_view key : keys) {
        t.take({key});
        for (const std::string_view part : configTextParts())
            t.take({std::string(part) + std::string(key)});
    }
    importWeights(t);
    if (!shape)
        t.note("", shape.error().detail);
    for (const std::string_view part : {"vision_config.", "audio_config.", "thinker_config."}) {
        if (t.takeAll(part))
            t.note(std::string(part.substr(0, part.size() - 1)),
                   "is not counted: only the text part is computed.");
    }
    return std::move(t).finish("Hugging Face config.json", kHarmless, configTextParts());
}

} // namespace vramscope
