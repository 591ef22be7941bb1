// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace vramscope {

/// A cell for a spreadsheet: a text that it would run as a formula gets a ' before it, for names of
/// a recording are anybody's. A number with its sign and unit is no formula.
[[nodiscard]] QString spreadsheetText(const QString &text);

} // namespace vramscope
