// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/replayed/lifetimes.h"

#include <QRgb>

#include <cstdint>
#include <vector>

namespace vramscope {

/// Colours of stacked bands: at most 255, and which of them each of some Lifetimes has.
struct BandColors
{
    std::vector<std::uint8_t> of; ///< by life: index into colors
    std::vector<QRgb> colors;

    /// The colour of a band; every other band is a shade darker to set off neighbours of one
    /// colour. `edge`: the colour of its separator.
    [[nodiscard]] QRgb color(LifeIndex life, bool edge = false) const;
};

/// The shades of each band colour: two for bands, then their two separators.
inline constexpr std::size_t kShades = 4;
[[nodiscard]] std::vector<QRgb> shades(const BandColors &colors);

/// `colors`, with every life that is not in `kept` (one entry a life, 0 or 1) painted in `dimmed`.
[[nodiscard]] BandColors dimmed(const BandColors &colors, const std::vector<std::uint8_t> &kept,
                                QRgb dimmed);

} // namespace vramscope
