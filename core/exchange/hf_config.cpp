// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/json_text.h"
#include "core/catalog/catalogue.h"
#include "core/catalog/uncomputed_keys.h"
#include "core/exchange/formats.h"
#include "core/exchange/outline.h"
#include "core/model/config_reader.h"
#include "core/model/config_shape.h"
#include "core/model/missing_parts.h"
#include "core/model/parameters.h"
#include "core/settings/settings.h"
#include "core/settings/uncomputed_keys.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <iterator>

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

// DeepSeek V4 states the format of its experts apart; fp4 is MXFP4 there, and other layers are in
// fp8.
constexpr WordPair kExpertTypes[] = {{"fp4", "mxfp4"}, {"fp8", "fp8"}};

void importWeights(Translation &t)
{
    if (t.has("torch_dtype") || t.has("dtype"))
        t.translate("inference.weight_format", "torch_dtype dtype", kConfigTypes);
    else if (t.has("text_config.torch_dtype") || t.has("text_config.dtype"))
        t.translate("inference.weight_format", "text_config.torch_dtype text_config.dtype",
                    kConfigTypes);
    if (!t.has("quantization_config.quant_method")) {
        t.translate("inference.weight_format", "expert_dtype", kExpertTypes);
        return;
    }
    t.translate("inference.weight_format", "quantization_config.quant_method",
                kConfigQuantizations);
    if (const auto bits = t.count("quantization_config.bits"); bits && *bits != 4)
        t.note("is " + std::to_string(*bits) + "; the plan takes 4 bits.");
    const WeightFormat format = t.plan().inference.weightFormat.value_or(WeightFormat::Bf16);
    if (format == WeightFormat::MxFp4) // only for experts, wherever it is used
        t.set("inference.modules_to_not_convert",
              TextList{"embedding", "head", "router", "attention", "mlp"});
    constexpr WordPair kEightBits[] = {{"true", "int8"}};
    t.translate("inference.weight_format", "quantization_config.load_in_8bit", kEightBits);
    if (format == WeightFormat::Nf4 && t.isOn("quantization_config.bnb_4bit_use_double_quant"))
        t.set("inference.weight_format", "nf4-double");
    if (format == WeightFormat::GptqInt4 || format == WeightFormat::AwqInt4)
        t.carry("inference.group_size", "quantization_config.group_size");
    t.translate("inference.weight_format", "expert_dtype", kExpertTypes);
}

/// Rates at which training drops values; dropout keeps masks.
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
    for (const UncomputedKey &key : uncomputedKeys()) {
        t.take(key.key);
        for (const std::string_view part : configTextParts())
            t.take(std::string(part) + key.key);
    }
    std::vector<Issue> issues = missingParts(t.plan());
    const auto uncomputed = uncomputedKeysOf(t.plan(), resolve(t.plan()).settings);
    std::ranges::move(issuesOfKeys(t.plan(), uncomputed), std::back_inserter(issues));
    for (const Issue &issue : issues)
        t.note(issue.field.substr(std::string_view("model.config.").size()), issue.text);
    return std::move(t).finish("Hugging Face config.json", "hf-config", configTextParts());
}

/// The shape of a preset, or the plan's config unchanged.
void writeHfConfig(Outline &outline)
{
    outline.covered({"model.preset", "model.config"});
    const PlanModel &model = outline.plan().model;
    const CatalogueModel *known = model.preset ? findCatalogueModel(*model.preset) : nullptr;
    const std::string_view shipped = known ? std::string_view(known->config) : "{}";
    const Json config = parsedJson(model.config ? *model.config : std::string(shipped));
    outline.begin(config.dump(2, ' ', false, Json::error_handler_t::replace) + '\n');
}

} // namespace vramscope
