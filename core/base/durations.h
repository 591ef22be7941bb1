// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

namespace vramscope {

/// A duration in nanoseconds for people, with at most four significant digits: "853 ns", "12.34
/// µs", "927.9 ms", "14.52 s".
[[nodiscard]] std::string formatNanoseconds(std::int64_t nanoseconds);

/// A duration in seconds: "853 µs", "12.4 ms", "3 min 20 s", and "3.5 days" from two days on.
[[nodiscard]] std::string formatSeconds(double seconds);

/// A part of a whole in per cent: "12.3 %", "<0.1 %"; "0 %" if the whole is 0.
[[nodiscard]] std::string formatTimeShare(std::int64_t part, std::int64_t whole);

} // namespace vramscope
