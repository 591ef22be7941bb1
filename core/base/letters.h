// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>

namespace vramscope {

/// The name of a choice in a list: "A", "B", … "Z", "AA".
[[nodiscard]] inline std::string letterName(std::size_t index)
{
    constexpr std::size_t kLetters = 26;
    std::string text;
    for (std::size_t rest = index + 1; rest > 0; rest = (rest - 1) / kLetters)
        text.insert(text.begin(), static_cast<char>('A' + (rest - 1) % kLetters));
    return text;
}

} // namespace vramscope
