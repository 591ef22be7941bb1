// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Autoencoders. Memory of decoding is from tests/measure/record_diffusion.py, within 2 %; it leaves
// out the workspaces of convolutions, which fake tensors do not show.
#include "core/model/diffusion/component.h"

#include "core/estimate/formulas/ledger.h"
#include "core/model/towers/tower_reader.h"

#include <algorithm>
#include <array>
#include <vector>

namespace vramscope {

namespace {

/// A convolution over k × k.
std::int64_t convolution(std::int64_t inputs, std::int64_t outputs, std::int64_t k = 3)
{
    return inputs * outputs * k * k + outputs;
}

/// ResnetBlock2D: two norms, two convolutions, and a shortcut where the channels change.
std::int64_t residual(std::int64_t inputs, std::int64_t outputs)
{
    return 2 * inputs + convolution(inputs, outputs) + 2 * outputs + convolution(outputs, outputs) +
           (inputs == outputs ? 0 : convolution(inputs, outputs, 1));
}

/// UNetMidBlock2D: two residual blocks around attention with a norm.
void addMiddle(DiffusionComponent &it, std::int64_t width)
{
    it.addOthers(2 * residual(width, width) + 2 * width, true);
    it.addLinear(4, width, width);
}

/// Video autoencoders with a recorded decoding. Its bytes are `bytes` of a number times pixels
/// times these factors: for steady chunks of four pictures, for two chunks, and for one picture.
/// `padded` of these scale with a picture one pixel wider on each side.
struct VideoDecoder
{
    std::int64_t base, decoderBase, latent;
    bool residual;
    std::int64_t parameters;
    std::int64_t shrink; ///< the decoder's pictures have sides smaller by this factor
    struct Level
    {
        double flat, padded;
    };
    Level steady16, steady32, pair16, pair32, single;
    Level reading; ///< of one picture into latents
    /// Numbers a pixel while five pictures or more are encoded, in either type; 0: not recorded.
    double reading5in16 = 0, reading5in32 = 0, reading16 = 0, reading32 = 0;
};

constexpr std::array<VideoDecoder, 2> kVideoDecoders = {{
    {.base = 96,
     .decoderBase = 96,
     .latent = 16,
     .residual = false,
     .parameters = 126'892'531,
     .shrink = 1,
     .steady16 = {5072.9, 0},
     .steady32 = {4296.9, 576},
     .pair16 = {4868.9, 0},
     .pair32 = {3996.5, 576},
     .single = {1440.7, 288},
     .reading = {675, 288},
     .reading5in16 = 3313.5,
     .reading5in32 = 3021.3,
     .reading16 = 3716,
     .reading32 = 3519.8},
    {.base = 160,
     .decoderBase = 256,
     .latent = 48,
     .residual = true,
     .parameters = 704'688'668,
     .shrink = 2,
     .steady16 = {4612.7, 768},
     .steady32 = {4612.7, 768},
     .pair16 = {3960.4, 768},
     .pair32 = {3960.4, 768},
     .single = {1260.2, 188},
     .reading = {}},
}};

const VideoDecoder *videoDecoder(const DiffusionComponent &it)
{
    const auto found = std::ranges::find(kVideoDecoders, it.parameters, &VideoDecoder::parameters);
    return found == kVideoDecoders.end() ? nullptr : &*found;
}

/// Sides of the tiles that a side is cut into, every `step` pixels.
std::vector<std::int64_t> tiles(std::int64_t side, std::int64_t tile, std::int64_t step)
{
    std::vector<std::int64_t> sides;
    for (std::int64_t at = 0; at < side; at += step)
        sides.push_back(std::min(tile, side - at));
    return sides;
}

/// Pixels of a tile, and from one tile to the next.
struct TileGrid
{
    std::int64_t height, width, rowStep, columnStep;
};

/// The most bytes while tiles are decoded one after the other and those that are finished wait;
/// all is one tile where tiling is off or nothing exceeds one. `runs` has the bytes of a tile of so
/// many pixels, of all images that run together; `each` those of a finished pixel.
template<class Runs>
Exact highestOfTiles(const DiffusionLoad &load, const TileGrid &grid, std::int64_t each,
                     Exact waiting, Runs runs)
{
    const bool tiled = load.tiling && (load.width > grid.width || load.height > grid.height);
    const std::vector<std::int64_t> rows =
        tiled ? tiles(load.height, grid.height, grid.rowStep) : std::vector{load.height};
    const std::vector<std::int64_t> columns =
        tiled ? tiles(load.width, grid.width, grid.columnStep) : std::vector{load.width};
    const std::int64_t together = load.slicing ? 1 : load.batch;
    Exact highest;
    for (const std::int64_t row : rows) {
        for (const std::int64_t column : columns) {
            highest = std::max(highest, runs(row, column) * together + waiting);
            waiting = waiting + Exact(each) * together * row * column;
        }
    }
    return highest;
}

/// Bytes of finished images that wait for the others, where they run one by one.
Exact waitingImages(const DiffusionLoad &load, std::int64_t each)
{
    return Exact(load.slicing ? load.batch - 1 : 0) * each * load.height * load.width;
}

/// LTX-Video's autoencoders with a recorded decoding.
struct LtxDecoder
{
    std::int64_t levels; ///< of its decoder
    std::int64_t parameters;
    bool keepsUpsampled; ///< what upsampling made, with one picture more, is there at the peak
};
constexpr std::array<LtxDecoder, 2> kLtxDecoders = {
    {{4, 419'193'649, true}, {3, 1'246'913'522, false}}};

} // namespace

void readImageAutoencoder(TowerReader &config, DiffusionComponent &it)
{
    const std::int64_t levels = config.listed("block_out_channels", 1);
    const std::int64_t blocks = config.count({"layers_per_block"}, 1, 16);
    it.channels = config.count({"latent_channels"}, 4, 1'000);
    it.forcesUpcast = config.flag("force_upcast", true);
    it.layers = config.count({"sample_size"}, 32, 10'000); // pixels of a tile's side
    if (config.error())
        return;
    std::vector<std::int64_t> widths;
    for (std::int64_t i = 0; i < levels; ++i)
        widths.push_back(config.element("block_out_channels", static_cast<std::size_t>(i), 64));
    const std::int64_t top = widths.back();
    it.width = widths.size() > 1 ? widths[1] : top; // width of the last level's input
    it.heads = levels;
    it.ffn = widths.front(); // width of the first level
    std::int64_t inputs = widths.front();
    it.addOthers(convolution(config.count({"in_channels"}, 3, 1'000), inputs), true);
    for (const std::int64_t width : widths) {
        it.addOthers(residual(inputs, width) + (blocks - 1) * residual(width, width), true);
        inputs = width;
    }
    for (std::size_t i = 0; i + 1 < widths.size(); ++i)
        it.addOthers(convolution(widths[i], widths[i]) + // down, and up
                         convolution(widths[i + 1], widths[i + 1]),
                     true);
    addMiddle(it, top);
    addMiddle(it, top);
    it.addOthers(2 * top + convolution(top, 2 * it.channels), true);
    it.addOthers(convolution(it.channels, top), true);
    inputs = top;
    for (auto width = widths.rbegin(); width != widths.rend(); ++width) {
        it.addOthers(residual(inputs, *width) + blocks * residual(*width, *width), true);
        inputs = *width;
    }
    it.addOthers(2 * inputs + convolution(inputs, config.count({"out_channels"}, 3, 1'000)), true);
    if (config.flag("use_quant_conv", true))
        it.addOthers(convolution(2 * it.channels, 2 * it.channels, 1), true);
    if (config.flag("use_post_quant_conv", true))
        it.addOthers(convolution(it.channels, it.channels, 1), true);
}

/// Three tensors of the last level's input at full size. With slicing, images wait for the others;
/// with tiling, tiles wait too.
PassBytes passOfImageAutoencoder(const DiffusionComponent &it, const DiffusionLoad &load)
{
    const std::int64_t side = it.layers;
    const std::int64_t step = side - side / 4;
    const std::int64_t finished = 3 * load.bytes;
    const Exact highest =
        highestOfTiles(load, {side, side, step, step}, finished, waitingImages(load, finished),
                       [&](std::int64_t row, std::int64_t column) {
                           return Exact(3 * load.bytes) * it.width * row * column;
                       });
    const bool tiled = load.tiling && (load.width > side || load.height > side);
    return {highest, fill({tiled ? "{} × 3 C × pixels of a tile, and tiles that wait = {}, C = {}"
                                 : "{} × 3 C × pixels, and images that wait = {}, C = {}",
                           {load.bytes, highest.value(), it.width}})};
}

/// A norm's mean, variance and count of batches are buffers of the checkpoint.
void readFlux2Autoencoder(TowerReader &config, DiffusionComponent &it)
{
    readImageAutoencoder(config, it);
    constexpr std::int64_t kCell = 4; // latents of 2 × 2 are normed together
    it.tables = 2 * kCell * it.channels + 4;
}

/// Five tensors of the first level's width at full size.
PassBytes readingOfImage(const DiffusionComponent &it, const DiffusionLoad &load)
{
    const Exact pixels = Exact(load.batch) * load.height * load.width;
    return {Exact(load.bytes) * (5 * it.ffn + 3) * pixels,
            fill({"{} × (5 C + 3) × pixels = {} × (5 × {} + 3) × {}",
                  {load.bytes, load.bytes, it.ffn, pixels.value()}})};
}

void readVideoAutoencoder(TowerReader &config, DiffusionComponent &it)
{
    const std::int64_t base = config.count({"base_dim"}, 96);
    const std::int64_t decoderBase = config.count({"decoder_base_dim"}, base);
    it.channels = config.count({"z_dim"}, 16, 1'000);
    const bool residual = config.flag("is_residual", false);
    const std::int64_t blocks = config.count({"num_res_blocks"}, 2, 16);
    constexpr std::array<std::int64_t, 4> kMultiples = {1, 2, 4, 4};
    bool usual = blocks == 2 && config.listed("dim_mult", 4) == 4;
    for (std::size_t i = 0; usual && i < kMultiples.size(); ++i)
        usual = config.element("dim_mult", i, kMultiples[i]) == kMultiples[i];
    for (const VideoDecoder &known : kVideoDecoders) {
        if (usual && known.base == base && known.decoderBase == decoderBase &&
            known.latent == it.channels && known.residual == residual)
            it.addOthers(known.parameters);
    }
    it.width = decoderBase;
}

/// Chunks of four pictures after the first, with the part of the chunk before that each convolution
/// keeps; the pictures so far wait in one tensor.
PassBytes passOfVideoAutoencoder(const DiffusionComponent &it, const DiffusionLoad &load)
{
    const VideoDecoder *known = videoDecoder(it);
    if (!known)
        return {};
    const bool wide = load.bytes == 4;
    const std::int64_t chunks = load.latentFrames();
    const VideoDecoder::Level level = chunks == 1   ? known->single
                                      : chunks == 2 ? (wide ? known->pair32 : known->pair16)
                                                    : (wide ? known->steady32 : known->steady16);
    const auto real = [](std::int64_t count) { return static_cast<double>(count); };
    const std::int64_t height = load.height / known->shrink;
    const std::int64_t width = load.width / known->shrink;
    const double padding = real((height + 2) * (width + 2)) / real(height * width);
    const double latents = real(known->latent * chunks) / real(load.patch * load.patch);
    const std::int64_t pictures = std::max<std::int64_t>(load.frames - 4, 0);
    const double each = level.flat + level.padded * padding + latents + 3 * real(pictures);
    const Exact bytes =
        Exact::ceiling(each * real(load.bytes) * real(load.height) * real(load.width)) * load.batch;
    return {bytes,
            fill({"{} bytes × pixels × numbers a pixel of the decoder and its caches, as recorded, "
                  "and 3 × {} finished pictures = {}",
                  {load.bytes, pictures, bytes.value()}})};
}

/// One picture, or chunks of four after the first with what each convolution keeps of the chunk
/// before; all pictures and their latents so far exist too.
PassBytes readingOfVideo(const DiffusionComponent &it, const DiffusionLoad &load)
{
    const VideoDecoder *known = videoDecoder(it);
    if (!known)
        return {};
    const bool wide = load.bytes == 4;
    const auto real = [](std::int64_t count) { return static_cast<double>(count); };
    const double padding =
        real((load.height + 2) * (load.width + 2)) / real(load.height * load.width);
    const std::int64_t chunks = load.latentFrames();
    const double chunk = chunks == 1   ? known->reading.flat + known->reading.padded * padding
                         : chunks == 2 ? (wide ? known->reading5in32 : known->reading5in16)
                                       : (wide ? known->reading32 : known->reading16);
    const double latents = real(2 * known->latent * chunks) / real(load.patch * load.patch);
    const double each = chunk + latents + 3 * real(load.frames);
    const Exact bytes =
        Exact::ceiling(each * real(load.bytes) * real(load.height) * real(load.width)) * load.batch;
    return {bytes, fill({"{} bytes × pixels × numbers a pixel of the encoder and its caches, as "
                         "recorded, with {} pictures = {}",
                         {load.bytes, load.frames, bytes.value()}})};
}

/// The one that both sizes of CogVideoX have.
void readCogAutoencoder(TowerReader &config, DiffusionComponent &it)
{
    it.channels = config.count({"latent_channels"}, 16, 1'000);
    constexpr std::array<std::int64_t, 4> kWidths = {128, 256, 256, 512};
    bool usual = it.channels == 16 && config.count({"layers_per_block"}, 3, 16) == 3 &&
                 config.listed("block_out_channels", 4) == 4;
    for (std::size_t i = 0; usual && i < kWidths.size(); ++i)
        usual = config.element("block_out_channels", i, kWidths[i]) == kWidths[i];
    if (usual)
        it.addOthers(215'583'907);
}

/// Chunks of eight pictures, nine at first, with what each convolution keeps of the chunk before;
/// finished tiles wait for the last.
PassBytes passOfCogAutoencoder(const DiffusionComponent & /*it*/, const DiffusionLoad &load)
{
    constexpr std::int64_t kTileHeight = 240, kTileWidth = 360;
    constexpr double kOneChunk = 17'187.3; // numbers a pixel, as recorded
    constexpr double kChunks = 22'893.5;
    const double each = load.latentFrames() > 3 ? kChunks : kOneChunk;
    const std::int64_t finished = 3 * load.bytes * load.frames;
    const Exact highest = highestOfTiles(
        load, {kTileHeight, kTileWidth, kTileHeight * 5 / 6, kTileWidth * 4 / 5}, finished,
        waitingImages(load, finished), [&](std::int64_t row, std::int64_t column) {
            return Exact::ceiling(each * static_cast<double>(row * column)) * load.bytes;
        });
    return {highest,
            fill({"{} bytes × pixels × numbers a pixel of the decoder and its caches, as recorded, "
                  "and pictures that wait = {}",
                  {load.bytes, highest.value()}})};
}

void readLtxAutoencoder(TowerReader &config, DiffusionComponent &it)
{
    it.channels = config.count({"latent_channels"}, 128, 1'000);
    const std::int64_t levels = config.listed("decoder_block_out_channels", 4);
    const bool usual =
        it.channels == 128 && config.count({"patch_size"}, 4, 16) == 4 &&
        config.element("decoder_block_out_channels", 0, 128) == (levels == 4 ? 128 : 256);
    const auto *const known = std::ranges::find(kLtxDecoders, levels, &LtxDecoder::levels);
    if (usual && known != kLtxDecoders.end())
        it.addOthers(known->parameters);
    it.tables = 2 * it.channels; // the latents' mean and deviation
    it.latentSide = 32;
    it.framesStep = 8;
}

/// The whole video at once, at a quarter of its sides: the last level's 128 channels with a norm's
/// copy and squares in fp32, or padded in time.
PassBytes passOfLtxAutoencoder(const DiffusionComponent &it, const DiffusionLoad &load)
{
    const auto *const known =
        std::ranges::find(kLtxDecoders, it.parameters, &LtxDecoder::parameters);
    const std::int64_t f = load.frames;
    const std::int64_t joined = 128 * (known->keepsUpsampled ? f + 1 : f) + 32 * (f + 1);
    const std::int64_t cell =
        load.bytes == 4 ? 4 * (128 * (f + 2) + 256 * f + joined + 256) : 1'280 * f + 2 * joined;
    constexpr std::int64_t kPatch = 16; // pixels, 4 × 4
    const std::int64_t finished = 3 * load.bytes * f;
    const Exact highest =
        highestOfTiles(load, {512, 512, 448, 448}, finished, waitingImages(load, finished),
                       [&](std::int64_t row, std::int64_t column) {
                           return Exact(cell) * (row * column / kPatch);
                       });
    return {highest, fill({"{} bytes a patch of 4 × 4 pixels with {} frames, and tiles that wait "
                           "= {}",
                           {cell, f, highest.value()}})};
}

/// HunyuanVideo's, of one published shape.
void readHunyuanVideoAutoencoder(TowerReader &config, DiffusionComponent &it)
{
    it.channels = config.count({"latent_channels"}, 16, 1'000);
    constexpr std::array<std::int64_t, 4> kWidths = {128, 256, 512, 512};
    bool usual = it.channels == 16 && config.count({"layers_per_block"}, 2, 16) == 2 &&
                 config.listed("block_out_channels", 4) == 4;
    for (std::size_t i = 0; usual && i < kWidths.size(); ++i)
        usual = config.element("block_out_channels", i, kWidths[i]) == kWidths[i];
    if (!usual)
        return;
    constexpr std::int64_t kAttention = 512; // two middle blocks with biases
    it.addLinear(8, kAttention, kAttention);
    it.addOthers(246'478'803 - it.parameters, true);
    it.latentSide = 8;
}

/// Five latents, 17 pictures, at a time, each three latents after the one before, which wait as
/// pictures: 256 channels of them padded, three times more, and what was upsampled.
PassBytes passOfHunyuanVideoAutoencoder(const DiffusionComponent & /*it*/,
                                        const DiffusionLoad &load)
{
    constexpr std::int64_t kLatents = 5, kStep = 3;
    const std::int64_t latents = load.latentFrames();
    const std::int64_t f = 4 * (std::min(latents, kLatents) - 1) + 1;
    const std::int64_t turns = latents > kLatents ? (latents - kLatents) / kStep : 0;
    const std::int64_t before = turns > 0 ? turns * (f - 1) + 1 : 0;
    const std::int64_t plain = 256 * (f == 1 ? 2 : 3 * f) + 96 * (f + 1);
    const auto runs = [&](std::int64_t row, std::int64_t column) {
        return (Exact(256 * (f + 2)) * ((row + 2) * (column + 2)) + Exact(plain) * (row * column)) *
               load.bytes;
    };
    const std::int64_t finished = 3 * load.bytes;
    const Exact waiting =
        Exact(finished * before) * load.height * load.width * (load.slicing ? 1 : load.batch);
    const Exact highest =
        highestOfTiles(load, {256, 256, 192, 192}, finished * f,
                       waiting + waitingImages(load, finished * load.frames), runs);
    return {highest,
            fill({"{} × (256 × {} padded frames + {} numbers a pixel), and frames that wait "
                  "= {}",
                  {load.bytes, f + 2, plain, highest.value()}})};
}

/// HunyuanImage 2.1's, of one published shape.
void readHunyuanImageAutoencoder(TowerReader &config, DiffusionComponent &it)
{
    it.channels = config.count({"latent_channels"}, 64, 1'000);
    it.layers = config.count({"sample_size"}, 384, 10'000);
    constexpr std::array<std::int64_t, 6> kWidths = {128, 256, 512, 512, 1024, 1024};
    bool usual = it.channels == 64 && config.count({"layers_per_block"}, 2, 16) == 2 &&
                 config.listed("block_out_channels", 6) == 6;
    for (std::size_t i = 0; usual && i < kWidths.size(); ++i)
        usual = config.element("block_out_channels", i, kWidths[i]) == kWidths[i];
    if (usual)
        it.addOthers(405'575'491, true);
    it.latentSide = 32;
}

/// While the last level is upsampled: its 256 channels at half the sides, and three times as many
/// numbers as 128 channels at full size have.
PassBytes passOfHunyuanImageAutoencoder(const DiffusionComponent &it, const DiffusionLoad &load)
{
    constexpr std::int64_t kNumbers = 3 * 128 + 256 / 4;
    const std::int64_t side = it.layers;
    const std::int64_t step = side * 3 / 4;
    const std::int64_t finished = 3 * load.bytes;
    const Exact highest =
        highestOfTiles(load, {side, side, step, step}, finished, waitingImages(load, finished),
                       [&](std::int64_t row, std::int64_t column) {
                           return Exact(kNumbers * load.bytes) * row * column;
                       });
    return {highest, fill({"{} × {} numbers a pixel, and tiles that wait = {}",
                           {load.bytes, kNumbers, highest.value()}})};
}

} // namespace vramscope
