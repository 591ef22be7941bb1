// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/exact.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace vramscope {

class TowerReader;

/// The denoiser is a diffusion transformer or a U-Net. A text encoder may encode an image instead.
enum class DiffusionRole { TextEncoder, Denoiser, Autoencoder };

/// Inputs of one pass of a denoiser or an autoencoder.
struct DiffusionLoad
{
    std::int64_t batch = 1;  ///< images or videos, twice where guidance shares a pass
    std::int64_t tokens = 0; ///< of text, for each of them
    std::int64_t height = 0; ///< pixels
    std::int64_t width = 0;
    std::int64_t frames = 1;     ///< pictures of a video
    std::int64_t bytes = 2;      ///< of a number of the autoencoder
    std::int64_t patch = 8;      ///< pixels of a latent's side
    std::int64_t framesStep = 4; ///< pictures of a latent one, after the first
    std::int64_t cell = 4;       ///< latents of a token
    std::int64_t references = 0; ///< places of the latents of images to edit
    bool stepsPerToken = false;  ///< each token has a time step of its own
    bool slicing = false;        ///< the autoencoder takes images one by one
    bool tiling = false;         ///< and large ones in tiles

    [[nodiscard]] std::int64_t latentFrames() const { return (frames - 1) / framesStep + 1; }
    [[nodiscard]] std::int64_t latents() const // places, of one image or video
    {
        return latentFrames() * (height / patch) * (width / patch);
    }
    [[nodiscard]] std::int64_t tokensOfImage() const { return (latents() + references) / cell; }
};

/// Peak memory of a pass without weights and inputs, and the formula for it.
struct PassBytes
{
    Exact bytes;
    std::string formula;
};

enum class UnetLayerKind { Input, Residual, Transformer, Downsample, Upsample, Output };

/// A layer of a U-Net; they run in the order of DiffusionComponent::unet.
struct UnetLayer
{
    UnetLayerKind kind = UnetLayerKind::Input;
    std::int64_t level = 0;  ///< how often the sides of the latent were halved before it
    std::int64_t inputs = 0; ///< channels; on the way up with those of the skip that is joined
    std::int64_t outputs = 0;
    std::int64_t skip = 0;    ///< channels of the skip that it reads; 0: it reads none
    std::size_t source = 0;   ///< the layer that made that skip
    bool opensBlock = false;  ///< the first of a block on the way up
    bool isSkip = false;      ///< its output waits for the way up
    bool isKeptWhole = false; ///< gradient checkpointing leaves it out: the first of the middle
    std::int64_t blocks = 0;  ///< of a transformer
    std::int64_t heads = 0;   ///< of its attention
    std::int64_t parameters = 0;
    std::int64_t textParameters = 0; ///< to_k and to_v of the text, among them
    std::int64_t factors = 0;        ///< numbers that Adafactor keeps of the parameters
    std::int64_t largestTensor = 0;
};

struct DiffusionComponent;

/// A class of diffusers or transformers whose components are counted to the parameter.
struct ComponentClass
{
    std::string_view name; ///< "FluxTransformer2DModel"
    DiffusionRole role;
    /// Reads the keys of a config; a failure stays in the reader.
    void (*read)(TowerReader &config, DiffusionComponent &component);
    PassBytes (*pass)(const DiffusionComponent &component, const DiffusionLoad &load);
    std::string_view source; ///< source of both
    /// How an autoencoder makes latents of an image; null where that was not recorded.
    PassBytes (*reading)(const DiffusionComponent &component, const DiffusionLoad &load) = nullptr;
    bool tiles = false; ///< slices and tiles of an autoencoder are computed
};

/// A component of a pipeline. Parameters are exact; the class decides which of them stay in which
/// type.
struct DiffusionComponent
{
    std::string name;  ///< in model_index.json: "text_encoder_2"
    std::string title; ///< "Text encoder T5-XXL", unique within a pipeline
    const ComponentClass *kind = nullptr;

