// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string_view>

namespace vramscope {

/// Of a model whose files hold modules that draft tokens, where nothing is drafted with them.
inline constexpr std::string_view kNoPrediction = "Multi-token prediction is not counted.";

/// What the published files of a preset hold that its shape does not say.
struct PublishedModel
{
    std::string_view preset;
    std::string_view weightFormat; ///< as in formats.h; empty: 16 bit
    /// Modules that stay in 16 bit in these files, in the words of
    /// inference.modules_to_not_convert.
    std::span<const std::string_view> notConverted;
    std::string_view notCounted; ///< a sentence on the parts beside the preset's; empty: none
    std::string_view source;
};

/// The row of a preset, or nullptr: published in 16 bit and counted whole.
[[nodiscard]] const PublishedModel *findPublished(std::string_view preset);

} // namespace vramscope
