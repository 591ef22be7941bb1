// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace vramscope {

/// With a capital at the beginning, if that is ASCII.
[[nodiscard]] inline std::string capitalized(std::string text)
{
    if (!text.empty() && text.front() >= 'a' && text.front() <= 'z')
        text.front() = static_cast<char>(text.front() - 'a' + 'A');
    return text;
}

/// A label as part of a sentence: "micro-batch" for "Micro-batch"; "GPU" stays.
[[nodiscard]] inline std::string withinSentence(std::string_view label)
{
    std::string text(label);
    const bool isWord = text.size() > 1 && text[1] >= 'a' && text[1] <= 'z';
    if (isWord && text.front() >= 'A' && text.front() <= 'Z')
        text.front() = static_cast<char>(text.front() - 'A' + 'a');
    return text;
}

} // namespace vramscope
