// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

// Text that comes from files may hold anything. Before a person sees it, it goes through
// printable() of base/format.h, and what is too long is cut by one of these.

namespace vramscope {

/// Bytes of the character of UTF-8 that `text` begins with; 0 where it begins with none: overlong
/// forms, surrogates and what lies beyond U+10FFFF are none.
[[nodiscard]] std::size_t characterLength(std::string_view text);

/// The code point of one character of UTF-8.
[[nodiscard]] char32_t codePoint(std::string_view character);

/// Whether a terminal or a window would act on the character instead of showing it: control
/// characters, DEL, those that turn the direction of writing, separators of lines.
[[nodiscard]] bool isControl(std::string_view character);

/// Characters of UTF-8: every byte but those that continue one.
[[nodiscard]] std::size_t characters(std::string_view text);

/// The first or last bytes of a text, `most` at most. No character is cut in two, nor a letter from
/// its accents, unless it has more of them than any writing uses.
[[nodiscard]] std::string_view firstBytes(std::string_view text, std::size_t most);
[[nodiscard]] std::string_view lastBytes(std::string_view text, std::size_t most);

/// What a sentence quotes of a text from a file: firstBytes(), printable.
[[nodiscard]] std::string excerpt(std::string_view text, std::size_t most);

/// `text` in at most `width` characters: the middle gives way to "…".
[[nodiscard]] std::string elided(std::string_view text, std::size_t width);

/// `text` in at most `width` characters: the end gives way to "…".
[[nodiscard]] std::string shortened(std::string_view text, std::size_t width);

/// In small letters, as far as they are ASCII.
[[nodiscard]] std::string lowered(std::string_view text);

/// 0 to 9, whatever the locale.
[[nodiscard]] constexpr bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

[[nodiscard]] constexpr bool isOneOf(std::string_view word, std::span<const std::string_view> words)
{
    return std::ranges::find(words, word) != words.end();
}

/// Without blanks, tabs and line ends around it.
[[nodiscard]] std::string_view trimmed(std::string_view text);

} // namespace vramscope
