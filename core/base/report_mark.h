// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
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

/// JSON as the content of an element: "<" and "&" are in strings alone, where JSON may write them
/// as numbers. Nothing in them ends the element or has a meaning for a reader of XML.
[[nodiscard]] inline std::string elementJson(std::string_view json)
{
    std::string content;
    content.reserve(json.size());
    for (const char c : json) {
        if (c == '<')
            content += "\\u003c";
        else if (c == '&')
            content += "\\u0026";
        else
            content += c;
    }
    return content;
}

} // namespace vramscope
