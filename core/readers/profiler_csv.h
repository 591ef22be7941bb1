// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/profile/profiler_tables.h"
#include "core/readers/byte_source.h"

#include <memory>
#include <optional>
#include <string_view>

namespace vramscope {

/// The tool that writes this line as the header of a table; nothing for any other line.
[[nodiscard]] std::optional<TableTool> tableHeader(std::string_view line);

/// True for the beginning of a file with such a line, whatever is above it: notices of the tool,
/// the output of the profiled program.
[[nodiscard]] bool looksLikeProfilerTable(std::string_view start);

/// Reads the tables that "nsys stats", as CSV or in columns, and "ncu --csv" write, of their
/// versions from 2020 on, in UTF-8 or UTF-16: several tables of nsys one below the other, with
/// their titles; Nsight Compute's as a row per launch (--page raw) or a row per metric of a launch
/// (--page details), which becomes a row per launch. Other lines of the file are skipped and
/// counted. An Error names the line.
[[nodiscard]] Result<std::shared_ptr<const ProfilerTables>>
readProfilerTables(ByteWindow &input, const Progress &progress);

} // namespace vramscope
