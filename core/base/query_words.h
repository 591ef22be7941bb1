// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/bytes.h"

#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Shared by all filters that a user types, whatever they filter.

namespace vramscope {

/// The words of a query: "…" keeps its blanks and loses its quotes, /…/ keeps both.
[[nodiscard]] std::vector<std::string> queryWords(std::string_view query);

/// "1.5GiB" as bytes; nothing if it is not a size, is negative or too large.
[[nodiscard]] std::optional<Bytes> queriedSize(std::string_view text);

/// Whole numbers from one to another, both included.
struct QueriedRange
{
    std::int64_t least = std::numeric_limits<std::int64_t>::min();
    std::int64_t most = std::numeric_limits<std::int64_t>::max();

    [[nodiscard]] bool holds(std::int64_t value) const { return least <= value && value <= most; }
    /// Narrows it by "<", "<=", "=", "==", ">=" or ">" and a number.
    void narrow(std::string_view relation, std::int64_t value);
    bool operator==(const QueriedRange &) const = default;
};

/// The relation at the beginning of a text, if any; else empty.
[[nodiscard]] std::string_view relationOf(std::string_view text);

} // namespace vramscope
