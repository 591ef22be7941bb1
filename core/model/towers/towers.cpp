// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/towers/towers.h"

#include "core/catalog/catalogue.h"
#include "core/model/towers/families.h"
#include "core/plan/plan.h"

#include <algorithm>
#include <array>

namespace vramscope {

namespace {

using ReadEncoder = void (*)(TowerReader &part, Tower &tower);
using JoinText = void (*)(TowerReader &whole, Tower &tower, std::int64_t text);

/// Encoders by the model_type of vision_config or audio_config, in the spelling of today's
/// Transformers and of the models' own files.
struct EncoderRow
{
    std::string_view modelType;
    std::string_view name;
    ReadEncoder read;
};

constexpr auto kEncoders = std::to_array<EncoderRow>({
    {"qwen2_vl_vision", "Qwen2-VL", &readQwen2Vision},
    {"qwen2_vl", "Qwen2-VL", &readQwen2Vision},
    {"qwen2_5_vl_vision", "Qwen2.5-VL", &readQwen25Vision},
    {"qwen2_5_vl", "Qwen2.5-VL", &readQwen25Vision},
    {"qwen2_5_omni_vision_encoder", "Qwen2.5-VL", &readQwen25Vision},
    {"exaone4_5_vision", "EXAONE 4.5", &readExaoneVision},
    {"qwen3_vl_vision", "Qwen3-VL", &readQwen3Vision},
    {"qwen3_vl", "Qwen3-VL", &readQwen3Vision},
    {"qwen3_vl_moe_vision", "Qwen3-VL", &readQwen3Vision},
    {"qwen3_vl_moe", "Qwen3-VL", &readQwen3Vision},
    {"qwen3_omni_moe_vision_encoder", "Qwen3-VL", &readQwen3Vision},
    {"qwen3_5_vision", "Qwen3.5", &readQwen35Vision},
    {"qwen3_5", "Qwen3.5", &readQwen35Vision},
    {"qwen3_5_moe_vision", "Qwen3.5", &readQwen35Vision},
    {"qwen3_5_moe", "Qwen3.5", &readQwen35Vision},
    {"glm4v_vision", "GLM-4V", &readGlmVision},
    {"glm4v_moe_vision", "GLM-4V", &readGlmVision},
    {"siglip_vision_model", "SigLIP", &readSiglip},
    {"idefics3_vision", "SigLIP", &readIdeficsVision},
    {"idefics3", "SigLIP", &readIdeficsVision},
    {"smolvlm_vision", "SigLIP", &readIdeficsVision},
    {"smolvlm", "SigLIP", &readIdeficsVision},
    {"clip_vision_model", "CLIP", &readClip},
    {"pixtral", "Pixtral", &readPixtral},
    {"llama4_vision_model", "Llama 4", &readLlama4Vision},
    {"internvl_vision", "InternViT", &readInternVision},
    {"intern_vit_6b", "InternViT", &readInternVision},
    {"kimi_k25_vision", "MoonViT", &readMoonVision},
    {"kimi_k3_vision", "MoonViT", &readMoonVision3},
    {"moonvit", "MoonViT", &readMoonVision},
    {"gemma4_vision", "Gemma 4", &readGemma4Vision},
    {"gemma4_audio", "Gemma 4", &readGemma4Audio},
    {"voxtral_encoder", "Whisper", &readVoxtralAudio},
    {"qwen2_audio_encoder", "Whisper", &readQwen2Audio},
    {"qwen2_5_omni_audio_encoder", "Whisper", &readQwen25OmniAudio},
    {"qwen3_omni_moe_audio_encoder", "Qwen3-Omni", &readQwen3OmniAudio},
});

/// Models by the model_type of the whole config: a replacement for the type that a part does not
/// state, and the projection to the text. Empty: the model has no such tower.
struct WholeRow
{
    std::string_view modelType;
    std::string_view vision;
    JoinText joinVision = &joinNothing;
    std::string_view audio = {};
    JoinText joinAudio = &joinNothing;
    std::string_view place = {}; ///< of the parts
};

constexpr std::string_view kThinker = "thinker_config.";

constexpr auto kWholes = std::to_array<WholeRow>({
    {"qwen2_vl", "qwen2_vl_vision"},
    {"qwen2_5_vl", "qwen2_5_vl_vision"},
    {"qwen3_vl", "qwen3_vl_vision"},
    {"qwen3_vl_moe", "qwen3_vl_vision"},
    {"qwen3_5", "qwen3_5_vision"},
    {"qwen3_5_moe", "qwen3_5_vision"},
    {"exaone4_5", "exaone4_5_vision"},
    {"glm4v", "glm4v_vision"},
    {"glm46v", "glm4v_vision"},
    {"glm4v_moe", "glm4v_vision"},
    {"gemma3", "siglip_vision_model", &joinGemma3},
    {"shieldgemma2", "siglip_vision_model", &joinGemma3},
    {"paligemma", "siglip_vision_model", &joinPaliGemma},
    {"aya_vision", "siglip_vision_model", &joinAya},
    {"cohere2_vision", "siglip_vision_model", &joinCohere2},
    {"idefics3", "idefics3_vision", &joinIdefics3},
    {"smolvlm", "smolvlm_vision", &joinIdefics3},
    {"llava", "clip_vision_model", &joinLlava},
    {"llava_next", "clip_vision_model", &joinLlavaNext},
    {"llava_next_video", "clip_vision_model", &joinLlavaNext},
    {"llava_onevision", "siglip_vision_model", &joinLlavaNext},
    {"vipllava", "clip_vision_model", &joinVipLlava},
    {"mistral3", "pixtral", &joinMistral3},
    {"llama4", "llama4_vision_model", &joinLlama4},
    {"internvl", "internvl_vision", &joinInternVl},
    {"internvl_chat", "internvl_vision", &joinInternVl},
    {"kimi_k25", "kimi_k25_vision", &joinKimi},
    {"kimi_k3", "kimi_k3_vision", &joinKimi3},
    {"kimi_vl", "moonvit", &joinKimi},
    {"gemma4", "gemma4_vision", &joinGemma4, "gemma4_audio", &joinGemma4},
    {"voxtral", {}, &joinNothing, "voxtral_encoder", &joinVoxtral},
    {"qwen2_audio", {}, &joinNothing, "qwen2_audio_encoder", &joinQwen2Audio},
    {"qwen2_5_omni_thinker", "qwen2_5_vl_vision", &joinNothing, "qwen2_5_omni_audio_encoder"},
    {"qwen2_5_omni", "qwen2_5_vl_vision", &joinNothing, "qwen2_5_omni_audio_encoder", &joinNothing,
     kThinker},
    {"qwen3_omni_moe_thinker", "qwen3_vl_vision", &joinNothing, "qwen3_omni_moe_audio_encoder"},
    {"qwen3_omni_moe", "qwen3_vl_vision", &joinNothing, "qwen3_omni_moe_audio_encoder",
     &joinNothing, kThinker},
});

/// The model_type of the whole, whatever its text part has.
std::string wholeType(const ConfigReader &config)
{
    for (const FlatValue *value : config.matching("model_type")) {
        const auto *name = std::get_if<std::string>(&value->value);
        if (name && value->path == "model_type")
            return *name;
    }
    return {};
}

class TowerList
{
public:
    TowerList(const ConfigReader &config, const WholeRow &whole, std::int64_t textWidth)
        : m_config(config)
        , m_whole(whole)
        , m_textWidth(textWidth)
    {
    }

