// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace vramscope {

/// Identifies, from its first bytes, a file that people take for one of ours, as a sentence that
/// ends with advice: its own remedy (unpack it), or else `remedy` ("choose a plan"). Nothing for
/// unknown files.
[[nodiscard]] std::optional<std::string> foreignFile(std::string_view start,
                                                     std::string_view remedy);

} // namespace vramscope
