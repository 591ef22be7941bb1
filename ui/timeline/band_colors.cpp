// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/band_colors.h"

#include <QColor>

#include <array>

namespace vramscope {

namespace {

constexpr std::array<int, kShades> kDarker = {100, 104, 112, 120}; // per cent

} // namespace

QRgb BandColors::color(LifeIndex life, bool edge) const
{
    const std::size_t shade = (life & 1U) + (edge ? 2U : 0U);
    return QColor::fromRgb(colors[of[life]]).darker(kDarker[shade]).rgb();
}

std::vector<QRgb> shades(const BandColors &colors)
{
    std::vector<QRgb> result;
    for (const QRgb color : colors.colors) {
        for (const int darker : kDarker)
            result.push_back(QColor::fromRgb(color).darker(darker).rgb());
    }
    return result;
}

BandColors dimmed(const BandColors &colors, const std::vector<std::uint8_t> &kept, QRgb dimmed)
{
    BandColors result = colors;
    const auto faint = static_cast<std::uint8_t>(result.colors.size());
    result.colors.push_back(dimmed);
    for (std::size_t at = 0; at < result.of.size(); ++at)
        result.of[at] = kept[at] ? result.of[at] : faint;
    return result;
}

} // namespace vramscope
