// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace vramscope {

/// What a file is that people take for one of ours, by its first bytes, as a sentence that ends
/// with what to do: its own remedy (unpack it), or else `remedy` ("choose a plan"). Nothing where
/// it is none of the known.
[[nodiscard]] std::optional<std::string> foreignFile(std::string_view start,
                                                     std::string_view remedy);

} // namespace vramscope
