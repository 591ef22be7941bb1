// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

// Text from files may contain anything. Before it is shown, it goes through printable() of
// base/format.h, and one of these shortens it if it is too long.

namespace vramscope {

/// Bytes of the UTF-8 character at the beginning of `text`; 0 for invalid bytes, including overlong
/// forms, surrogates and code points beyond U+10FFFF.
[[nodiscard]] std::size_t characterLength(std::string_view text);

/// The code point of one character of UTF-8.
[[nodiscard]] char32_t codePoint(std::string_view character);

/// Whether a terminal or a window would act on the character instead of showing it: control
/// characters, DEL, those that change the writing direction, line separators.
[[nodiscard]] bool isControl(std::string_view character);

/// The number of UTF-8 characters: every byte except those that continue one.
[[nodiscard]] std::size_t characters(std::string_view text);

/// The first or last bytes of a text, at most `most`. No character is cut in two, nor a letter from
/// its accents, unless it has more of them than any script uses.
[[nodiscard]] std::string_view firstBytes(std::string_view text, std::size_t most);
[[nodiscard]] std::string_view lastBytes(std::string_view text, std::size_t most);

/// A quotation from a file's text for a sentence: firstBytes(), printable.
[[nodiscard]] std::string excerpt(std::string_view text, std::size_t most);

/// `text` in at most `width` characters, with "…" in place of the middle.
[[nodiscard]] std::string elided(std::string_view text, std::size_t width);

/// `text` in at most `width` characters, with "…" in place of the end.
[[nodiscard]] std::string shortened(std::string_view text, std::size_t width);

/// In lower case, for ASCII letters.
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
