// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/timeline/stack_geometry.h"

#include <QImage>

namespace vramscope {

/// Bands at least this many rows high have a darker upper edge.
inline constexpr int kSeparatedRows = 4;

/// Paints the whole geometry straight into the lines of an image: one pixel a column and row,
/// transparent where nothing lives. Every line is written as runs of one colour, so the cost
/// follows the changes from column to column. Uses two threads.
[[nodiscard]] QImage paintStack(const StackGeometry &geometry);

} // namespace vramscope
