// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/diffusion/pipelines.h"

#include "core/base/json_text.h"
#include "core/base/nearest.h"
#include "core/base/shipped_documents.h"
#include "core/base/text.h"
#include "core/model/towers/tower_reader.h"
#include "core/plan/plan.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>

namespace vramscope {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kFolder = "diffusion/";
constexpr std::string_view kSuffix = ".json";

// Copies of the latents in diffusers' loops: their own type, the transformer's input, the noise of
// both passes, and the mask of Wan's; diffusers 0.42 pipelines.
constexpr std::array<PipelineClass, 17> kPipelineClasses = {{
    {.name = "FluxPipeline",
     .guidance = GuidancePasses::None,
     .promptTokens = 512,
     .width = 1024,
     .height = 1024,
     .sideStep = 16,
     .latentBytes = 2,
     .denoiser = "FluxTransformer2DModel"},
    {.name = "FluxKontextPipeline",
     .guidance = GuidancePasses::None,
     .promptTokens = 512,
     .width = 1024,
     .height = 1024,
     .sideStep = 16,
     .latentBytes = 2,
     .denoiser = "FluxTransformer2DModel",
     .references = 1},
    {.name = "Flux2Pipeline",
     .guidance = GuidancePasses::None,
     .promptTokens = 512,
     .width = 1024,
     .height = 1024,
     .sideStep = 16,
     .latentBytes = 2,
     .denoiser = "Flux2Transformer2DModel"},
    {.name = "Flux2KleinPipeline",
     .guidance = GuidancePasses::OneAfterTheOther,
     .promptTokens = 512,
     .width = 1024,
     .height = 1024,
     .sideStep = 16,
     .latentBytes = 4,
     .denoiser = "Flux2Transformer2DModel"},
    {.name = "ZImagePipeline",
     .guidance = GuidancePasses::Together,
     .promptTokens = 512,
     .width = 1024,
     .height = 1024,
     .sideStep = 16,
     .latentBytes = 12,
     .denoiser = "ZImageTransformer2DModel"},
    {.name = "StableDiffusion3Pipeline",
     .guidance = GuidancePasses::Together,
     .promptTokens = 256,
     .clipTokens = 77,
     .width = 1024,
     .height = 1024,
     .sideStep = 16,
     .latentBytes = 4,
     .denoiser = "SD3Transformer2DModel"},
    {.name = "QwenImagePipeline",
     .guidance = GuidancePasses::OneAfterTheOther,
     .promptTokens = 512,
     .width = 1024,
     .height = 1024,
     .sideStep = 16,
     .latentBytes = 4,
     .denoiser = "QwenImageTransformer2DModel"},
    // Images of the prompt have 1,369 tokens of 28 × 28 pixels, or 196 of those at 384 × 384.
    {.name = "QwenImageEditPipeline",
     .guidance = GuidancePasses::OneAfterTheOther,
     .promptTokens = 512,
     .width = 1024,
     .height = 1024,
     .sideStep = 16,
     .latentBytes = 4,
     .denoiser = "QwenImageTransformer2DModel",
     .references = 1,
     .seenTokens = 1369},
    {.name = "QwenImageEditPlusPipeline",
     .guidance = GuidancePasses::OneAfterTheOther,
     .promptTokens = 512,
     .width = 1024,
     .height = 1024,
     .sideStep = 16,
     .latentBytes = 4,
     .denoiser = "QwenImageTransformer2DModel",
     .references = 1,
     .seenTokens = 196},
    {.name = "WanPipeline",
     .guidance = GuidancePasses::OneAfterTheOther,
     .promptTokens = 512,
     .width = 832,
     .height = 480,
     .frames = 81,
     .sideStep = 16,
     .latentBytes = 12,
     .denoiser = "WanTransformer3DModel"},
    {.name = "WanImageToVideoPipeline",
     .guidance = GuidancePasses::OneAfterTheOther,
     .promptTokens = 512,
     .width = 832,
     .height = 480,
     .frames = 81,
     .sideStep = 16,
     .latentBytes = 24,
     .denoiser = "WanTransformer3DModel",
     .animates = true},
    {.name = "CogVideoXPipeline",
     .guidance = GuidancePasses::Together,
     .promptTokens = 226,
     .width = 720,
     .height = 480,
     .frames = 49,
     .sideStep = 16,
     .latentBytes = 8,
     .denoiser = "CogVideoXTransformer3DModel"},
    {.name = "LTXPipeline",
     .guidance = GuidancePasses::Together,
     .promptTokens = 128,
     .width = 704,
     .height = 512,
     .frames = 161,
     .sideStep = 32,
     .latentBytes = 12,
     .denoiser = "LTXVideoTransformer3DModel"},
    {.name = "HunyuanVideoPipeline",
     .guidance = GuidancePasses::None,
     .promptTokens = 256,
     .width = 1280,
     .height = 720,
     .frames = 129,
     .sideStep = 16,
     .latentBytes = 10,
     .denoiser = "HunyuanVideoTransformer3DModel"},
    {.name = "HunyuanImagePipeline",
     .guidance = GuidancePasses::OneAfterTheOther,
     .promptTokens = 1000,
     .clipTokens = 128, // of ByT5
     .width = 2048,
     .height = 2048,
     .sideStep = 32,
     .latentBytes = 6,
     .denoiser = "HunyuanImageTransformer2DModel"},
    {.name = "StableDiffusionPipeline",
     .guidance = GuidancePasses::Together,
     .promptTokens = 77,
     .width = 512,
     .height = 512,
     .sideStep = 8,
     .latentBytes = 6,
     .denoiser = "UNet2DConditionModel"},
    {.name = "StableDiffusionXLPipeline",
     .guidance = GuidancePasses::Together,
     .promptTokens = 77,
     .width = 1024,
     .height = 1024,
     .sideStep = 8,
     .latentBytes = 6,
     .upcastsDecoding = true,
     .denoiser = "UNet2DConditionModel"},
}};
constexpr PipelineClass kWanLarge = {.name = "WanPipeline",
                                     .guidance = GuidancePasses::OneAfterTheOther,
                                     .promptTokens = 512,
                                     .width = 1280,
                                     .height = 704,
                                     .frames = 121,
                                     .sideStep = 32,
                                     .latentBytes = 12,
                                     .denoiser = "WanTransformer3DModel"};

std::string textOf(const Json &json, const char *key)
{
    const auto found = json.find(key);
    return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
}

bool flagOf(const Json &json, const char *key)
{
    const auto found = json.find(key);
    return found != json.end() && found->is_boolean() && found->get<bool>();
}

std::string roleName(DiffusionRole role, const std::string &name)
{
    switch (role) {
    case DiffusionRole::TextEncoder:
        return name == "image_encoder" ? "Image encoder" : "Text encoder";
    case DiffusionRole::Denoiser:
        return name == "unet"            ? "U-Net"
               : name == "transformer_2" ? "Transformer for low noise"
                                         : "Transformer";
    case DiffusionRole::Autoencoder:
        break;
    }
    return "VAE";
}

/// "transformer.num_layers …" out of "model.config.num_layers …".
std::string placed(const std::string &name, std::string_view text)
{
    constexpr std::string_view kPlace = "model.config.";
    if (text.starts_with(kPlace))
        text.remove_prefix(kPlace.size());
    return "model.components: " + name + '.' + std::string(text);
}

Result<DiffusionComponent> componentOf(const std::string &name, const Json &config)
{
    const std::string className = textOf(config, "_class_name");
    DiffusionComponent component;
    component.name = name;
    component.kind = findComponentClass(className);
    if (!component.kind)
        return invalid("model.components: " + excerpt(name, 40) +
                       (className.empty() ? std::string(" names no _class_name.")
                                          : " is of class \"" + excerpt(className, 60) +
                                                "\", which is not computed."));
    const auto values = flattened(jsonText(config));
    const ConfigReader reader(values.value_or(std::vector<FlatValue>()));
    TowerReader keys(reader, {});
    component.kind->read(keys, component);
    if (keys.error())
        return invalid(placed(name, keys.error()->detail));
    if (component.parameters <= 0)
        return invalid("model.components: " + excerpt(name, 40) + " is a " + className +
                       " of a shape whose decoding was not recorded; those of Wan 2.1, Wan 2.2, "
                       "Qwen-Image, CogVideoX, LTX-Video, HunyuanVideo and HunyuanImage 2.1 are.");
    const std::string role = roleName(component.kind->role, name);
    component.title = component.title.empty() ? role : role + ' ' + component.title;
    return component;
}

bool isListOf(const Json &config, const char *key, std::initializer_list<std::string_view> known)
{
    const auto found = config.find(key);
    return found == config.end() || found->is_null() ||
           (found->is_array() && std::ranges::all_of(*found, [&](const Json &one) {
                return one.is_string() &&
                       std::ranges::find(known, one.get<std::string>()) != known.end();
            }));
}

/// Settings of a U-Net's config that are not computed.
std::optional<std::string> refusedOfUnet(const Json &config)
{
    for (const char *key : {"num_attention_heads", "class_embed_type", "num_class_embeds",
                            "encoder_hid_dim", "encoder_hid_dim_type", "time_cond_proj_dim",
                            "time_embedding_dim", "reverse_transformer_layers_per_block"}) {
        const auto found = config.find(key);
        if (found != config.end() && !found->is_null())
            return std::string(key) + " is set, which is not computed.";
    }
    for (const char *key : {"dual_cross_attention", "only_cross_attention",
                            "mid_block_only_cross_attention", "class_embeddings_concat"})
        if (flagOf(config, key))
            return std::string(key) + " is set, which is not computed.";
    for (const auto &[key, only] :
         {std::pair{"addition_embed_type", "text_time"},
          std::pair{"mid_block_type", "UNetMidBlock2DCrossAttn"},
          std::pair{"attention_type", "default"}, std::pair{"time_embedding_type", "positional"},
          std::pair{"resnet_time_scale_shift", "default"}}) {
        const std::string stated = textOf(config, key);
        if (!stated.empty() && stated != only)
            return std::string(key) + " is \"" + excerpt(stated, 40) +
                   "\", which is not computed; it must be " + only + '.';
    }
    for (const char *key : {"conv_in_kernel", "conv_out_kernel"}) {
        const auto found = config.find(key);
        if (found != config.end() && !found->is_null() && *found != 3)
            return std::string(key) + " is not 3, which is not computed.";
    }
    if (!isListOf(config, "down_block_types", {"DownBlock2D", "CrossAttnDownBlock2D"}))
        return "down_block_types has a block other than DownBlock2D and CrossAttnDownBlock2D, "
               "which is not computed.";
    if (!isListOf(config, "up_block_types", {"UpBlock2D", "CrossAttnUpBlock2D"}))
        return "up_block_types has a block other than UpBlock2D and CrossAttnUpBlock2D, which is "
               "not computed.";
    constexpr std::size_t kMostLevels = 8;
    const auto widths = config.find("block_out_channels");
    const std::size_t levels = widths != config.end() && widths->is_array() ? widths->size() : 4;
    if (levels < 1 || levels > kMostLevels)
        return "block_out_channels must have from 1 to 8 levels.";
    for (const char *key : {"down_block_types", "up_block_types", "layers_per_block",
                            "transformer_layers_per_block", "attention_head_dim"}) {
        const auto found = config.find(key);
        if (found != config.end() && found->is_array() && found->size() != levels)
            return std::string(key) + " must have an entry for each level of block_out_channels.";
    }
    return std::nullopt;
}

/// Settings that change a count or a pass and are not computed.
std::optional<std::string> refusedKey(const Json &config)
{
    if (textOf(config, "_class_name") == "UNet2DConditionModel")
        return refusedOfUnet(config);
    const auto last = config.find("pos_embed_seq_len");
    if (last != config.end() && !last->is_null())
        return "pos_embed_seq_len is set: a transformer that takes two images is not computed.";
    for (const char *key : {"zero_cond_t", "use_additional_t_cond", "use_layer3d_rope"})
        if (flagOf(config, key))
            return std::string(key) + " is set, which is not computed.";
    return std::nullopt;
}

Result<void> addComponents(const Json &json, DiffusionPipeline &pipeline)
{
    for (const auto &[name, config] : json.items()) {
        if (!config.is_object())
            continue;
        if (const auto refused = refusedKey(config))
            return invalid("model.components: " + excerpt(name, 40) + '.' + *refused);
        Result<DiffusionComponent> component = componentOf(name, config);
        if (!component)
            return component.error();
        const auto same =
            std::ranges::count(pipeline.components, component->title, &DiffusionComponent::title);
        if (same > 0)
            component->title += " (" + excerpt(name, 40) + ')';
        pipeline.components.push_back(std::move(component).value());
    }
    for (const auto &[role, what] : {std::pair{DiffusionRole::TextEncoder, "text encoder"},
                                     std::pair{DiffusionRole::Denoiser, "transformer or U-Net"},
                                     std::pair{DiffusionRole::Autoencoder, "autoencoder (vae)"}}) {
        if (!pipeline.first(role))
            return invalid(std::string("model.components: There is no ") + what +
                           " among the components.");
    }
    return {};
}

const PipelineClass *classOf(std::string_view name, std::int64_t patch)
{
    const auto found = std::ranges::find(kPipelineClasses, name, &PipelineClass::name);
    if (found == kPipelineClasses.end())
        return nullptr;
    return patch == 16 && found->name == kWanLarge.name ? &kWanLarge : &*found;
}

std::string namesOfClasses()
{
    std::string names;
    for (const PipelineClass &one : kPipelineClasses)
        names.append(names.empty() ? "" : ", ").append(one.name);
    return names;
}

Result<std::shared_ptr<const DiffusionPipeline>> read(const Json &json)
{
    auto pipeline = std::make_shared<DiffusionPipeline>();
    pipeline->title = textOf(json, "label");
    pipeline->organisation = textOf(json, "organisation");
    pipeline->repository = textOf(json, "hub");
    const auto year = json.find("year");
    pipeline->year = year != json.end() && year->is_number_integer() ? year->get<int>() : 0;
    pipeline->stepsPerToken = flagOf(json, "expand_timesteps");
    if (const Result<void> added = addComponents(json, *pipeline); !added)
        return added.error();
    const DiffusionComponent &vae = *pipeline->first(DiffusionRole::Autoencoder);
    const bool image = vae.kind->pass == &passOfImageAutoencoder;
    pipeline->patch = vae.latentSide > 0 ? vae.latentSide
                      : image ? std::int64_t(1) << std::min<std::int64_t>(vae.heads - 1, 6)
                      : vae.channels == 48 ? 16
                                           : 8;
    pipeline->framesStep = vae.framesStep;
    pipeline->cell = pipeline->first(DiffusionRole::Denoiser)->cell;
    const std::string name = textOf(json, "_class_name");
    pipeline->kind = classOf(name, pipeline->patch);
    if (!pipeline->kind)
        return invalid("model.components: " +
                       (name.empty()
                            ? std::string("_class_name is missing")
                            : "_class_name \"" + excerpt(name, 60) + "\" is not computed") +
                       "; it must be one of " + namesOfClasses() + '.');
    constexpr std::int64_t kEncodingChannels = 16; // of Wan 2.1's latents
    if (pipeline->kind->animates && vae.channels != kEncodingChannels)
        return invalid("model.components: " + excerpt(vae.name, 40) +
                       ": How it encodes a video was not recorded; that of Wan 2.1 is.");
    if (!flagOf(json, "is_distilled"))
        pipeline->guidance = pipeline->kind->guidance;
    for (const DiffusionComponent &component : pipeline->components) {
        if (component.kind->role == DiffusionRole::Denoiser &&
            component.kind->name != pipeline->kind->denoiser)
            return invalid("model.components: " + excerpt(component.name, 40) + " is a " +
                           std::string(component.kind->name) + ", but " + name + " runs a " +
                           std::string(pipeline->kind->denoiser) + '.');
        if (component.seenTokens > 0 && !pipeline->kind->animates)
            return invalid("model.components: " + excerpt(component.name, 40) +
                           ".image_dim is set: " + name + " shows no image to its transformer; " +
                           "WanImageToVideoPipeline does.");
    }
    if (pipeline->title.empty())
        pipeline->title = name;
    return std::shared_ptr<const DiffusionPipeline>(std::move(pipeline));
}

std::string known(std::string_view name)
{
    std::vector<std::string_view> names;
    for (const auto &one : diffusionPipelines())
        names.push_back(one->id);
    return didYouMean(name, names);
}

} // namespace

