// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/planner/towers/tower.h"

#include <optional>

namespace vramscope {

/// What an image costs: places in the sequence of the language model, and patches that the tower
/// sees.
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

} // namespace vramscope
