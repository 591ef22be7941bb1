// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/simulator/allocator_rules.h"

#include <bit>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace vramscope {

/// What is wrong with the value of an option, as the end of a sentence ("must be …"); or nothing.
using Trouble = std::optional<std::string>;

/// The number that is all of `text`.
template<class Number>
[[nodiscard]] std::optional<Number> numberIn(std::string_view text)
{
    Number value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size())
        return {};
    return value;
}

[[nodiscard]] inline bool isPowerOfTwo(std::int64_t value)
{
    return value > 0 && std::has_single_bit(static_cast<std::uint64_t>(value));
}

/// Reads roundup_power2_divisions into `divisions`, which an error leaves unchanged: "4" for every
/// size, or "[256:1,512:2,>:8]": numbers of divisions from given MiB on, where the first value also
/// serves smaller sizes and the one of '>' those above the last.
[[nodiscard]] Trouble readDivisions(std::string_view value,
                                    decltype(AllocatorRules::roundupDivisions) &divisions);

} // namespace vramscope
