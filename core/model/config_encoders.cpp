// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Encoders: of text, ModernBERT and Nomic BERT; of pictures, ViT, DINOv2 and CLIP's vision tower.
// transformers 5.23
// models/{modernbert,nomic_bert,vit,dinov2,dinov2_with_registers,clip}/modeling_*.py.
#include "core/model/config_blocks.h"

#include <algorithm>
#include <array>

namespace vramscope {

namespace {

constexpr std::int64_t kMostPixels = 100'000;

std::int64_t normOf(const Architecture &it)
{
    return it.hidden * it.normVectors();
}

/// What the config's class is for: "ModernBertForMaskedLM". Empty where it does not say.
std::string encoderClass(const ConfigReader &config)
{
    const TextList *classes = listAt(config, "architectures");
    return classes ? classes->front() : std::string();
}

/// Every third layer attends to all tokens, the others to a window. The first has no norm before
/// attention, since one follows the embedding; one more precedes the head.
void readModernBert(ConfigReader &config, Architecture &it)
{
    it.encoder = true;
    it.slidingWindow = config.count({"local_attention"}, 1, kMaxPositions, 128);
    const std::int64_t every = config.count({"global_attn_every_n_layers"}, 1, kMaxLayers, 3);
    const TextList *words = listAt(config, "layer_types");
    for (std::int64_t layer = 0; layer < it.layers; ++layer) {
        const auto index = static_cast<std::size_t>(layer);
        it.slidingLayers.push_back(words && index < words->size()
                                       ? (*words)[index] == "sliding_attention"
                                       : layer % every != 0);
    }
    it.normBias = config.flag("norm_bias", false);
    if (!encoderClass(config).ends_with("ForMaskedLM"))
        return;
    it.bias.head = config.flag("decoder_bias", true);
    it.extraParameters += it.hidden * it.hidden + normOf(it) +
                          (config.flag("classifier_bias", false) ? it.hidden : 0);
}

/// As BERT without a pooler; the prediction of masked tokens is the same.
void readDistilBert(ConfigReader &config, Architecture &it)
{
    it.encoder = true;
    it.bias.head = encoderClass(config).ends_with("ForMaskedLM");
    if (it.bias.head)
        it.extraParameters += it.hidden * it.hidden + 3 * it.hidden;
}

/// As BERT, with rotated queries and keys and a gated feed-forward.
void readNomicBert(ConfigReader &config, Architecture &it)
{
    it.encoder = true;
    const std::string name = encoderClass(config);
    it.bias.head = name.ends_with("ForMaskedLM");
    if (it.bias.head || name.ends_with("ForSequenceClassification"))
        it.extraParameters += it.hidden * it.hidden + it.hidden;
    if (it.bias.head)
        it.extraParameters += 2 * it.hidden;
}

/// The classes that a model tells apart: two where the config names none.
std::int64_t labelsOf(ConfigReader &config)
{
    const auto named = std::ssize(config.matching("id2label*"));
    return config.count({"num_labels"}, 1, kMaxVocabulary, named > 0 ? named : 2);
}

/// Patches of a picture become tokens by a convolution, after `extra` learned ones, the first of
/// which has a position as patches do. A picture may be cut to another size than that of the
/// positions, which are then interpolated: crop_size, of the image processor.
void readPatches(ConfigReader &config, Architecture &it, std::int64_t extra, bool bias)
{
    it.rotary = false;
    it.image.patch = config.count({"patch_size"}, 1, kMostPixels, 16);
    it.image.channels = config.count({"num_channels"}, 1, kMaxHeads, 3);
    const std::int64_t side = config.count({"image_size"}, 1, kMostPixels, 224);
    it.image.side = side;
    it.learnedPositions = it.image.patches() + 1;
    it.image.side = config.count({"crop_size"}, 1, kMostPixels, side);
    it.image.extra = extra;
    if (it.image.side < it.image.patch)
        config.fail("patch_size", "is larger than the image.");
    it.maxPositions = it.image.tokens();
    const std::int64_t patch = it.image.channels * it.image.patch * it.image.patch;
    it.extraParameters += (patch + (bias ? 1 : 0) + extra) * it.hidden;
}

/// Reads the head of a classifier, whose product reads `width` values.
void readLabels(ConfigReader &config, Architecture &it, std::int64_t width)
{
    if (encoderClass(config).ends_with("ForImageClassification"))
        it.extraParameters += (width + 1) * labelsOf(config);
}

void readVit(ConfigReader &config, Architecture &it)
{
    it.bias.qkv = config.flag("qkv_bias", true);
    readPatches(config, it, 1, true);
    readLabels(config, it, it.hidden);
    if (encoderClass(config) == "ViTModel") // with a pooler
        it.extraParameters += it.hidden * it.hidden + it.hidden;
}

/// A learned scale ends each branch, and a token replaces hidden patches. The classifier reads
/// the first token and the average of the patches.
void readDino(ConfigReader &config, Architecture &it)
{
    constexpr std::int64_t kMostRatio = 100;
    it.bias.qkv = config.flag("qkv_bias", true);
    it.ffn = it.hidden * config.count({"mlp_ratio"}, 1, kMostRatio, 4);
    it.gatedMlp = config.flag("use_swiglu_ffn", false);
    it.activation = Activation::Fused;
    if (it.gatedMlp)
        it.ffn = (2 * it.ffn / 3 + 7) / 8 * 8;
    it.scaledBranches = true;
    const bool registers = it.modelType == "dinov2_with_registers";
    readPatches(config, it,
                1 + (registers ? config.count({"num_register_tokens"}, 0, kMaxHeads, 4) : 0), true);
    const bool masks = registers || config.flag("use_mask_token", true);
    it.extraParameters += (2 * it.layers + (masks ? 1 : 0)) * it.hidden;
    readLabels(config, it, 2 * it.hidden);
}

/// One norm more before the blocks.
void readClipVision(ConfigReader &config, Architecture &it)
{
    readPatches(config, it, 1, false);
    it.extraParameters += normOf(it);
    readLabels(config, it, it.hidden);
}

constexpr std::array<BlockReader, 7> kEncoderReaders = {{
    {"clip_vision_model", {}, true, true, &readClipVision, false},
    {"dinov2", {}, true, false, &readDino, false},
    {"dinov2_with_registers", {}, true, false, &readDino, false},
    {"distilbert", {}, true, true, &readDistilBert},
    {"modernbert", {}, true, true, &readModernBert},
    {"nomic_bert", {}, true, true, &readNomicBert},
    {"vit", {}, true, true, &readVit, false},
}};

} // namespace

std::span<const BlockReader> encoderBlockReaders()
{
    return kEncoderReaders;
}

} // namespace vramscope
