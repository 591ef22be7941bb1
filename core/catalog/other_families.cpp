// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalog/model_types.h"

#include <algorithm>
#include <array>

namespace vramscope {

namespace {

constexpr std::string_view kTwoStacks[] = {
    "bart",   "bigbird_pegasus", "blenderbot", "led",     "longt5",         "m2m_100",
    "marian", "mbart",           "mt5",        "pegasus", "speech_to_text", "switch_transformers",
    "t5",     "t5gemma",         "umt5",       "whisper"};
constexpr std::string_view kStateSpaces[] = {"plamo2", "recurrent_gemma", "rwkv"};
constexpr std::string_view kSharedWeights[] = {"albert"};
constexpr std::string_view kUnequalLayers[] = {"deci", "openelm"};

/// Families whose layers are not transformer blocks of one or two kinds.
struct OtherFamily
{
    std::span<const std::string_view> types;
    std::string_view why;
};

constexpr std::array<OtherFamily, 4> kOtherFamilies = {{
    {kTwoStacks,
     "has an encoder and a decoder, which are not computed together; plan the larger one as a "
     "decoder of its own and state the whole count as model.parameters_override."},
    {kStateSpaces,
     "has state-space or linear-attention layers, which are not computed; for a rough figure "
     "describe a transformer of its width and state its count as model.parameters_override."},
    {kSharedWeights,
     "shares weights between layers or feeds each layer its own embeddings, which is not computed; "
     "describe a transformer of its width and state its count as model.parameters_override."},
    {kUnequalLayers,
     "has layers of different shapes, which are not computed; describe their average and state the "
     "model's count as model.parameters_override."},
}};

} // namespace

std::string_view whyNotComputed(std::string_view type)
{
    for (const OtherFamily &family : kOtherFamilies) {
        if (std::ranges::find(family.types, type) != family.types.end())
            return family.why;
    }
    return {};
}

} // namespace vramscope
