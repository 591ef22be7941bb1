// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace vramscope {

/// The value of a shell's whole-number expression: numbers, names (with or without '$' and braces,
/// looked up by `valueOf`, which returns "" for unknown ones), + - * / % and parentheses. Nothing
/// for other text, for a division by zero, or beyond 64 bits.
[[nodiscard]] std::optional<std::int64_t>
evaluated(std::string_view expression, const std::function<std::string(std::string_view)> &valueOf);

} // namespace vramscope
