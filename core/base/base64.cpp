// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/base64.h"

#include <cstdint>

namespace vramscope {

std::string base64(std::string_view bytes)
{
    constexpr std::string_view kDigits =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    text.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t at = 0; at < bytes.size(); at += 3) {
        std::uint32_t group = 0;
        for (std::size_t one = 0; one < 3; ++one)
            group = group << 8 |
                    (at + one < bytes.size() ? static_cast<unsigned char>(bytes[at + one]) : 0U);
        for (std::size_t digit = 0; digit < 4; ++digit)
            text += at + digit > bytes.size() ? '=' : kDigits[group >> (18 - 6 * digit) & 63U];
    }
    return text;
}

} // namespace vramscope
