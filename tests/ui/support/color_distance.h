// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>

#include <algorithm>
#include <array>
#include <cmath>

// Colours as people with full, protan and deutan sight see them.

namespace vramscope::test {

namespace detail {

using Triple = std::array<double, 3>;
using Matrix = std::array<Triple, 3>;

inline constexpr Matrix kFull{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
inline constexpr Matrix kProtan{{{0.152286, 1.052583, -0.204868},
                                 {0.114503, 0.786281, 0.099216},
                                 {-0.003882, -0.048116, 1.051998}}};
inline constexpr Matrix kDeutan{{{0.367322, 0.860646, -0.227968},
                                 {0.280085, 0.672501, 0.047413},
                                 {-0.011820, 0.042940, 0.968881}}};
inline constexpr Matrix kXyz{{{0.4124564, 0.3575761, 0.1804375},
                              {0.2126729, 0.7151522, 0.0721750},
                              {0.0193339, 0.1191920, 0.9503041}}};

inline double linear(double channel)
{
    return channel <= 0.04045 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
}

inline Triple linear(const QColor &color)
{
    return {linear(color.redF()), linear(color.greenF()), linear(color.blueF())};
}

inline Triple product(const Matrix &matrix, const Triple &of)
{
    Triple result{};
    for (std::size_t row = 0; row < 3; ++row) {
        for (std::size_t at = 0; at < 3; ++at)
            result[row] += matrix[row][at] * of[at];
    }
    return result;
}

inline Triple lab(const QColor &color, const Matrix &sight)
{
    Triple seen = product(sight, linear(color));
    for (double &channel : seen)
        channel = std::clamp(channel, 0.0, 1.0);
    const Triple xyz = product(kXyz, seen);
    const auto root = [](double t) {
        return t > 216.0 / 24389 ? std::cbrt(t) : (24389.0 / 27 * t + 16) / 116;
    };
    const double x = root(xyz[0] / 0.95047);
    const double y = root(xyz[1]);
    const double z = root(xyz[2] / 1.08883);
    return {116 * y - 16, 500 * (x - y), 200 * (y - z)};
}

inline double distance(const Triple &a, const Triple &b)
{
    return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

} // namespace detail

/// WCAG's contrast ratio, 1 to 21.
[[nodiscard]] inline double contrast(const QColor &a, const QColor &b)
{
    const double x = detail::product(detail::kXyz, detail::linear(a))[1];
    const double y = detail::product(detail::kXyz, detail::linear(b))[1];
    return (std::max(x, y) + 0.05) / (std::min(x, y) + 0.05);
}

/// The least CIE76 difference of two colours under full, protan and deutan sight, the last two as
/// simulated by Machado, Oliveira and Fernandes, 2009, at full severity.
[[nodiscard]] inline double leastDistance(const QColor &a, const QColor &b)
{
    double least = 1000;
    for (const detail::Matrix &sight : {detail::kFull, detail::kProtan, detail::kDeutan})
        least = std::min(least, detail::distance(detail::lab(a, sight), detail::lab(b, sight)));
    return least;
}

} // namespace vramscope::test
