// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <Qt>

namespace vramscope {

/// The role under which an item model gives the number that a cell shows rounded: bytes, or a
/// count, as qint64. Nothing where the cell is text.
inline constexpr int kExactRole = Qt::UserRole + 100;

} // namespace vramscope
