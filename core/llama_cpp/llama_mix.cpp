// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/llama_cpp/llama_mix.h"

#include <algorithm>
#include <array>
#include <string>

namespace vramscope {

namespace {

/// The kinds of tensors that mixes distinguish.
enum class Part { Embedding, Head, Query, Key, Value, AttentionOutput, Down, GateOrUp, Other };

/// The layers to which a rule applies.
enum class In {
    All,
    Shared,       ///< models with at least four query heads per key
    EightExperts, ///< models of eight experts, Mixtral's kind
    FewSharers,   ///< Shared, or models of at least four experts
    First2,
    First4,
    FirstSixteenth,
    FirstEighth,
    Middle,  ///< all but the first and last eighth
    MoreBits ///< use_more_bits(): both ends and every third between them
};

/// One exception from a mix's base type. The first that applies to a tensor counts.
struct Rule
{
    std::string_view mixes; ///< names, each between blanks
    Part part;
    In in;
    std::string_view type;
};

constexpr std::string_view kLowest = " iq1_s iq1_m iq2_xxs iq2_xs ";
constexpr std::string_view kLow = " iq2_s iq2_m ";
constexpr std::string_view kBelow3 = " iq1_s iq1_m iq2_xxs iq2_xs iq2_s iq2_m ";
constexpr std::string_view kToIq3Xxs = " iq1_s iq1_m iq2_xxs iq2_xs iq2_s iq2_m iq3_xxs ";

constexpr auto kRules = std::to_array<Rule>({
    {" q8_0 mxfp4_moe ", Part::Head, In::All, "Q8_0"},
    {kToIq3Xxs, Part::Head, In::All, "Q5_K"},
    {"", Part::Head, In::All, "Q6_K"},

    {kLowest, Part::Embedding, In::All, "Q2_K"},
    {" iq2_s iq2_m iq3_xxs ", Part::Embedding, In::All, "IQ3_S"},

    {kBelow3, Part::Value, In::FewSharers, "Q4_K"},
    {kLowest, Part::Value, In::All, "Q2_K"},
    {kLow, Part::Value, In::All, "IQ3_S"},
    {"", Part::Value, In::EightExperts, "Q8_0"},
    {" q2_k q2_k_s iq3_xxs iq3_xs iq3_s ", Part::Value, In::Shared, "Q4_K"},
    {" q2_k ", Part::Value, In::All, "Q3_K"},
    {" q3_k_m ", Part::Value, In::First2, "Q5_K"},
    {" q3_k_m iq3_m ", Part::Value, In::All, "Q4_K"},
    {" q3_k_l ", Part::Value, In::All, "Q5_K"},
    {" iq4_nl iq4_xs ", Part::Value, In::Shared, "Q5_K"},
    {" q4_k_m q5_k_m ", Part::Value, In::MoreBits, "Q6_K"},
    {" q4_k_s ", Part::Value, In::First4, "Q5_K"},

    {kBelow3, Part::Key, In::EightExperts, "Q4_K"},
    {"", Part::Key, In::EightExperts, "Q8_0"},
    {" iq3_xs ", Part::Key, In::All, "IQ3_XXS"},
    {" iq3_xxs ", Part::Key, In::All, "IQ2_S"},
    {" iq3_xs ", Part::Query, In::All, "IQ3_XXS"},
    {" iq3_xxs ", Part::Query, In::All, "IQ2_S"},

    {" iq1_s iq1_m iq2_xxs iq2_xs iq2_s iq2_m q2_k iq3_xxs iq3_xs iq3_s iq3_m q3_k_s q3_k_m iq4_xs "
     "iq4_nl q4_k_s q4_k_m ",
     Part::AttentionOutput, In::EightExperts, "Q5_K"},
    {" q3_k_l ", Part::AttentionOutput, In::EightExperts, "Q3_K"},
    {" iq1_s iq1_m ", Part::AttentionOutput, In::All, "IQ2_XXS"},
    {" iq2_s iq2_m iq3_xxs ", Part::AttentionOutput, In::All, "IQ3_S"},
    {" q2_k ", Part::AttentionOutput, In::All, "Q3_K"},
    {" q3_k_m iq3_m ", Part::AttentionOutput, In::All, "Q4_K"},
    {" q3_k_l ", Part::AttentionOutput, In::All, "Q5_K"},

    {kLowest, Part::Down, In::FirstEighth, "Q2_K"},
    {kLow, Part::Down, In::FirstEighth, "IQ3_S"},
    {" q2_k ", Part::Down, In::All, "Q3_K"},
    {" q2_k_s iq3_m ", Part::Down, In::FirstEighth, "Q4_K"},
    {" q3_k_m ", Part::Down, In::FirstSixteenth, "Q5_K"},
    {" q3_k_m ", Part::Down, In::All, "Q4_K"},
    {" q3_k_l ", Part::Down, In::All, "Q5_K"},
    {" q4_k_m q5_k_m ", Part::Down, In::MoreBits, "Q6_K"},
    {" q4_k_s ", Part::Down, In::FirstEighth, "Q5_K"},
    {" q4_0 ", Part::Down, In::FirstEighth, "Q4_1"},
    {" q5_0 ", Part::Down, In::FirstEighth, "Q5_1"},

    {" iq3_xs ", Part::GateOrUp, In::Middle, "IQ3_XXS"},
});

/// The type of most matrices of a mix whose name differs from its type's.
struct Base
{
    std::string_view mix;
    std::string_view type;
};
constexpr auto kBases = std::to_array<Base>({
    {"bf16", "BF16"},     {"fp16", "F16"},        {"fp32", "F32"},        {"mxfp4", "BF16"},
    {"iq2_s", "IQ2_XS"},  {"iq2_m", "IQ2_S"},     {"iq3_xs", "IQ3_S"},    {"iq3_m", "IQ3_S"},
    {"q2_k_s", "Q2_K"},   {"q3_k_s", "Q3_K"},     {"q3_k_m", "Q3_K"},     {"q3_k_l", "Q3_K"},
    {"q4_k_s", "Q4_K"},   {"q4_k_m", "Q4_K"},     {"q5_k_s", "Q5_K"},     {"q5_k_m", "Q5_K"},
    {"iq1_s", "IQ1_S"},   {"iq1_m", "IQ1_M"},     {"iq2_xxs", "IQ2_XXS"}, {"iq2_xs", "IQ2_XS"},
    {"q2_k", "Q2_K"},     {"iq3_xxs", "IQ3_XXS"}, {"iq3_s", "IQ3_S"},     {"iq4_xs", "IQ4_XS"},
    {"iq4_nl", "IQ4_NL"}, {"q4_0", "Q4_0"},       {"q4_1", "Q4_1"},       {"q5_0", "Q5_0"},
    {"q5_1", "Q5_1"},     {"q6_k", "Q6_K"},       {"q8_0", "Q8_0"},       {"mxfp4_moe", "Q8_0"},
});

/// Types with blocks of 32 for rows that blocks of 256 do not fill.
constexpr auto kFallbacks = std::to_array<Base>({
    {"Q2_K", "Q4_0"},
    {"Q3_K", "Q4_0"},
    {"Q4_K", "Q5_0"},
    {"Q5_K", "Q5_1"},
    {"Q6_K", "Q8_0"},
});

/// An alias of one of the mixes.
std::string_view meantMix(std::string_view mix)
{
    return mix == "q4_k" ? "q4_k_m" : mix == "q5_k" ? "q5_k_m" : mix;
}

bool isUnquantised(std::string_view mix)
{
    return mix == "bf16" || mix == "fp16" || mix == "fp32" || mix == "mxfp4";
}

Part partOf(std::string_view name)
{
    const auto has = [name](std::string_view part) { return name.find(part) != name.npos; };
    if (name == "output.weight")
        return Part::Head;
    if (name == "token_embd.weight" || name == "per_layer_token_embd.weight")
        return Part::Embedding;
    if (has("attn_v.weight") || has("attn_qkv.weight") || has("attn_kv_b.weight"))
        return Part::Value;
    if (has("attn_k.weight"))
        return Part::Key;
    if (has("attn_q.weight"))
        return Part::Query;
    if (has("attn_output.weight"))
        return Part::AttentionOutput;
    if (has("ffn_up") || has("ffn_gate"))
        return Part::GateOrUp;
    return has("ffn_down") ? Part::Down : Part::Other;
}

/// Whether llama-quantize leaves a tensor unchanged (tensor_allows_quantization()).
bool stays(const StoredTensor &tensor)
{
    const std::string_view name = tensor.name;
    constexpr auto kKept = std::to_array<std::string_view>(
        {"_norm.weight", "ffn_gate_inp.weight", "position_embd", "token_types", "ssm_conv1d"});
    return tensor.shape.size() < 2 || !name.ends_with("weight") ||
           std::ranges::any_of(
               kKept, [name](std::string_view kept) { return name.find(kept) != name.npos; });
}

/// The position of a tensor among those of its part.
struct Place
{
    std::int64_t at = 0;
    std::int64_t of = 0;
};

bool holds(In in, const MixedModel &model, const Place &place)
{
    const std::int64_t eighth = place.of / 8;
    const std::int64_t last = 7 * place.of / 8;
    switch (in) {
    case In::All:
        return true;
    case In::Shared:
        return model.headsPerKey >= 4;
    case In::EightExperts:
        return model.experts == 8;
    case In::FewSharers:
        return model.headsPerKey >= 4 || model.experts >= 4;
    case In::First2:
        return place.at < 2;
    case In::First4:
        return place.at < 4;
    case In::FirstSixteenth:
        return place.at < place.of / 16;
    case In::FirstEighth:
        return place.at < eighth;
    case In::Middle:
        return place.at >= eighth && place.at < last;
    case In::MoreBits:
        return place.at < eighth || place.at >= last || (place.at - eighth) % 3 == 2;
    }
    return false;
}

std::string_view typeIn(std::span<const Base> table, std::string_view name, std::string_view other)
{
    const auto found = std::ranges::find(table, name, &Base::mix);
    return found == table.end() ? other : found->type;
}

bool isAmong(std::string_view mix, std::string_view mixes)
{
    return mixes.find(' ' + std::string(mix) + ' ') != mixes.npos;
}

std::string_view mixedType(std::string_view mix, Part part, const MixedModel &model,
                           const Place &place)
{
    const auto *const rule = std::ranges::find_if(kRules, [&](const Rule &each) {
        return each.part == part && (each.mixes.empty() || isAmong(mix, each.mixes)) &&
               holds(each.in, model, place);
    });
    const std::string_view type = rule == kRules.end() ? typeIn(kBases, mix, "F16") : rule->type;
    const bool isRaised = part == Part::Value && model.is70B && !isAmong(mix, kBelow3) &&
                          (type == "Q3_K" || type == "Q4_K");
    return isRaised ? "Q5_K" : type;
}

/// A type whose blocks fill the rows of a tensor.
std::string_view fitting(std::string_view type, std::int64_t row)
{
    const auto fills = [row](std::string_view name) {
        return row % findTensorType(name)->block == 0;
    };
    if (fills(type))
        return type;
    const std::string_view other = typeIn(kFallbacks, type, "IQ4_NL");
    return fills(other) ? other : "F16";
}

} // namespace

void mixTensors(std::string_view named, const MixedModel &model, std::span<LlamaTensor> tensors)
{
    const std::string_view mix = meantMix(named);
    const std::string_view base = typeIn(kBases, mix, "F16");
    const bool isTied = std::ranges::none_of(
        tensors, [](const LlamaTensor &each) { return each.stored.name == "output.weight"; });
    const bool hasExpertsIn4 = mix == "mxfp4" || mix == "mxfp4_moe";
    const auto values = std::ranges::count_if(
        tensors, [](const LlamaTensor &each) { return partOf(each.stored.name) == Part::Value; });
    std::int64_t value = 0;
    for (LlamaTensor &each : tensors) {
        StoredTensor &tensor = each.stored;
        Part part = partOf(tensor.name);
        const Place place =
            part == Part::Value ? Place{value++, values} : Place{each.layer, model.layers};
        std::string_view type = "F32";
        if (!stays(tensor)) {
            // A tied embedding is the head too.
            if (isTied && part == Part::Embedding)
                part = Part::Head;
            type = hasExpertsIn4 && each.routed ? "MXFP4"
                   : isUnquantised(mix)         ? base
                                                : mixedType(mix, part, model, place);
            type = fitting(type, tensor.shape.back());
        }
        tensor.type = *findTensorType(type);
        tensor.bytes = bytesOf(tensor.type, tensor.shape).value_or(Exact(0)).value();
    }
}

} // namespace vramscope
