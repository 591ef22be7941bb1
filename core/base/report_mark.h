// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string_view>

namespace vramscope {

/// A mark in the first bytes of a report by the program, by which it is recognised.
inline constexpr std::string_view kReportMark = "<meta name=\"generator\" content=\"VRAMscope\">";
/// The distance from the start within which a report has its mark.
inline constexpr std::size_t kReportHead = 256;

/// Whether a text begins like the program's own reports.
[[nodiscard]] inline bool looksLikeReport(std::string_view start)
{
    return start.starts_with("<!DOCTYPE html>") &&
           start.substr(0, kReportHead).find(kReportMark) != std::string_view::npos;
}

} // namespace vramscope
