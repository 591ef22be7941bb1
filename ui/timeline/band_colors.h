// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/replayed/lifetimes.h"

#include <QRgb>

#include <cstdint>
#include <vector>

namespace vramscope {

/// The colours of stacked bands: which of at most 255 each of some Lifetimes has.
struct BandColors
{
    std::vector<std::uint8_t> of; ///< by life: index into colors
    std::vector<QRgb> colors;

    /// Of a band; every other one a shade darker so that neighbours of one colour are told apart.
    /// `edge`: its separator.
    [[nodiscard]] QRgb color(LifeIndex life, bool edge = false) const;
};

/// The shades that bands of one colour are painted in: two of the band, then their separators.
inline constexpr std::size_t kShades = 4;
[[nodiscard]] std::vector<QRgb> shades(const BandColors &colors);

/// `colors` with everything that is not in `kept` (one entry a life, 0 or 1) in `dimmed`.
[[nodiscard]] BandColors dimmed(const BandColors &colors, const std::vector<std::uint8_t> &kept,
                                QRgb dimmed);

} // namespace vramscope
