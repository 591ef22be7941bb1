// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/table/table.h"

#include <cstdint>
#include <vector>

namespace vramscope {

/// Sorts rows of a table by the exact values of a column: numbers by size, errors by
/// that without its sign, texts by their characters. Equal rows keep their order, unknown values
/// come last in either direction, and pinned rows stay first. Makes one cell a row.
void sortRows(std::vector<std::uint32_t> &rows, const DataTable &table, std::size_t column,
              bool descending);

} // namespace vramscope
