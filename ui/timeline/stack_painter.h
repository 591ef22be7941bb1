// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/timeline/pixel_lines.h"
#include "ui/timeline/stack_geometry.h"

#include <span>

namespace vramscope {

/// Bands at least this many rows high have a darker upper edge.
inline constexpr int kSeparatedRows = 4;

/// Paints the whole geometry into lines of pixels from below, with `over` on top; each line has one
/// pixel per column. A row of the geometry is `together` lines, the last one perhaps fewer; empty
/// parts of a line get the colour of its first pixel, its ground. The cost follows the changes from
/// column to column. Uses two threads.
void paintStack(const StackGeometry &geometry, std::span<QRgb *const> lines,
                const PlotOverlay &over = {}, int together = 1);

} // namespace vramscope
