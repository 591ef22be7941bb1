// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace vramscope {

/// What memory is for, in plans and in recordings alike. Every view shows the categories in this
/// order and colour. The last two are of recordings alone: a plan counts batches as activations,
/// and knows what each of its bytes is for.
enum class Category : std::uint8_t {
    Parameters,
    Gradients,
    OptimizerStates,
    Activations,
    KeyValueCache,
    LossAndLogits,
    TemporaryBuffers,
    Communication,
    Framework, ///< workspaces of cuBLAS, cuDNN and the like
    Inputs,    ///< batches
    Unknown
};
inline constexpr std::size_t kCategoryCount = 9; ///< of a plan
inline constexpr std::size_t kRecordedCategoryCount = 11;

/// "Parameters", "Loss and logits", …
[[nodiscard]] std::string_view categoryName(Category category);
/// What recordings call it, as a word of a filter and in files, a contract: "loss and logits",
/// "temporary", "workspace".
[[nodiscard]] std::string_view categoryWord(Category category);
/// The name within a sentence: "temporary buffers".
[[nodiscard]] std::string_view categoryPhrase(Category category);
/// The category of a word or of a phrase.
[[nodiscard]] std::optional<Category> categoryOfWord(std::string_view word);

} // namespace vramscope
