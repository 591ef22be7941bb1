// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/settings/field_rows.h"

#include <array>

namespace vramscope {

namespace {

using namespace rows;

constexpr Range kSide = {16, 16384};
constexpr Rows<DiffusionFields, &Plan::diffusion, &Settings::picture> kDiffusion;

constexpr std::array kDiffusionFields = {
    kDiffusion.count(
        [](auto &f) { return &f.width; }, "Width",
        "Pixels of an image; the pipeline takes multiples of 16, or of 8 with a U-Net.", kSide,
        unless<0>, usually<usual::diffusionWidth>, applies::diffusion),
    kDiffusion.count(
        [](auto &f) { return &f.height; }, "Height",
        "Pixels of an image; the pipeline takes multiples of 16, or of 8 with a U-Net.", kSide,
        unless<0>, usually<usual::diffusionHeight>, applies::diffusion),
    kDiffusion.count([](auto &f) { return &f.frames; }, "Frames",
                     "Pictures of a video; the autoencoder makes four at a time, and one first.",
                     {1, 10'000}, unless<0>, usually<usual::diffusionFrames>, applies::videos),
    kDiffusion.count([](auto &f) { return &f.images; }, "At once",
                     "Images or videos that a call makes at once. In training the batch is this "
                     "number times the micro-batch.",
                     {1, 4096}, applies::diffusion),
    kDiffusion.toggle([](auto &f) { return &f.guidance; }, "Guidance",
                      "A second pass with an empty prompt; Stable Diffusion runs both as one "
                      "batch, Qwen-Image and Wan one after the other.",
                      applies::guided),
    kDiffusion.count([](auto &f) { return &f.promptTokens; }, "Prompt tokens",
                     "Tokens of a prompt as the largest text encoder takes them; "
                     "max_sequence_length, to which most pipelines pad.",
                     {1, 10'000}, unless<0>, usually<usual::promptTokens>, applies::diffusion),
    kDiffusion.choice([](auto &f) { return &f.transformerFormat; }, "Denoiser weights",
                      "In 16 bit; cast to fp8 layer by layer, but norms and what is named like "
                      "them; or quantised to nf4 by bitsandbytes.",
                      applies::diffusion),
    kDiffusion.choice(
        [](auto &f) { return &f.vaeFormat; }, "VAE weights",
        "Type in which the autoencoder runs; Wan's is often loaded in fp32. SDXL's is cast to fp32 "
        "to decode; choose bf16 for the one that was fixed for fp16 (sdxl-vae-fp16-fix).",
        usually<usual::vaeFormat>, applies::callsPipeline),
    kDiffusion.choice(
        [](auto &f) { return &f.offload; }, "Offload",
        "model: each component is on the GPU only while it runs (enable_model_cpu_offload); "
        "sequential: each layer (enable_sequential_cpu_offload), which is slow.",
        applies::callsPipeline),
    kDiffusion.toggle(
        [](auto &f) { return &f.vaeTiling; }, "VAE tiling",
        "Images larger than the autoencoder's own size are decoded in tiles that overlap.",
        applies::imageDecoder),
    kDiffusion.toggle([](auto &f) { return &f.vaeSlicing; }, "VAE slicing",
                      "Images of a batch are decoded one by one.", applies::imageDecoder),
};

static_assert(areRowsOf(kDiffusionFields, "diffusion.width", "diffusion.vae_slicing"));

} // namespace

std::span<const Field> diffusionFields()
{
    return kDiffusionFields;
}

} // namespace vramscope