    std::int64_t parameters = 0;
    std::int64_t matrices = 0;       ///< of linear layers that bitsandbytes quantises
    std::int64_t matrixElements = 0; ///< in all of them
    std::int64_t largestMatrix = 0;  ///< elements of the largest layer
    std::int64_t unquantised = 0;    ///< elements of those that bitsandbytes leaves in fp32
    std::int64_t wide = 0;           ///< parameters that are loaded in fp32 (_keep_in_fp32_modules)
    std::int64_t uncast = 0;         ///< of the others, those that layerwise casting skips
    std::int64_t tables = 0;         ///< elements of buffers in a checkpoint
    std::int64_t sinusoids = 0;      ///< of buffers in fp32 that are computed, not loaded

    std::int64_t layers = 0, singleLayers = 0, dualLayers = 0;
    std::int64_t seenTokens = 0; ///< of an image that a transformer sees as its encoder does
    std::int64_t refiners = 0;   ///< layers of the image alone, and as many of the text
    std::int64_t width = 0, heads = 0, headWidth = 0, ffn = 0;
    std::int64_t kvWidth = 0;   ///< of a token's keys, in a layer that caches them
    std::int64_t textWidth = 0; ///< output width of text encoders
    std::int64_t channels = 0;  ///< channels of its input latent
    std::int64_t vocabulary = 0;
    std::int64_t latentSide = 0; ///< pixels of a latent's side, of an autoencoder; 0: by its levels
    std::int64_t framesStep = 4; ///< pictures of a latent one, after the first
    std::int64_t cell = 4;       ///< latents of a transformer's token
    bool guidanceEmbedded = false;
    bool quickGelu = false;
    bool turns = false;        ///< rotates queries and keys of CogVideoX
    bool normsQueries = false; ///< SD3's transformer norms queries and keys
    bool forcesUpcast = false; ///< the autoencoder overflows in fp16 (force_upcast)
    std::vector<UnetLayer> unet;
    bool projectsByConvolution = false;  ///< into and out of the transformers of a U-Net
    std::int64_t largestConvolution = 0; ///< elements, of a U-Net

    /// Adds linear layers of `inputs` × `outputs`. Layerwise casting skips those with "norm" in
    /// their name and others that the class names.
    void addLinear(std::int64_t count, std::int64_t inputs, std::int64_t outputs, bool bias = true,
                   bool cast = true);
    /// Adds parameters of other layers.
    void addOthers(std::int64_t count, bool cast = false);
    /// Takes linear layers out of those that are quantised and cast: they stay in fp32.
    void keepWide(std::int64_t count, std::int64_t inputs, std::int64_t outputs);
};

/// The class of that name, or nullptr.
[[nodiscard]] const ComponentClass *findComponentClass(std::string_view name);

// The classes of each role, a file each.
void readFlux(TowerReader &config, DiffusionComponent &it);
void readSd3(TowerReader &config, DiffusionComponent &it);
void readQwenImage(TowerReader &config, DiffusionComponent &it);
void readWan(TowerReader &config, DiffusionComponent &it);
[[nodiscard]] PassBytes passOfFlux(const DiffusionComponent &it, const DiffusionLoad &load);
[[nodiscard]] PassBytes passOfSd3(const DiffusionComponent &it, const DiffusionLoad &load);
[[nodiscard]] PassBytes passOfQwenImage(const DiffusionComponent &it, const DiffusionLoad &load);
[[nodiscard]] PassBytes passOfWan(const DiffusionComponent &it, const DiffusionLoad &load);

void readCogVideoX(TowerReader &config, DiffusionComponent &it);
void readFlux2(TowerReader &config, DiffusionComponent &it);
void readZImage(TowerReader &config, DiffusionComponent &it);
[[nodiscard]] PassBytes passOfCogVideoX(const DiffusionComponent &it, const DiffusionLoad &load);
[[nodiscard]] PassBytes passOfFlux2(const DiffusionComponent &it, const DiffusionLoad &load);
[[nodiscard]] PassBytes passOfZImage(const DiffusionComponent &it, const DiffusionLoad &load);

