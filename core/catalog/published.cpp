// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalog/published.h"

#include <algorithm>

namespace vramscope {

namespace {

constexpr std::string_view kLinearLayers[] = {"embedding", "head", "router"};
constexpr std::string_view kExpertsAlone[] = {"embedding", "head", "router", "attention", "mlp"};

constexpr PublishedModel kPublished[] = {
    {"deepseek-v3", "fp8", kLinearLayers, kNoPrediction,
     "quantization_config of deepseek-ai/DeepSeek-V3: fp8, blocks of 128 × 128"},
    {"deepseek-v3.2",
     "fp8",
     kLinearLayers,
     {},
     "deepseek-ai/DeepSeek-V3.2: its files count a scale for each block of 128 × 128"},
    {"minimax-m2.5",
     "fp8",
     kLinearLayers,
     {},
     "MiniMaxAI/MiniMax-M2.5: its files count a scale for each block of 128 × 128"},
    {"kimi-k2",
     "fp8",
     kLinearLayers,
     {},
     "quantization_config of moonshotai/Kimi-K2-Instruct: fp8, blocks of 128 × 128"},
    {"kimi-k2.5",
     "gptq-int4-g128",
     kExpertsAlone,
     {},
     "quantization_config of moonshotai/Kimi-K2.5: int4 in groups of 32, experts alone"},
    {"gpt-oss-20b",
     "mxfp4",
     kExpertsAlone,
     {},
     "quantization_config of openai/gpt-oss-20b: mxfp4, experts alone"},
    {"gpt-oss-120b",
     "mxfp4",
     kExpertsAlone,
     {},
     "quantization_config of openai/gpt-oss-120b: mxfp4, experts alone"},
    {"gemma-3-27b",
     {},
     {},
     "Text part only: the vision tower is not counted.",
     "vision_config of google/gemma-3-27b-it"},
};

} // namespace

const PublishedModel *findPublished(std::string_view preset)
{
    const auto found = std::ranges::find(kPublished, preset, &PublishedModel::preset);
    return found == std::end(kPublished) ? nullptr : &*found;
}

} // namespace vramscope
