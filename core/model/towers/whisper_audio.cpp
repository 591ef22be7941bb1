// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Encoders in Whisper's form: voxtral_encoder, qwen2_audio_encoder, the audio towers of Qwen-Omni.
#include "core/model/towers/families.h"
#include "core/model/towers/tower_layers.h"

namespace vramscope {

namespace {

/// Two convolutions of three frames, the second of stride 2.
std::int64_t convolutions(TowerReader &part, std::int64_t width)
{
    return linear(3 * part.count({"num_mel_bins"}, 128, kMaxTowerSide), width) +
           linear(3 * width, width);
}

void readWhisper(TowerReader &part, Tower &tower, bool keyBias)
{
    const std::int64_t width = part.count({"hidden_size", "d_model"}, 1280);
    tower.heads = part.count({"num_attention_heads", "encoder_attention_heads"}, 20);
    addBlocks(tower,
              {.width = width,
               .ffn = part.count({"intermediate_size", "encoder_ffn_dim"}, 5120),
               .keyBias = keyBias},
              part.layers({"num_hidden_layers", "encoder_layers"}, 32));
    tower.postNorm = layerNorm(width);
    tower.encoder += tower.postNorm;
}

/// vLLM runs Transformers' own class, so every rank holds all of it.
void keepWhole(Tower &tower)
{
    tower.split = tower.blockSplit = 0;
}

} // namespace

void readVoxtralAudio(TowerReader &part, Tower &tower)
{
    readWhisper(part, tower, false);
    tower.encoder +=
        convolutions(part, tower.width) + part.count({"max_source_positions"}, 1500) * tower.width;
}

void readQwen2Audio(TowerReader &part, Tower &tower)
{
    readVoxtralAudio(part, tower);
    keepWhole(tower); // qwen2_audio.py
}

/// Positions are computed, not learned; a begin and an end token are.
void readQwen25OmniAudio(TowerReader &part, Tower &tower)
{
    readWhisper(part, tower, false);
    tower.output = part.count({"output_dim"}, 3584);
    tower.encoder += convolutions(part, tower.width) + 2 * tower.output;
    addLinear(tower, tower.width, tower.output, true);
    keepWhole(tower); // qwen2_5_omni_thinker.py
}

/// Three convolutions over time and pitch, each of stride 2.
void readQwen3OmniAudio(TowerReader &part, Tower &tower)
{
    readWhisper(part, tower, true);
    const std::int64_t channels = part.count({"downsample_hidden_size"}, 480);
    std::int64_t pitch = part.count({"num_mel_bins"}, 128, kMaxTowerSide);
    for (int halved = 0; halved < 3; ++halved)
        pitch = (pitch + 1) / 2;
    tower.output = part.count({"output_dim"}, 3584);
    tower.encoder +=
        linear(9, channels) + 2 * linear(9 * channels, channels) + channels * pitch * tower.width;
    addLinear(tower, tower.width, tower.width, true);
    addLinear(tower, tower.width, tower.output, true);
}

void joinVoxtral(TowerReader & /*whole*/, Tower &tower, std::int64_t text)
{
    addLinear(tower, tower.ffn, text, false); // four frames side by side
    addLinear(tower, text, text, false);
}

void joinQwen2Audio(TowerReader & /*whole*/, Tower &tower, std::int64_t text)
{
    addLinear(tower, tower.width, text, true);
}

} // namespace vramscope
