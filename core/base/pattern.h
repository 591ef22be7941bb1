// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <memory>
#include <string_view>

namespace vramscope {

/// A regular expression (ECMAScript without back-references) that cannot be made slow: a search
/// takes time in proportion to size() times the length of the text.
class Pattern
{
public:
    /// The error's detail continues a sentence after the pattern: "nests groups deeper than 50
    /// levels; write it with fewer", without a full stop.
    [[nodiscard]] static Result<Pattern> of(std::string_view text);

    /// Whether the pattern matches anywhere in the first 1,000 bytes of a text.
    [[nodiscard]] bool isIn(std::string_view text) const;

    /// Characters and classes of the pattern with repetitions by braces expanded; at most 2,000.
    [[nodiscard]] std::size_t size() const { return m_size; }

private:
    struct Compiled;
    Pattern(std::shared_ptr<const Compiled> compiled, std::size_t size)
        : m_compiled(std::move(compiled))
        , m_size(size)
    {
    }

    std::shared_ptr<const Compiled> m_compiled;
    std::size_t m_size;
};

} // namespace vramscope
