// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/profiler_tables.h"

#include <cstddef>
#include <string>

namespace vramscope {

/// Tables of nsys stats as they are written, of at most `most` rows each (0: all); of Nsight
/// Compute the launches of each kernel together, the longest first.
[[nodiscard]] std::string profilerTablesText(const ProfilerTables &tables, const std::string &file,
                                             std::size_t most);

/// One line of JSON, every cell: {"file","tool","tables":[{"title","columns":[{"name","unit"}],
/// "rows":[[…]]}],"problems":[…]}. Cells of columns of numbers are numbers, those that are empty
/// null.
[[nodiscard]] std::string profilerTablesJson(const ProfilerTables &tables, const std::string &file,
                                             std::size_t most);

} // namespace vramscope
