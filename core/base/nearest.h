// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace vramscope {

/// The known word with the fewest changed letters from `word` (the first of equals), or an empty
/// view if every one differs in more than half of its letters, or in more than one in `part`.
[[nodiscard]] std::string_view
nearest(std::string_view word, std::span<const std::string_view> known, std::size_t part = 2);

/// " (did you mean 'hidden_size'?)", or nothing if no known word is near.
[[nodiscard]] std::string didYouMean(std::string_view word, std::span<const std::string_view> known,
                                     std::size_t part = 2);

} // namespace vramscope
