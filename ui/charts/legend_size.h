// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace vramscope {

/// The side of the square of an entry of a chart's legend, and what separates entries, in pixels.
inline constexpr double kSwatch = 10;
inline constexpr double kLegendGap = 16;

} // namespace vramscope
