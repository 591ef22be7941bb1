// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string_view>

namespace vramscope {

/// The 64-bit FNV-1a hash of a text, which is the same everywhere.
[[nodiscard]] constexpr std::uint64_t textHash(std::string_view text)
{
    std::uint64_t hash = 0xcbf29ce484222325U;
    for (const char byte : text)
        hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3U;
    return hash;
}

} // namespace vramscope
