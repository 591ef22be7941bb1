// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

namespace vramscope {

/// Appends a character by its code point; that of a surrogate as if it were a character.
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

} // namespace vramscope
