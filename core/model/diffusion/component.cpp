// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/diffusion/component.h"

#include <algorithm>
#include <array>

namespace vramscope {

namespace {

constexpr std::string_view kFlux = "diffusers 0.42 models/transformers/transformer_flux.py";
constexpr std::string_view kSd3 = "diffusers 0.42 models/transformers/transformer_sd3.py";
constexpr std::string_view kQwenImage =
    "diffusers 0.42 models/transformers/transformer_qwenimage.py";
constexpr std::string_view kWan = "diffusers 0.42 models/transformers/transformer_wan.py";
constexpr std::string_view kCog = "diffusers 0.42 models/transformers/cogvideox_transformer_3d.py";
constexpr std::string_view kCogVae =
    "diffusers 0.42 models/autoencoders/autoencoder_kl_cogvideox.py";
constexpr std::string_view kFlux2 = "diffusers 0.42 models/transformers/transformer_flux2.py";
constexpr std::string_view kZImage = "diffusers 0.42 models/transformers/transformer_z_image.py";
constexpr std::string_view kUnet = "diffusers 0.42 models/unets/unet_2d_condition.py";
constexpr std::string_view kImageVae = "diffusers 0.42 models/autoencoders/autoencoder_kl.py";
constexpr std::string_view kWanVae = "diffusers 0.42 models/autoencoders/autoencoder_kl_wan.py";
constexpr std::string_view kQwenVae =
    "diffusers 0.42 models/autoencoders/autoencoder_kl_qwenimage.py";
constexpr std::string_view kFlux2Vae = "diffusers 0.42 models/autoencoders/autoencoder_kl_flux2.py";
constexpr std::string_view kLtx = "diffusers 0.42 models/transformers/transformer_ltx.py";
constexpr std::string_view kHunyuanVideo =
    "diffusers 0.42 models/transformers/transformer_hunyuan_video.py";
constexpr std::string_view kHunyuanImage =
    "diffusers 0.42 models/transformers/transformer_hunyuanimage.py";
constexpr std::string_view kLtxVae = "diffusers 0.42 models/autoencoders/autoencoder_kl_ltx.py";
constexpr std::string_view kHunyuanVideoVae =
    "diffusers 0.42 models/autoencoders/autoencoder_kl_hunyuan_video.py";
constexpr std::string_view kHunyuanImageVae =
    "diffusers 0.42 models/autoencoders/autoencoder_kl_hunyuanimage.py";
constexpr std::string_view kLlama = "transformers 5.23 models/llama/modeling_llama.py";
constexpr std::string_view kT5 = "transformers 5.23 models/t5/modeling_t5.py";
constexpr std::string_view kUmt5 = "transformers 5.23 models/umt5/modeling_umt5.py";
constexpr std::string_view kClip = "transformers 5.23 models/clip/modeling_clip.py";
constexpr std::string_view kQwenVl = "transformers 5.23 models/qwen2_5_vl/modeling_qwen2_5_vl.py";
constexpr std::string_view kQwen3 = "transformers 5.23 models/qwen3/modeling_qwen3.py";
constexpr std::string_view kMistral3 = "transformers 5.23 models/mistral3/modeling_mistral3.py";

using enum DiffusionRole;
constexpr std::array<ComponentClass, 29> kComponentClasses = {{
    {"FluxTransformer2DModel", Denoiser, &readFlux, &passOfFlux, kFlux},
    {"SD3Transformer2DModel", Denoiser, &readSd3, &passOfSd3, kSd3},
    {"QwenImageTransformer2DModel", Denoiser, &readQwenImage, &passOfQwenImage, kQwenImage},
    {"WanTransformer3DModel", Denoiser, &readWan, &passOfWan, kWan},
    {"CogVideoXTransformer3DModel", Denoiser, &readCogVideoX, &passOfCogVideoX, kCog},
    {"AutoencoderKLCogVideoX", Autoencoder, &readCogAutoencoder, &passOfCogAutoencoder, kCogVae,
     nullptr, true},
    {"LTXVideoTransformer3DModel", Denoiser, &readLtx, &passOfLtx, kLtx},
    {"HunyuanVideoTransformer3DModel", Denoiser, &readHunyuanVideo, &passOfHunyuanVideo,
     kHunyuanVideo},
    {"HunyuanImageTransformer2DModel", Denoiser, &readHunyuanImage, &passOfHunyuanImage,
     kHunyuanImage},
    {"AutoencoderKLLTXVideo", Autoencoder, &readLtxAutoencoder, &passOfLtxAutoencoder, kLtxVae,
     nullptr, true},
    {"AutoencoderKLHunyuanVideo", Autoencoder, &readHunyuanVideoAutoencoder,
     &passOfHunyuanVideoAutoencoder, kHunyuanVideoVae, nullptr, true},
    {"AutoencoderKLHunyuanImage", Autoencoder, &readHunyuanImageAutoencoder,
     &passOfHunyuanImageAutoencoder, kHunyuanImageVae, nullptr, true},
    {"Flux2Transformer2DModel", Denoiser, &readFlux2, &passOfFlux2, kFlux2},
    {"ZImageTransformer2DModel", Denoiser, &readZImage, &passOfZImage, kZImage},
    {"UNet2DConditionModel", Denoiser, &readUnet, &passOfUnet, kUnet},
    {"AutoencoderKL", Autoencoder, &readImageAutoencoder, &passOfImageAutoencoder, kImageVae,
     &readingOfImage, true},
    {"AutoencoderKLFlux2", Autoencoder, &readFlux2Autoencoder, &passOfImageAutoencoder, kFlux2Vae,
     &readingOfImage, true},
    {"AutoencoderKLWan", Autoencoder, &readVideoAutoencoder, &passOfVideoAutoencoder, kWanVae,
     &readingOfVideo},
    {"AutoencoderKLQwenImage", Autoencoder, &readVideoAutoencoder, &passOfVideoAutoencoder,
     kQwenVae, &readingOfVideo},
    {"T5EncoderModel", TextEncoder, &readT5, &passOfT5, kT5},
    {"UMT5EncoderModel", TextEncoder, &readUmt5, &passOfUmt5, kUmt5},
    {"CLIPTextModel", TextEncoder, &readClipText, &passOfClipText, kClip},
    {"CLIPTextModelWithProjection", TextEncoder, &readClipTextProjection, &passOfClipTextProjection,
     kClip},
    {"CLIPVisionModel", TextEncoder, &readClipVision, &passOfClipVision, kClip},
    {"Qwen2_5_VLForConditionalGeneration", TextEncoder, &readQwen25Vl, &passOfQwen25Vl, kQwenVl},
    {"LlamaModel", TextEncoder, &readLlama, &passOfQwen3, kLlama},
    {"Qwen3Model", TextEncoder, &readQwen3, &passOfQwen3, kQwen3},
    {"Qwen3ForCausalLM", TextEncoder, &readQwen3Causal, &passOfThreeLayers, kQwen3},
    {"Mistral3ForConditionalGeneration", TextEncoder, &readMistral3, &passOfThreeLayers, kMistral3},
}};

} // namespace

const ComponentClass *findComponentClass(std::string_view name)
{
    const auto found = std::ranges::find(kComponentClasses, name, &ComponentClass::name);
    return found == kComponentClasses.end() ? nullptr : &*found;
}

void DiffusionComponent::addLinear(std::int64_t count, std::int64_t inputs, std::int64_t outputs,
                                   bool bias, bool cast)
{
    const std::int64_t elements = inputs * outputs;
    matrices += count;
    matrixElements += count * elements;
    largestMatrix = std::max(largestMatrix, count > 0 ? elements : 0);
    addOthers(count * (elements + (bias ? outputs : 0)), cast);
}

void DiffusionComponent::addOthers(std::int64_t count, bool cast)
{
    parameters += count;
    uncast += cast ? 0 : count;
}

void DiffusionComponent::keepWide(std::int64_t count, std::int64_t inputs, std::int64_t outputs)
{
    const std::int64_t elements = count * (inputs * outputs + outputs);
    parameters += elements;
    wide += elements;
}

} // namespace vramscope
