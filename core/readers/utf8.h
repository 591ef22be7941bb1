// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace vramscope {

/// The code point of a pair of surrogates.
[[nodiscard]] constexpr std::uint32_t utf16Pair(std::uint32_t high, std::uint32_t low)
{
    return 0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00);
}

/// Appends a character by its code point; a surrogate is treated as a character.
inline void appendUtf8(std::string &text, std::uint32_t code)
{
    const auto put = [&](std::uint32_t byte) { text.push_back(static_cast<char>(byte)); };
    const auto putRest = [&](int shift) { put(0x80 | ((code >> shift) & 0x3F)); };
    if (code < 0x80) {
        put(code);
    } else if (code < 0x800) {
        put(0xC0 | code >> 6);
        putRest(0);
    } else if (code < 0x10000) {
        put(0xE0 | code >> 12);
        putRest(6);
        putRest(0);
    } else {
        put(0xF0 | (code >> 18 & 7));
        putRest(12);
        putRest(6);
        putRest(0);
    }
}

/// Joins the units of a text in UTF-16.
class Utf16Units
{
public:
    void append(std::string &text, std::uint32_t unit)
    {
        const std::uint32_t high = std::exchange(m_high, 0);
        if (unit >= 0xD800 && unit < 0xDC00)
            m_high = unit;
        else if (unit >= 0xDC00 && unit < 0xE000)
            appendUtf8(text, high == 0 ? 0xFFFD : utf16Pair(high, unit));
        else
            appendUtf8(text, unit);
    }

private:
    std::uint32_t m_high = 0; // surrogate, which waits for its low one
};

/// The UTF-8 of a text in UTF-16 with a byte order mark; nothing for any other bytes.
[[nodiscard]] inline std::optional<std::string> textOfUtf16(std::string_view bytes)
{
    const bool isLittle = bytes.starts_with("\xFF\xFE");
    if (!isLittle && !bytes.starts_with("\xFE\xFF"))
        return {};
    std::string text;
    Utf16Units units;
    for (std::size_t at = 2; at + 1 < bytes.size(); at += 2) {
        const std::uint32_t first = static_cast<unsigned char>(bytes[at]);
        const std::uint32_t second = static_cast<unsigned char>(bytes[at + 1]);
        units.append(text, isLittle ? first | second << 8U : first << 8U | second);
    }
    return text;
}

} // namespace vramscope
