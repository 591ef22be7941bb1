// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/series.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace vramscope {

struct LogTime
{
    std::int64_t time = 0; ///< nanoseconds
    Clock clock = Clock::Relative;
};

/// The time in a cell of a log: "2023/06/22 18:56:56.252" (local), ISO 8601 with or without an
/// offset, "20230622 18:56:56", "Thu Jun 22 18:56:56 2023", a time of day (relative to midnight),
/// or a number: seconds, milli-, micro- or nanoseconds since 1970 by its size, or else seconds
/// since the start.
[[nodiscard]] std::optional<LogTime> parseLogTime(std::string_view text);

} // namespace vramscope
