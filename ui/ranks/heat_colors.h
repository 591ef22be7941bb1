// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/support/theme.h"

#include <array>

namespace vramscope {

/// Colours from the least to the most, told apart by lightness alone too.
using HeatScale = std::array<QRgb, 256>;

/// From nothing to as much as there is: calm to strong on either background.
[[nodiscard]] HeatScale amountScale(const Theme &theme);
/// From far below over alike, which is the background's colour, to far above.
[[nodiscard]] HeatScale distanceScale(const Theme &theme);

/// The colour of a share of the scale, 0 … 1; beyond it the last one.
[[nodiscard]] inline QRgb heatColor(const HeatScale &scale, float share)
{
    const float at = share * 255 + 0.5F;
    return scale[at <= 0 ? 0 : at >= 255 ? 255 : static_cast<std::size_t>(at)];
}

} // namespace vramscope
