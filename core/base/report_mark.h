// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string_view>

namespace vramscope {

/// What a report of the program has in its first bytes, so that it is known when it is opened.
inline constexpr std::string_view kReportMark = "<meta name=\"generator\" content=\"VRAMscope\">";
/// How far from the start a report has its mark.
inline constexpr std::size_t kReportHead = 256;

/// Whether a text begins as the reports do that the program writes.
[[nodiscard]] inline bool looksLikeReport(std::string_view start)
{
    return start.starts_with("<!DOCTYPE html>") &&
           start.substr(0, kReportHead).find(kReportMark) != std::string_view::npos;
}

} // namespace vramscope
