// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/trace.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace vramscope {

/// A range of an axis, from low to high, in the axis's own unit (events or bytes).
struct Range
{
    double low = 0;
    double high = 1;

    [[nodiscard]] double length() const { return high - low; }
    [[nodiscard]] bool contains(double value) const { return low <= value && value <= high; }
    bool operator==(const Range &) const = default;
};

/// A range mapped onto `pixels`, low at pixel 0. An empty range or a width of no pixels maps
/// everything to pixel 0 and every pixel to the low end.
struct LinearScale
{
    Range range;
    double pixels = 0;

    [[nodiscard]] bool degenerate() const { return !(range.length() > 0) || !(pixels > 0); }
    [[nodiscard]] double toPixel(double value) const
    {
        return degenerate() ? 0 : (value - range.low) / range.length() * pixels;
    }
    [[nodiscard]] double toValue(double pixel) const
    {
        return degenerate() ? range.low : range.low + pixel / pixels * range.length();
    }
    [[nodiscard]] double perPixel() const { return degenerate() ? 0 : range.length() / pixels; }
};

/// `range` shortened or lengthened by `factor` (below 1 zooms in) so that `anchor` keeps its place.
[[nodiscard]] inline Range zoomed(const Range &range, double factor, double anchor)
{
    return {anchor - (anchor - range.low) * factor, anchor + (range.high - anchor) * factor};
}

[[nodiscard]] inline Range moved(const Range &range, double by)
{
    return {range.low + by, range.high + by};
}

/// `range` extended to at least `shortest` (about its middle), cut to at most `whole`, and shifted
/// inside `whole`. A whole shorter than `shortest` is returned unchanged.
[[nodiscard]] inline Range clamped(Range range, const Range &whole, double shortest)
{
    if (!(whole.length() > shortest) || !(range.length() < whole.length()))
        return whole;
    if (range.length() < shortest) {
        const double middle = (range.low + range.high) / 2;
        range = {middle - shortest / 2, middle + shortest / 2};
    }
    if (range.low < whole.low)
        return {whole.low, whole.low + range.length()};
    if (range.high > whole.high)
        return {whole.high - range.length(), whole.high};
    return range;
}

/// Consecutive events, both included.
struct EventSpan
{
    EventIndex first = -1;
    EventIndex last = -1;
    bool operator==(const EventSpan &) const = default;
};

/// Round steps of an axis.
struct Ticks
{
    std::vector<double> values; ///< ascending, inside the range
    double step = 1;
    int decimals = 0; ///< decimals that distinguish neighbours
};

/// Ticks at multiples of 1, 2 or 5 times a power of ten, at most `most` steps in the range and none
/// smaller than `smallest`. An empty range gives its low end alone.
[[nodiscard]] Ticks niceTicks(const Range &range, int most, double smallest = 0);

inline constexpr double kNotch = 120;     ///< the angle that Qt reports for a notch of the wheel
inline constexpr double kZoomStep = 0.85; ///< of the visible range, of one notch

} // namespace vramscope
