// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/bytes.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace vramscope {

/// Powers of two (GiB, what tools of GPUs mean) or of ten (GB).
enum class ByteUnit { Binary, Decimal };

/// A size for people: four significant digits at most and the fitting unit ("71.3 GiB", "512 B").
[[nodiscard]] std::string formatBytes(Bytes bytes, ByteUnit unit = ByteUnit::Binary);
/// A size with its sign: "+16 KiB", "-2 GiB", "0 B".
[[nodiscard]] std::string formatChange(Bytes bytes, ByteUnit unit = ByteUnit::Binary);
/// A size with the exact number behind it: "71.3 GiB (76,557,291,520 bytes)".
[[nodiscard]] std::string formatExactBytes(Bytes bytes, ByteUnit unit = ByteUnit::Binary);
/// "84.9 of 79.2 GiB"; both with their units where those differ.
[[nodiscard]] std::string formatPartOf(Bytes part, Bytes whole, ByteUnit unit = ByteUnit::Binary);

/// A size in GiB or GB with so many decimals, none from 10,000 on, and no unit: for axes and
/// columns.
[[nodiscard]] std::string formatGiga(Bytes bytes, ByteUnit unit = ByteUnit::Binary,
                                     int decimals = 1);

/// A number with commas between thousands and so many decimals: "132,801.6".
[[nodiscard]] std::string formatDecimals(double value, int decimals);

/// A part of 1: "12.3 %", "<0.1 %", "0 %".
[[nodiscard]] std::string formatFraction(double fraction);
/// The same as a whole percentage: "97 %".
[[nodiscard]] std::string formatPercent(double fraction);

/// A whole number with commas between thousands: "774,030,080".
[[nodiscard]] std::string formatCount(std::int64_t count);

/// A count for a narrow place, with three digits: "70.6B", "355M", "512". What is shown with it
/// tells the exact one.
[[nodiscard]] std::string formatShortCount(std::int64_t count);

/// A duration given in microseconds: "853 µs", "12.4 ms", "2.00 s", "3 min 20 s".
[[nodiscard]] std::string formatMicroseconds(std::int64_t microseconds);

/// A number without trailing zeros, at most `digits` significant: "0.9", "1.05", "16".
[[nodiscard]] std::string formatNumber(double value, int digits = 6);

/// Three digits, whatever the size: "2.36", "416", "2,360", "5,740,000".
[[nodiscard]] std::string formatRounded(double value);

/// Text from a file for people: each control character, line ends and what turns the direction of
/// writing included, becomes '?', and bytes that are no UTF-8 U+FFFD: no name can change a line.
[[nodiscard]] std::string printable(std::string_view text);

/// "GiB" or "GB".
[[nodiscard]] const char *gigaUnit(ByteUnit unit);

} // namespace vramscope
