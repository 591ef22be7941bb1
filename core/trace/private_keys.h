// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string_view>

namespace vramscope {

/// What replaces a credential, a number that identifies one thing, and any other private word.
inline constexpr std::string_view kSecret = "secret";
inline constexpr std::string_view kIdentity = "id";
inline constexpr std::string_view kName = "name";

[[nodiscard]] constexpr bool isHexDigit(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/// A private part of a text, its replacement, and where the search goes on.
struct PrivateKey
{
    std::string_view part;
    std::string_view by;
    std::size_t next = 0;
};

/// The credential or identity that begins at `at`, the start of a word, recognised by its form
/// alone: keys with the known prefixes of services, PEM blocks, values after "Bearer" and the like,
/// UUIDs, serial numbers, accounts in "arn:aws:", long hexadecimal numbers, and long words in which
/// letters of both cases and digits alternate as in random text. Otherwise an empty part.
[[nodiscard]] PrivateKey privateKeyAt(std::string_view text, std::size_t at);

} // namespace vramscope
