// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

namespace vramscope {

/// A count or size that is exact or known not to be: a 64-bit integer whose sums and products stop
/// at the largest value instead of wrapping around. `overflowed()` reports this, and stays true
/// through every later operation. Sizes are never negative.
class Exact
{
public:
    constexpr Exact() = default;
    constexpr Exact(std::int64_t value)
        : m_value(value)
    {
    }

    /// The next whole number at or above `value`.
    [[nodiscard]] static Exact ceiling(double value)
    {
        const double whole = std::ceil(value);
        return whole < 9.2e18 ? Exact(static_cast<std::int64_t>(whole)) : Exact(kLargest);
    }

    [[nodiscard]] constexpr std::int64_t value() const { return m_value; }
    [[nodiscard]] constexpr bool overflowed() const { return m_value == kLargest; }

    constexpr Exact &operator+=(Exact other)
    {
        if (overflowed() || other.overflowed() ||
            __builtin_add_overflow(m_value, other.m_value, &m_value))
            m_value = kLargest;
        return *this;
    }
    constexpr Exact &operator*=(Exact other)
    {
        if (overflowed() || other.overflowed() ||
            __builtin_mul_overflow(m_value, other.m_value, &m_value))
            m_value = kLargest;
        return *this;
    }
    friend constexpr Exact operator+(Exact a, Exact b) { return a += b; }
    friend constexpr Exact operator*(Exact a, Exact b) { return a *= b; }
    /// Division rounded up: the size of the largest of `parts` equal shares.
    friend constexpr Exact dividedUp(Exact a, std::int64_t parts)
    {
        return a.overflowed() ? a : Exact(a.m_value / parts + (a.m_value % parts > 0 ? 1 : 0));
    }
    /// a - b, but never below 0.
    friend constexpr Exact excess(Exact a, Exact b)
    {
        if (a.overflowed())
            return a;
        return a.m_value > b.m_value ? Exact(a.m_value - b.m_value) : Exact(0);
    }
    // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy 14 sees a 0 in a defaulted comparison
    friend constexpr auto operator<=>(Exact a, Exact b) = default;

private:
    static constexpr std::int64_t kLargest = std::numeric_limits<std::int64_t>::max();
    std::int64_t m_value = 0;
};

} // namespace vramscope
