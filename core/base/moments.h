// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace vramscope {

struct TimeUnit
{
    std::int64_t nanoseconds = 1;
    int digits = 0; ///< of its nanoseconds, behind the point
    std::string_view name;
};
/// The largest one of which there is one or more: "s", "ms", "µs" or "ns".
[[nodiscard]] const TimeUnit &timeUnitOf(double nanoseconds);

/// A moment since the first event, to the nanosecond: "232.012534 ms".
[[nodiscard]] std::string formatMoment(std::int64_t nanoseconds);
/// "12.35 µs (12,345 ns)"
[[nodiscard]] std::string formatExactNanoseconds(std::int64_t nanoseconds);

} // namespace vramscope
