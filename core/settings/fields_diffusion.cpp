// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/settings/field_rows.h"

#include <array>

namespace vramscope {

namespace {

using namespace rows;

constexpr auto kDiffusion = &Plan::diffusion;
constexpr Range kSide = {16, 16384};

constexpr std::array kDiffusionFields = {
    count<kDiffusion, &PlanDiffusion::width>(
        {"diffusion.width", "Width",
         "Pixels of an image; the pipeline takes multiples of 16, or of 8 with a U-Net."},
        kSide, settingUnless<0, &Settings::diffusionWidth, usual::diffusionWidth>,
        applies::diffusion),
    count<kDiffusion, &PlanDiffusion::height>(
        {"diffusion.height", "Height",
         "Pixels of an image; the pipeline takes multiples of 16, or of 8 with a U-Net."},
        kSide, settingUnless<0, &Settings::diffusionHeight, usual::diffusionHeight>,
        applies::diffusion),
    count<kDiffusion, &PlanDiffusion::frames>(
        {"diffusion.frames", "Frames",
         "Pictures of a video; the autoencoder makes four at a time, and one first."},
        {1, 10'000}, settingUnless<0, &Settings::diffusionFrames, usual::diffusionFrames>,
        applies::videos),
    count<kDiffusion, &PlanDiffusion::images>({"diffusion.images", "At once",
                                               "Images or videos that a call makes at once. In "
                                               "training the batch is this number times the "
                                               "micro-batch."},
                                              {1, 4096}, setting<&Settings::diffusionImages>,
                                              applies::diffusion),
    toggle<kDiffusion, &PlanDiffusion::guidance>({"diffusion.guidance", "Guidance",
                                                  "A second pass with an empty prompt; Stable "
                                                  "Diffusion runs both as one batch, Qwen-Image "
                                                  "and Wan one after the other."},
                                                 setting<&Settings::guidance>, applies::guided),
    count<kDiffusion, &PlanDiffusion::promptTokens>(
        {"diffusion.prompt_tokens", "Prompt tokens",
         "Tokens of a prompt as the largest text encoder takes them; max_sequence_length, to which "
         "most pipelines pad."},
        {1, 10'000}, settingUnless<0, &Settings::promptTokens, usual::promptTokens>,
        applies::diffusion),
    choice<kDiffusion, &PlanDiffusion::transformerFormat>(
        {"diffusion.transformer_format", "Denoiser weights",
         "In 16 bit; cast to fp8 layer by layer, but norms and what is named like them; or "
         "quantised to nf4 by bitsandbytes."},
        setting<&Settings::transformerFormat>, applies::diffusion),
    choice<kDiffusion, &PlanDiffusion::vaeFormat>(
        {"diffusion.vae_format", "VAE weights",
         "Type in which the autoencoder runs; Wan's is often loaded in fp32. SDXL's is cast to "
         "fp32 to decode; choose bf16 for the one that was fixed for fp16 (sdxl-vae-fp16-fix)."},
        setting<&Settings::vaeFormat, usual::vaeFormat>, applies::callsPipeline),
    choice<kDiffusion, &PlanDiffusion::offload>(
        {"diffusion.offload", "Offload",
         "model: each component is on the GPU only while it runs (enable_model_cpu_offload); "
         "sequential: each layer (enable_sequential_cpu_offload), which is slow."},
        setting<&Settings::diffusionOffload>, applies::callsPipeline),
    toggle<kDiffusion, &PlanDiffusion::vaeTiling>(
        {"diffusion.vae_tiling", "VAE tiling",
         "Images larger than the autoencoder's own size are decoded in tiles that overlap."},
        setting<&Settings::vaeTiling>, applies::imageDecoder),
    toggle<kDiffusion, &PlanDiffusion::vaeSlicing>(
        {"diffusion.vae_slicing", "VAE slicing", "Images of a batch are decoded one by one."},
        setting<&Settings::vaeSlicing>, applies::imageDecoder),
};

static_assert(areRowsOf(kDiffusionFields, "diffusion.width", "diffusion.vae_slicing"));

} // namespace

std::span<const Field> diffusionFields()
{
    return kDiffusionFields;
}

} // namespace vramscope