    void add(TowerKind kind, std::string_view key, std::string_view usual, JoinText join)
    {
        const std::string place = std::string(m_whole.place) + std::string(key);
        if (usual.empty() || m_config.matching(place + ".*").empty())
            return;
        TowerReader part(m_config, place + '.');
        const std::string stated = part.text("model_type");
        const std::string_view type = stated.empty() ? usual : std::string_view(stated);
        const auto row = std::ranges::find(kEncoders, type, &EncoderRow::modelType);
        if (row == kEncoders.end())
            return;
        Tower tower;
        tower.kind = kind;
        tower.place = place;
        tower.name = row->name;
        row->read(part, tower);
        TowerReader whole(m_config, std::string(m_whole.place));
        join(whole, tower, m_textWidth);
        for (const TowerReader *reader : {&part, &whole}) {
            if (reader->error() && !m_error)
                m_error = reader->error();
        }
        m_towers.push_back(std::move(tower));
    }

    [[nodiscard]] Result<std::vector<Tower>> result() &&
    {
        if (m_error)
            return *m_error;
        return std::move(m_towers);
    }

private:
    const ConfigReader &m_config;
    const WholeRow &m_whole;
    std::int64_t m_textWidth;
    std::vector<Tower> m_towers;
    std::optional<Error> m_error;
};

} // namespace

void joinNothing(TowerReader & /*whole*/, Tower & /*tower*/, std::int64_t /*text*/) {}

Result<std::vector<Tower>> towersOf(const ConfigReader &config, std::int64_t textWidth)
{
    const std::string type = wholeType(config);
    const auto whole = std::ranges::find(kWholes, std::string_view(type), &WholeRow::modelType);
    if (whole == kWholes.end() || textWidth < 1 || textWidth > kMaxWidth)
        return std::vector<Tower>();
    TowerList list(config, *whole, textWidth);
    list.add(TowerKind::Vision, "vision_config", whole->vision, whole->joinVision);
    list.add(TowerKind::Audio, "audio_config", whole->audio, whole->joinAudio);
    return std::move(list).result();
}

namespace {

std::string_view configOf(const PlanModel &model)
{
    const CatalogueModel *known = model.preset ? findCatalogueModel(*model.preset) : nullptr;
    return model.config ? std::string_view(*model.config)
           : known      ? known->config
                        : std::string_view();
}

} // namespace

std::vector<Tower> countedTowers(const Plan &plan, std::int64_t textWidth)
{
    const PlanModel &model = plan.model;
    const bool training = plan.workload != Workload::Inference;
    const bool counted =
        !model.parametersOverride && !model.parametersPerRankOverride &&
        (training ? plan.batch.images.value_or(0) > 0 : !model.textOnly.value_or(false));
    const std::string_view config = counted ? configOf(model) : std::string_view();
    auto values = config.empty() ? std::nullopt : flattened(config);
    if (!values)
        return {};
    auto read = towersOf(ConfigReader(std::move(*values)), textWidth);
    std::vector<Tower> towers = read ? std::move(read).value() : std::vector<Tower>();
    if (training)
        std::erase_if(towers, [](const Tower &it) { return it.kind != TowerKind::Vision; });
    return towers;
}

bool hasVisionTower(const Plan &plan)
{
    return configOf(plan.model).find("\"vision_config\"") != std::string_view::npos;
}

} // namespace vramscope
