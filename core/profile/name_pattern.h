// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace vramscope {

/// A pattern for the names of kernels, simple enough that a hostile name cannot make it slow: texts
/// that occur anywhere in a name, whatever the case of ASCII letters. "|" stands between
/// alternatives, "^" in front of one ties it to the start, "*" stands for any characters, and "?"
/// makes the character before it optional: "^memcpy|copybuffer|one_?shot*reduce". The empty pattern
/// matches every name.
class NamePattern
{
public:
    /// Fails where "?" or "^" stands without a character, or where optional characters make more
    /// than kMostAlternatives texts.
    [[nodiscard]] static Result<NamePattern> compiled(std::string_view pattern);
    static constexpr std::size_t kMostAlternatives = 256;

    /// `name` must be in small letters, see lowered().
    [[nodiscard]] bool matchesLowered(std::string_view name) const;

private:
    struct Alternative
    {
        bool isTied = false;            ///< to the start of the name
        std::vector<std::string> parts; ///< in this order, with anything between them
    };
    [[nodiscard]] static bool occurs(const Alternative &alternative, std::string_view name);

    std::vector<Alternative> m_alternatives;
};

} // namespace vramscope
