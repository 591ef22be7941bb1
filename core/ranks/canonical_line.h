// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace vramscope {

/// What stands at the top of a line of JSON that is in its only form already, read in one pass and
/// without a copy: most lines of a run are long lists of whole numbers, of which nothing has to be
/// built to know whose they are.
struct CanonicalLine
{
    /// The value of each key as it is written, "\"rank\"" or "12" or "[1,2]", in order.
    std::vector<std::pair<std::string_view, std::string_view>> values;

    /// Empty where there is no such key.
    [[nodiscard]] std::string_view valueOf(std::string_view key) const;
    /// The text of a value that is one and has no escapes.
    [[nodiscard]] std::optional<std::string_view> textOf(std::string_view key) const;
    [[nodiscard]] std::optional<std::int64_t> integerOf(std::string_view key) const;
};

/// Nothing where it is not certain that the line is in that form: it is no object, has white space,
/// keys out of order, other escapes than of quotes, characters beyond ASCII, or numbers beyond 18
/// digits.
/// Reading it in full tells then.
[[nodiscard]] std::optional<CanonicalLine> canonicalLine(std::string_view line);

} // namespace vramscope
