// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>

namespace vramscope {

/// The decimal number `text` times ten to the `shift` (0 to 18), rounded to the nearest integer
/// (halves away from zero) without ever passing through a float: "1428625746340.715" shifted by 3
/// is 1428625746340715. A sign and an exponent are understood. Nothing if the text is not such a
/// number or the result needs more than 64 bits.
[[nodiscard]] std::optional<std::int64_t> scaledDecimal(std::string_view text, int shift);

/// The whole decimal number that is all of the text; nothing for other text or a number that does
/// not fit into a Number.
template<class Number = std::int64_t>
[[nodiscard]] std::optional<Number> wholeNumber(std::string_view text)
{
    Number number = 0;
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool isWhole = error == std::errc() && stop == text.data() + text.size();
    return isWhole ? std::optional(number) : std::nullopt;
}

} // namespace vramscope
