// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/ranks/heat_colors.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace vramscope {

namespace {

HeatScale scaleThrough(std::span<const QRgb> stops)
{
    HeatScale scale{};
    for (std::size_t at = 0; at < scale.size(); ++at) {
        const double place = static_cast<double>(at) / static_cast<double>(scale.size() - 1) *
                             static_cast<double>(stops.size() - 1);
        const auto below = std::min(static_cast<std::size_t>(place), stops.size() - 2);
        const double share = place - static_cast<double>(below);
        const auto mixed = [&](int a, int b) {
            return static_cast<int>(std::lround(a + (b - a) * share));
        };
        const QRgb from = stops[below];
        const QRgb to = stops[below + 1];
        scale[at] = qRgb(mixed(qRed(from), qRed(to)), mixed(qGreen(from), qGreen(to)),
                         mixed(qBlue(from), qBlue(to)));
    }
    return scale;
}

} // namespace

HeatScale amountScale(const Theme &theme)
{
    static constexpr std::array<QRgb, 6> kLight{0xffe4edf5, 0xffb4d3e8, 0xff74aed4,
                                                0xff3a7fb8, 0xff1f4f8f, 0xff14254f};
    static constexpr std::array<QRgb, 6> kDark{0xff1e2f45, 0xff23507d, 0xff2f7fae,
                                               0xff55b0c8, 0xffa5dcd2, 0xfffbf7d5};
    return scaleThrough(theme.dark ? kDark : kLight);
}

HeatScale distanceScale(const Theme &theme)
{
    const QRgb middle = theme.card.rgb();
    if (theme.dark)
        return scaleThrough(
            std::array<QRgb, 5>{0xff7fc4ff, 0xff2c6ba3, middle, 0xffb0503a, 0xffff9d7a});
    return scaleThrough(
        std::array<QRgb, 5>{0xff17407a, 0xff7fb0dc, middle, 0xffee9a80, 0xff9c1c1c});
}

} // namespace vramscope
