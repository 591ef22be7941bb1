// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/bytes.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace vramscope {

/// Powers of two (GiB, as in GPU tools) or of ten (GB).
enum class ByteUnit { Binary, Decimal };

/// A size for people: at most four significant digits and the fitting unit ("71.3 GiB", "512 B").
[[nodiscard]] std::string formatBytes(Bytes bytes, ByteUnit unit = ByteUnit::Binary);
/// A size with its sign: "+16 KiB", "-2 GiB", "0 B".
[[nodiscard]] std::string formatChange(Bytes bytes, ByteUnit unit = ByteUnit::Binary);
/// A size followed by the exact number: "71.3 GiB (76,557,291,520 bytes)".
[[nodiscard]] std::string formatExactBytes(Bytes bytes, ByteUnit unit = ByteUnit::Binary);
/// "84.9 of 79.2 GiB"; with both units if they differ.
[[nodiscard]] std::string formatPartOf(Bytes part, Bytes whole, ByteUnit unit = ByteUnit::Binary);

/// A size in GiB or GB with `decimals` decimals, without decimals from 10,000 on, and without a
/// unit: for axes and columns.
[[nodiscard]] std::string formatGiga(Bytes bytes, ByteUnit unit = ByteUnit::Binary,
                                     int decimals = 1);

/// A number with commas between thousands and `decimals` decimals: "132,801.6".
[[nodiscard]] std::string formatDecimals(double value, int decimals);

/// A part of 1: "12.3 %", "<0.1 %", "0 %".
[[nodiscard]] std::string formatFraction(double fraction);
/// A fraction as a whole percentage: "97 %".
[[nodiscard]] std::string formatPercent(double fraction);

/// A whole number with commas between thousands: "774,030,080".
[[nodiscard]] std::string formatCount(std::int64_t count);

/// A count for a narrow place, with three digits: "70.6B", "355M", "512". The exact count has to be
/// shown next to it.
[[nodiscard]] std::string formatShortCount(std::int64_t count);

/// A duration given in microseconds: "853 µs", "12.4 ms", "2.00 s", "3 min 20 s".
[[nodiscard]] std::string formatMicroseconds(std::int64_t microseconds);

/// A number without trailing zeros, with at most `digits` significant digits: "0.9", "1.05", "16".
[[nodiscard]] std::string formatNumber(double value, int digits = 6);

/// Three significant digits, whatever the size: "2.36", "416", "2,360", "5,740,000".
[[nodiscard]] std::string formatRounded(double value);

/// Text from a file for people: each control character, including line ends and those that change
/// the writing direction, becomes '?', and invalid UTF-8 becomes U+FFFD: no name can change a line.
[[nodiscard]] std::string printable(std::string_view text);

/// "GiB" or "GB".
[[nodiscard]] const char *gigaUnit(ByteUnit unit);

} // namespace vramscope
