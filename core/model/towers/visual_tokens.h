// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/towers/tower.h"

#include <optional>

namespace vramscope {

/// The cost of an image: tokens in the sequence of the language model, and patches of the tower.
struct VisualTokens
{
    std::int64_t tokens = 0;
    std::int64_t patches = 0;
    bool operator==(const VisualTokens &) const = default;
};

/// The tokens of an image of `width` × `height` pixels, as the model's image processor scales or
/// cuts it by default; without the tokens that mark its begin and end. None where the rule is not
/// known.
[[nodiscard]] std::optional<VisualTokens> visualTokens(const Tower &tower, std::int64_t width,
                                                       std::int64_t height);

/// The image with the most tokens, by vLLM's choice of its shape; `maxPixels` above 0 replaces the
/// model's own limit. None where no rule is known. vllm/model_executor/models/ qwen2_vl.py,
/// get_image_size_with_most_features(); gemma3_mm.py; mllama4.py.
[[nodiscard]] std::optional<VisualTokens> largestImage(const Tower &tower, std::int64_t maxPixels);

/// The longest video that fits into a sequence of `tokens`, where prompts may have an image as well
/// or not: the same module and internvl.py, get_num_frames_with_most_features(). None where videos
/// are no larger than images.
[[nodiscard]] std::optional<VisualTokens> largestVideo(const Tower &tower, std::int64_t maxPixels,
                                                       std::int64_t tokens, bool besideImage);

} // namespace vramscope
