// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Models that read a source with an encoder and write with a decoder: Whisper, BART, mBART, M2M-100
// (NLLB), T5. transformers models/{whisper,bart,mbart,m2m_100,t5}/modeling_*.py.
#include "core/model/config_blocks.h"

#include <algorithm>
#include <array>

namespace vramscope {

namespace {

/// Layers of both halves, which must have heads and feed-forwards of one width.
void readHalves(ConfigReader &config, Architecture &it)
{
    const std::int64_t encoder = config.count({"encoder_layers"}, 1, kMaxLayers, it.layers);
    const std::int64_t decoder =
        config.count({"decoder_layers", "num_decoder_layers"}, 1, kMaxLayers, it.layers);
    if (config.count({"decoder_attention_heads"}, 1, kMaxHeads, it.heads) != it.heads)
        config.fail("decoder_attention_heads", "differs from the encoder's: this is not computed.");
    if (config.count({"decoder_ffn_dim"}, 1, kMaxFfn, it.ffn) != it.ffn)
        config.fail("decoder_ffn_dim", "differs from the encoder's: this is not computed.");
    it.layers = encoder + decoder;
    it.blocks.assign(static_cast<std::size_t>(encoder), {.mixer = TokenMixer::Encoder});
    it.blocks.resize(static_cast<std::size_t>(it.layers), {.mixer = TokenMixer::Crossed});
    it.rotary = false;
}

std::int64_t norms(const Architecture &it, std::int64_t count)
{
    return count * it.hidden * it.normVectors();
}

/// Keys have no bias. Two convolutions of three frames, the second of stride 2, precede the
/// encoder; its table of positions is a parameter that is not trained.
void readWhisperModel(ConfigReader &config, Architecture &it)
{
    constexpr std::int64_t kMostBins = 4096;
    readHalves(config, it);
    it.source.positions = config.count({"max_source_positions"}, 1, kMaxPositions, 1500);
    it.source.bins = config.count({"num_mel_bins"}, 1, kMostBins, 80);
    it.source.frames = 2 * it.source.positions;
    const std::int64_t h = it.hidden;
    std::int64_t keys = 0;
    for (const BlockKind &block : it.blocks)
        keys += block.crosses() ? 2 : 1;
    it.extraParameters += 3 * it.source.bins * h + 3 * h * h + 2 * h + it.source.positions * h +
                          norms(it, 1) - keys * h;
}

/// Both halves have learned positions and a norm after the embedding, and none at the end.
void readBart(ConfigReader &config, Architecture &it)
{
    readHalves(config, it);
    it.extraParameters += it.learnedPositions * it.hidden + norms(it, 1);
}

/// The same, with a norm at the end of both.
void readMbart(ConfigReader &config, Architecture &it)
{
    readHalves(config, it);
    it.extraParameters += it.learnedPositions * it.hidden + norms(it, 3);
}

/// Positions are computed.
void readM2m(ConfigReader &config, Architecture &it)
{
    readHalves(config, it);
    it.extraParameters += norms(it, 1);
}

/// Whether the config is of the encoder of a text-to-image pipeline (T5EncoderModel).
bool isEncoderAlone(const ConfigReader &config)
{
    const TextList *classes = listAt(config, "architectures");
    return classes && classes->front().ends_with("EncoderModel");
}

/// Scores get a learned bias by distance, in the first layer of each half for all, or in each
/// layer (UMT5).
void readT5(ConfigReader &config, Architecture &it)
{
    constexpr std::int64_t kMostBuckets = 100'000;
    const std::string feedForward = config.text("feed_forward_proj");
    it.gatedMlp = feedForward.starts_with("gated");
    it.activation = feedForward.ends_with("gelu") ? Activation::GeluNew : Activation::Relu;
    readHalves(config, it);
    it.biasedScores = true;
    const bool alone = isEncoderAlone(config);
    if (!alone && !config.has("num_decoder_layers") && !config.has("is_encoder_decoder"))
        config.fail("num_decoder_layers", "is missing, so this may be the encoder alone; where it "
                                          "is, write architectures: [\"T5EncoderModel\"].");
    if (alone) { // without a head
        std::erase_if(it.blocks, [](const BlockKind &block) { return block.crosses(); });
        it.layers = std::ssize(it.blocks);
        it.tiedEmbeddings = true;
    }
    const std::int64_t halves = alone ? 1 : 2;
    const std::int64_t buckets =
        config.count({"relative_attention_num_buckets"}, 1, kMostBuckets, 32);
    it.biasInEachLayer = it.modelType == "umt5";
    const std::int64_t layers = it.biasInEachLayer ? it.layers : halves;
    it.extraParameters += norms(it, halves - 1) + layers * buckets * it.heads;
}

constexpr std::array<BlockReader, 7> kSourceReaders = {{
    {"bart", {}, true, true, &readBart},
    {"m2m_100", {}, true, true, &readM2m},
    {"mbart", {}, true, true, &readMbart},
    {"mt5", {}, true, true, &readT5},
    {"t5", {}, true, true, &readT5},
    {"umt5", {}, true, true, &readT5},
    {"whisper", {}, true, true, &readWhisperModel},
}};

} // namespace

std::span<const BlockReader> sourceBlockReaders()
{
    return kSourceReaders;
}

} // namespace vramscope
