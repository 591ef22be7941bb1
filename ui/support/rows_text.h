// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

class QTableView;

namespace vramscope {

/// The chosen rows of a table as lines, with cells separated by tabs; empty if no row is chosen.
[[nodiscard]] QString rowsText(const QTableView &table);

/// A cell for a spreadsheet: a text that it would run as a formula is prefixed with ', because
/// names in a recording are untrusted. A number with its sign and unit is not a formula.
[[nodiscard]] QString spreadsheetText(const QString &text);

} // namespace vramscope
