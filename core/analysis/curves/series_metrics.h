// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/series.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

namespace vramscope {

/// Metrics of a curve over the samples that have a value.
template<class T>
struct CurveMetrics
{
    T first{};
    T last{};
    T least{};
    T most{};
    std::size_t mostAt = 0; ///< the first sample with the highest value
};

[[nodiscard]] inline bool isValue(Bytes bytes)
{
    return bytes != kNoBytes;
}

[[nodiscard]] inline bool isValue(double number)
{
    return !std::isnan(number);
}

/// The figures of a column of ByteCurve or NumberCurve; nothing if no sample has a value. Linear.
template<class T>
[[nodiscard]] std::optional<CurveMetrics<T>> curveMetrics(const std::vector<T> &values)
{
    std::optional<CurveMetrics<T>> figures;
    for (std::size_t at = 0; at < values.size(); ++at) {
        const T value = values[at];
        if (!isValue(value))
            continue;
        if (!figures)
            figures = CurveMetrics<T>{value, value, value, value, at};
        figures->last = value;
        figures->least = std::min(figures->least, value);
        if (value > figures->most) {
            figures->most = value;
            figures->mostAt = at;
        }
    }
    return figures;
}

/// The innermost operator that ran at a sample; empty if not recorded.
[[nodiscard]] inline std::string_view operationAt(const Series &series, const SeriesDevice &device,
                                                  std::size_t sample)
{
    return sample < device.operation.size() ? series.text(device.operation[sample])
                                            : std::string_view();
}

} // namespace vramscope
