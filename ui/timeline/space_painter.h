// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/support/theme.h"
#include "ui/timeline/band_colors.h"
#include "ui/timeline/space_geometry.h"

#include <QImage>

#include <span>

namespace vramscope {

/// The style of a map of the address space.
struct SpaceLook
{
    Theme theme;
    const BandColors *colors = nullptr; ///< of the allocations
    int line = 1;                       ///< device pixels of a hairline; patterns scale with it
};

/// Paints the rows from `top` down into lines of pixels from below, each `width` long, on the
/// window's colour; column 0 is one hairline from the left. Leaves captions blank. Costs only what
/// is visible.
void paintSpace(const SpaceGeometry &geometry, const SpaceState &state, const SpaceLook &look,
                std::int64_t top, std::span<QRgb *const> lines, int width);

/// A sample of a fill for a legend; blocks in `color`.
[[nodiscard]] QImage spaceSwatch(SpaceFill fill, QRgb color, const SpaceLook &look, QSize size);

} // namespace vramscope
