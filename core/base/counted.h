// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace vramscope {

/// A count with its noun, which is plural unless the count is one: "1 stack", "2,000 stacks", "3
/// launches", "0 copies".
[[nodiscard]] std::string counted(std::int64_t count, std::string_view one);
/// A written number with its noun: "1 GPU hour", "0.96 GPU hours".
[[nodiscard]] std::string countedAs(std::string_view number, std::string_view one);

} // namespace vramscope
