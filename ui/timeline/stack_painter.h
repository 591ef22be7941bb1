// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/timeline/stack_geometry.h"

#include <QImage>

#include <cstdint>

namespace vramscope {

/// Index into seriesColors() for each stack of a trace.
using StackColors = std::vector<std::uint8_t>;

/// Bands at least this many rows high have a darker upper edge.
inline constexpr int kSeparatedRows = 4;

/// The colour of an allocation: that of its stack, every other allocation a shade darker so that
/// neighbours of one stack are told apart. `edge`: its separator.
[[nodiscard]] QRgb allocationColor(const StackColors &colors, AllocationIndex allocation,
                                   StackId stack, bool edge = false);

/// Paints the whole geometry straight into the lines of an image: one pixel a column and row,
/// transparent where nothing is active. Every line is written as runs of one colour, so the cost
/// follows the changes from column to column.
[[nodiscard]] QImage paintStack(const StackGeometry &geometry, const StackColors &colors);

} // namespace vramscope
