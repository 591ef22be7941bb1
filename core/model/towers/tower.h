// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace vramscope {

enum class TowerKind { Vision, Audio };

/// How an image becomes tokens of the language model.
enum class ImageRule {
    None,  ///< no images, or a rule that is not known
    Grid,  ///< scaled to whole cells, between a least and a largest number of pixels
    Rows,  ///< the same with a longest side, and one token more at the end of each row
    Fixed, ///< each image is scaled to the same square
    Tiles, ///< cut into squares of one size, with the whole image as one more of them
};

/// Bytes of a patch at one moment of encoding: `whole` on every tensor-parallel rank, `divided`
/// among them.
struct EncodingMoment
{
    std::int64_t whole = 0;
    std::int64_t divided = 0;
};

/// Memory of vLLM's modules while they encode in 16 bit, in bytes of a patch. Recorded:
/// tests/measure/encoders.
struct Encoding
{
    bool known = false;
    EncodingMoment attention;
    std::int64_t exchanged = 0; ///< extra in attention where ranks gather queries, keys and values
    EncodingMoment activation;  ///< around the feed-forward's activation function
    EncodingMoment output;      ///< at the output of the feed-forward
    std::int64_t norm = 0;      ///< a norm written out in fp32
    std::int64_t tables = 0;    ///< cosines and sines, throughout
};

/// The longest video that vLLM's profile run encodes, where it may be larger than an image.
enum class VideoRule {
    None,       ///< no videos, or none with more patches than the largest image
    FramePairs, ///< up to 14 frames of the largest image, two to a patch
    Frames,     ///< frames of one tile each, as many as fit a sequence with an image
};

/// A matrix product of a tower, `count` times.
struct TowerLinear
{
    std::int64_t in = 0;
    std::int64_t out = 0;
    std::int64_t count = 1;
};

/// The encoder of a multimodal model's images or sound, with its projection to the text.
struct Tower
{
    TowerKind kind = TowerKind::Vision;
    std::string place;     ///< its part of the config: "vision_config"
    std::string_view name; ///< "Qwen2.5-VL"

    std::int64_t encoder = 0;   ///< parameters of the encoder
    std::int64_t projector = 0; ///< parameters between it and the language model
    std::int64_t split = 0;     ///< of both, those that vLLM divides among tensor-parallel ranks
    std::int64_t notLoaded = 0; ///< of both, those of layers that vLLM does not load
    std::int64_t notLoadedSplit = 0;  ///< of those, the ones that it would divide
    std::vector<TowerLinear> linears; ///< of both, those that bitsandbytes quantises

    std::int64_t layers = 0;
    std::int64_t width = 0;
    std::int64_t ffn = 0;
    std::int64_t heads = 0;
    std::int64_t block = 0;      ///< parameters of one layer
    std::int64_t blockSplit = 0; ///< of those, the divided ones
    std::int64_t postNorm = 0;   ///< parameters of the norm after the last layer
    std::int64_t patch = 0;      ///< pixels of a patch's side
    std::int64_t merge = 1;      ///< patches of a token's side
    std::int64_t deepstack = 0;  ///< layers of the language model that take further features
    std::int64_t output = 0;     ///< width of the encoder's output, where it is not its own

    ImageRule images = ImageRule::None;
    std::int64_t imageSide = 0;   ///< pixels of the square, or of the longest side
    std::int64_t minPixels = 0;   ///< of ImageRule::Grid
    std::int64_t maxPixels = 0;   ///< of ImageRule::Grid; 0: no limit
    std::int64_t imageTokens = 0; ///< of a square
    std::int64_t imagePatches = 0;
    std::int64_t maxTiles = 0;
    bool scalesUp = false; ///< tiles are chosen by the image's growth, not by its shape

    // Memory that transformers' modules keep for a backward pass in 16 bit with flash attention, in
    // bytes. Measured: tests/measure, family "vision".
    bool isTrainingKnown = false;
    bool fusedQkv = false;         ///< one product gives queries, keys and values
    std::int64_t pixelValues = 0;  ///< of a patch, over its channels and frames
    std::int64_t blockKept = 0;    ///< of a patch in one layer
    std::int64_t blockPassing = 0; ///< of a patch: gradients at the worst moment of a layer
    std::int64_t tablesKept = 0;   ///< of a patch: tables that rotate queries and keys of all
                                   ///< layers
    std::int64_t joinKept = 0;     ///< of a token, between the encoder and the language model
    std::int64_t features = 0;     ///< of a token, while the language model runs forward

    Encoding encoding;
    VideoRule videos = VideoRule::None;

    /// Pixels of a token's side.
    [[nodiscard]] std::int64_t cell() const { return patch * merge; }
    [[nodiscard]] std::int64_t parameters() const { return encoder + projector; }
};

} // namespace vramscope
