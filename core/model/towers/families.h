// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/towers/tower.h"
#include "core/model/towers/tower_reader.h"

namespace vramscope {

// Families of encoders, each in a file of its own, counted to the parameter of the classes of
// Hugging Face Transformers (src/transformers/models/…) and divided as vLLM's classes are
// (vllm/model_executor/models/…). An encoder reads its part of the config and fills in the tower.

void readQwen2Vision(TowerReader &part, Tower &tower);
void readQwen25Vision(TowerReader &part, Tower &tower);
void readExaoneVision(TowerReader &part, Tower &tower);
void readQwen3Vision(TowerReader &part, Tower &tower);
void readQwen35Vision(TowerReader &part, Tower &tower);
void readGlmVision(TowerReader &part, Tower &tower);
void readSiglip(TowerReader &part, Tower &tower);
void readIdeficsVision(TowerReader &part, Tower &tower);
void readClip(TowerReader &part, Tower &tower);
void readPixtral(TowerReader &part, Tower &tower);
void readLlama4Vision(TowerReader &part, Tower &tower);
void readInternVision(TowerReader &part, Tower &tower);
void readMoonVision(TowerReader &part, Tower &tower);
void readMoonVision3(TowerReader &part, Tower &tower);
void readGemma4Vision(TowerReader &part, Tower &tower);
void readGemma4Audio(TowerReader &part, Tower &tower);
void readVoxtralAudio(TowerReader &part, Tower &tower);
void readQwen2Audio(TowerReader &part, Tower &tower);
void readQwen25OmniAudio(TowerReader &part, Tower &tower);
void readQwen3OmniAudio(TowerReader &part, Tower &tower);

// The projection from the encoder to a language model of width `text`: its keys are at the top of
// the config.

void joinNothing(TowerReader &whole, Tower &tower, std::int64_t text);
void joinGemma3(TowerReader &whole, Tower &tower, std::int64_t text);
void joinPaliGemma(TowerReader &whole, Tower &tower, std::int64_t text);
void joinAya(TowerReader &whole, Tower &tower, std::int64_t text);
void joinCohere2(TowerReader &whole, Tower &tower, std::int64_t text);
void joinIdefics3(TowerReader &whole, Tower &tower, std::int64_t text);
void joinLlava(TowerReader &whole, Tower &tower, std::int64_t text);
void joinLlavaNext(TowerReader &whole, Tower &tower, std::int64_t text);
void joinVipLlava(TowerReader &whole, Tower &tower, std::int64_t text);
void joinMistral3(TowerReader &whole, Tower &tower, std::int64_t text);
void joinLlama4(TowerReader &whole, Tower &tower, std::int64_t text);
void joinInternVl(TowerReader &whole, Tower &tower, std::int64_t text);
void joinKimi(TowerReader &whole, Tower &tower, std::int64_t text);
void joinKimi3(TowerReader &whole, Tower &tower, std::int64_t text);
void joinGemma4(TowerReader &whole, Tower &tower, std::int64_t text);
void joinVoxtral(TowerReader &whole, Tower &tower, std::int64_t text);
void joinQwen2Audio(TowerReader &whole, Tower &tower, std::int64_t text);

} // namespace vramscope
