// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace vramscope {

/// A line of a log as an engine wrote it, without what loggers, terminals and containers put
/// before it.
struct LogLine
{
    /// Who wrote it, as its prefix says: "Worker_TP0", "EngineCore:986" (with the process where the
    /// name says nothing of a rank), "DP0 TP3"; empty where no prefix names anyone.
    std::string rank;
    std::string message;
    std::string date; ///< "2025-10-16" where SGLang's prefix has one
};

/// Takes colours out of a line, also those whose escape byte was lost or written as text, and
/// writes "\n" and "\r" that stand in it as letters, and bytes of control, as blanks.
[[nodiscard]] std::string withoutColours(std::string_view line);

/// What a line holds; several where a progress bar went back to its beginning. Empty pieces are
/// left out.
[[nodiscard]] std::vector<LogLine> logLines(std::string_view line);

} // namespace vramscope
