// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace vramscope {

/// The known word with the fewest changed letters from `word` (the first of equals), or an empty
/// view where every one differs in more than half of its letters.
[[nodiscard]] std::string_view nearest(std::string_view word,
                                       std::span<const std::string_view> known);

/// " (did you mean 'hidden_size'?)", or nothing where no known word is near.
[[nodiscard]] std::string didYouMean(std::string_view word,
                                     std::span<const std::string_view> known);

} // namespace vramscope