std::int64_t DiffusionPipeline::parameters() const
{
    return std::accumulate(components.begin(), components.end(), std::int64_t(0),
                           [](std::int64_t sum, const DiffusionComponent &component) {
                               return sum + component.parameters;
                           });
}

const DiffusionComponent *DiffusionPipeline::first(DiffusionRole role) const
{
    const auto found = std::ranges::find(
        components, role, [](const DiffusionComponent &one) { return one.kind->role; });
    return found == components.end() ? nullptr : &*found;
}

std::span<const std::shared_ptr<const DiffusionPipeline>> diffusionPipelines()
{
    static const auto pipelines = [] {
        std::vector<std::shared_ptr<const DiffusionPipeline>> all;
        for (const ShippedDocument &document : shippedDocuments()) {
            if (!document.path.starts_with(kFolder))
                continue;
            const auto found = read(parsedJson(document.text));
            assert(found);
            auto pipeline = std::make_shared<DiffusionPipeline>(**found);
            pipeline->id = document.path.substr(
                kFolder.size(), document.path.size() - kFolder.size() - kSuffix.size());
            all.push_back(std::move(pipeline));
        }
        return all;
    }();
    return pipelines;
}

bool isPipeline(const PlanModel &model)
{
    return model.pipeline || model.components;
}

Result<std::shared_ptr<const DiffusionPipeline>> pipelineOf(const PlanModel &model)
{
    const bool several = (model.pipeline && model.components) || model.preset || model.config;
    if (several)
        return invalid(
            (model.pipeline ? std::string("model.pipeline: ") : std::string("model.components: ")) +
            "A plan names one of model.preset, model.config, model.pipeline and "
            "model.components; keep one of them.");
    if (model.components)
        return read(parsedJson(*model.components));
    const auto pipelines = diffusionPipelines();
    const auto found = std::ranges::find_if(
        pipelines, [&](const auto &one) { return one->id == *model.pipeline; });
    if (found == pipelines.end())
        return invalid("model.pipeline: There is no pipeline named '" +
                       excerpt(*model.pipeline, 80) + "'" + known(*model.pipeline) + '.');
    return *found;
}

} // namespace vramscope
