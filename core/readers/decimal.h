// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace vramscope {

/// The decimal number `text` times ten to the `shift` (0 to 18), rounded to the nearest whole one
/// (halves away from zero) without ever passing through a float: "1428625746340.715" shifted by 3
/// is 1428625746340715. A sign and an exponent are understood. Nothing where the text is no such
/// number or the result needs more than 64 bits.
[[nodiscard]] std::optional<std::int64_t> scaledDecimal(std::string_view text, int shift);

} // namespace vramscope
