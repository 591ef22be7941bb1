// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <Qt>

namespace vramscope {

/// The role under which an item model gives the number that a cell shows rounded: bytes, or a
/// count, as qint64. Nothing where the cell is text.
inline constexpr int kExactRole = Qt::UserRole + 100;

/// The role under which a column's header gives the unit of the exact numbers below it, "bytes";
/// nothing if they are counts, or if its title gives the unit.
inline constexpr int kUnitRole = Qt::UserRole + 101;

} // namespace vramscope
