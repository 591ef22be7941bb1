// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace vramscope {

/// The side of the square in a legend entry, and the distance between entries, in pixels.
inline constexpr double kSwatch = 10;
inline constexpr double kLegendGap = 16;

} // namespace vramscope
