// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/bytes.h"

#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// What the filters that a user types have in common, whatever they filter.

namespace vramscope {

/// The words of a query: "…" keeps its blanks and loses its quotes, /…/ keeps both.
[[nodiscard]] std::vector<std::string> queryWords(std::string_view query);

/// "1.5GiB" as bytes; none where it is no size, is negative or too large.
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

/// The relation that a text begins with; empty where it begins with none.
[[nodiscard]] std::string_view relationOf(std::string_view text);

} // namespace vramscope
