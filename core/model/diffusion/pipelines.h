// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/model/diffusion/component.h"
#include "core/plan/plan.h"

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vramscope {

/// How guidance runs a prompt together with the empty one.
enum class GuidancePasses { None, Together, OneAfterTheOther };

/// Differences between the classes of pipelines, with their defaults.
struct PipelineClass
{
    std::string_view name; ///< "FluxPipeline"
    GuidancePasses guidance = GuidancePasses::None;
    std::int64_t promptTokens = 0; ///< max_sequence_length
    std::int64_t clipTokens = 0;   ///< before them, for joined encoders
    std::int64_t width = 0, height = 0, frames = 1;
    std::int64_t sideStep = 16;   ///< a side is a multiple of this many pixels
    std::int64_t latentBytes = 0; ///< one number of the latents, all copies of the loop
    bool upcastsDecoding = false; ///< casts an autoencoder that overflows in fp16 to fp32
    std::string_view denoiser;    ///< the class that it runs
    std::int64_t references = 0;  ///< images to edit, whose latents join those of the image
    std::int64_t seenTokens = 0;  ///< tokens of such an image in the prompt
    bool animates = false;        ///< an image, as the first picture of a video that is encoded
};

/// A pipeline of diffusers with its components in the order in which they run.
struct DiffusionPipeline
{
    std::string id;           ///< "flux.1-dev"; empty where a plan gives the components
    std::string title;        ///< "FLUX.1 dev"
    std::string organisation; ///< "Black Forest Labs"
    std::string repository;   ///< of Hugging Face
    int year = 0;
    const PipelineClass *kind = nullptr;
    GuidancePasses guidance = GuidancePasses::None; ///< a distilled pipeline has no guidance
    std::vector<DiffusionComponent> components;
    std::int64_t patch = 8;      ///< pixels of a latent's side
    std::int64_t framesStep = 4; ///< pictures of a latent one, after the first
    std::int64_t cell = 4;       ///< latents of a token
    bool stepsPerToken = false;  ///< expand_timesteps

    [[nodiscard]] std::int64_t parameters() const;
    /// The first component of a role, or nullptr.
    [[nodiscard]] const DiffusionComponent *first(DiffusionRole role) const;
    /// Its autoencoder is cast to fp32 before it decodes.
    [[nodiscard]] bool decodesInFp32() const
    {
        return kind->upcastsDecoding && first(DiffusionRole::Autoencoder)->forcesUpcast;
    }
    [[nodiscard]] bool makesVideos() const { return kind->frames > 1; }
    /// Pictures that the decoder makes: counted up to a whole latent of four, as WanPipeline does
    /// itself, and down to one of eight.
    [[nodiscard]] std::int64_t madeFrames(std::int64_t frames) const
    {
        constexpr std::int64_t kWanStep = 4;
        return framesStep == kWanStep && frames % framesStep != 1
                   ? frames / framesStep * framesStep + 1
                   : (frames - 1) / framesStep * framesStep + 1;
    }
    /// Its autoencoder is one whose slices and tiles are computed.
    [[nodiscard]] bool tilesDecoding() const
    {
        return first(DiffusionRole::Autoencoder)->kind->tiles;
    }
};

/// The pipelines of resources/diffusion, read once.
[[nodiscard]] std::span<const std::shared_ptr<const DiffusionPipeline>> diffusionPipelines();

/// Whether a plan's model is a diffusion pipeline.
[[nodiscard]] bool isPipeline(const PlanModel &model);
/// The pipeline that a plan names or describes. An error begins with its field.
[[nodiscard]] Result<std::shared_ptr<const DiffusionPipeline>> pipelineOf(const PlanModel &model);

} // namespace vramscope
