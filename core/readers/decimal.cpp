// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/decimal.h"

#include "core/base/text.h"

#include <algorithm>

namespace vramscope {

namespace {

/// Takes the exponent, if any, off the end of the text; nothing if it is not a number.
std::optional<int> takeExponent(std::string_view &text)
{
    const std::size_t mark = text.find_first_of("eE");
    if (mark == std::string_view::npos)
        return 0;
    std::string_view digits = text.substr(mark + 1);
    if (digits.starts_with('+'))
        digits.remove_prefix(1);
    const auto exponent = wholeNumber<int>(digits);
    if (!exponent || *exponent > 100 || *exponent < -100)
        return {};
    text = text.substr(0, mark);
    return exponent;
}

bool append(std::int64_t &value, int digit)
{
    return !__builtin_mul_overflow(value, std::int64_t(10), &value) &&
           !__builtin_add_overflow(value, std::int64_t(digit), &value);
}

} // namespace

std::optional<std::int64_t> scaledDecimal(std::string_view text, int shift)
{
    const bool negative = text.starts_with('-');
    if (negative || text.starts_with('+'))
        text.remove_prefix(1);
    const auto exponent = takeExponent(text);
    if (!exponent)
        return {};
    const std::size_t point = std::min(text.find('.'), text.size());
    std::int64_t places = std::int64_t(point) + shift + *exponent; // digits of the scaled number
    std::int64_t value = 0;
    bool any = false;
    bool roundUp = false;
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (at == point)
            continue;
        if (!isDigit(text[at]))
            return {};
        any = true;
        if (places > 0 && !append(value, text[at] - '0'))
            return {};
        if (places == 0)
            roundUp = text[at] >= '5';
        --places;
    }
    if (!any)
        return {};
    for (; places > 0 && value != 0; --places) {
        if (!append(value, 0))
            return {};
    }
    if (roundUp && __builtin_add_overflow(value, std::int64_t(1), &value))
        return {};
    return negative ? -value : value;
}

} // namespace vramscope
