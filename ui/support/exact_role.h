// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <Qt>

namespace vramscope {

/// The role under which an item model gives the number that a cell shows rounded: bytes, or a
/// count, as qint64. Nothing where the cell is text.
inline constexpr int kExactRole = Qt::UserRole + 100;

/// The role under which the header of a column gives what the exact numbers below it are, "bytes";
/// nothing where they are counts, or where its title says it.
inline constexpr int kUnitRole = Qt::UserRole + 101;

} // namespace vramscope