void readLtx(TowerReader &config, DiffusionComponent &it);
void readHunyuanVideo(TowerReader &config, DiffusionComponent &it);
void readHunyuanImage(TowerReader &config, DiffusionComponent &it);
[[nodiscard]] PassBytes passOfLtx(const DiffusionComponent &it, const DiffusionLoad &load);
[[nodiscard]] PassBytes passOfHunyuanVideo(const DiffusionComponent &it, const DiffusionLoad &load);
[[nodiscard]] PassBytes passOfHunyuanImage(const DiffusionComponent &it, const DiffusionLoad &load);

void readUnet(TowerReader &config, DiffusionComponent &it);
[[nodiscard]] PassBytes passOfUnet(const DiffusionComponent &it, const DiffusionLoad &load);

void readT5(TowerReader &config, DiffusionComponent &it);
void readUmt5(TowerReader &config, DiffusionComponent &it);
void readClipText(TowerReader &config, DiffusionComponent &it);
void readClipTextProjection(TowerReader &config, DiffusionComponent &it);
void readClipVision(TowerReader &config, DiffusionComponent &it);
void readQwen25Vl(TowerReader &config, DiffusionComponent &it);
void readQwen3(TowerReader &config, DiffusionComponent &it);
void readLlama(TowerReader &config, DiffusionComponent &it);
void readQwen3Causal(TowerReader &config, DiffusionComponent &it);
void readMistral3(TowerReader &config, DiffusionComponent &it);
[[nodiscard]] PassBytes passOfT5(const DiffusionComponent &it, const DiffusionLoad &load);
[[nodiscard]] PassBytes passOfUmt5(const DiffusionComponent &it, const DiffusionLoad &load);
[[nodiscard]] PassBytes passOfClipText(const DiffusionComponent &it, const DiffusionLoad &load);
[[nodiscard]] PassBytes passOfClipTextProjection(const DiffusionComponent &it,
                                                 const DiffusionLoad &load);
[[nodiscard]] PassBytes passOfClipVision(const DiffusionComponent &it, const DiffusionLoad &load);
[[nodiscard]] PassBytes passOfQwen25Vl(const DiffusionComponent &it, const DiffusionLoad &load);
[[nodiscard]] PassBytes passOfQwen3(const DiffusionComponent &it, const DiffusionLoad &load);
[[nodiscard]] PassBytes passOfThreeLayers(const DiffusionComponent &it, const DiffusionLoad &load);

void readImageAutoencoder(TowerReader &config, DiffusionComponent &it);
void readFlux2Autoencoder(TowerReader &config, DiffusionComponent &it);
void readCogAutoencoder(TowerReader &config, DiffusionComponent &it);
void readLtxAutoencoder(TowerReader &config, DiffusionComponent &it);
void readHunyuanVideoAutoencoder(TowerReader &config, DiffusionComponent &it);
void readHunyuanImageAutoencoder(TowerReader &config, DiffusionComponent &it);
void readVideoAutoencoder(TowerReader &config, DiffusionComponent &it);
[[nodiscard]] PassBytes passOfImageAutoencoder(const DiffusionComponent &it,
                                               const DiffusionLoad &load);
[[nodiscard]] PassBytes passOfVideoAutoencoder(const DiffusionComponent &it,
                                               const DiffusionLoad &load);
[[nodiscard]] PassBytes passOfLtxAutoencoder(const DiffusionComponent &it,
                                             const DiffusionLoad &load);
[[nodiscard]] PassBytes passOfHunyuanVideoAutoencoder(const DiffusionComponent &it,
                                                      const DiffusionLoad &load);
[[nodiscard]] PassBytes passOfHunyuanImageAutoencoder(const DiffusionComponent &it,
                                                      const DiffusionLoad &load);
[[nodiscard]] PassBytes passOfCogAutoencoder(const DiffusionComponent &it,
                                             const DiffusionLoad &load);
[[nodiscard]] PassBytes readingOfImage(const DiffusionComponent &it, const DiffusionLoad &load);
[[nodiscard]] PassBytes readingOfVideo(const DiffusionComponent &it, const DiffusionLoad &load);

} // namespace vramscope
