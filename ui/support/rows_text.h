// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

class QTableView;

namespace vramscope {

/// The chosen rows of a table as lines, with cells separated by tabs; empty if no row is chosen.
[[nodiscard]] QString rowsText(const QTableView &table);

} // namespace vramscope
