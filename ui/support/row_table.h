// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QTableView;

namespace vramscope {

/// Makes a table one of plain rows: no grid, no frame, no numbers before them, one row chosen at a
/// time, and Tab leads out of it. The last column takes the width that is left.
void setUpRowTable(QTableView &table);

/// The look of plain rows alone: no grid, no frame, one row chosen at a time, each `padding` pixels
/// higher than its text.
void setUpPlainRows(QTableView &table, int padding = 8);

} // namespace vramscope
