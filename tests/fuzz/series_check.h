// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/print/series_report.h"
#include "core/readers/byte_source.h"
#include "tests/fuzz/fuzzer.h"

#include <algorithm>
#include <span>

namespace vramscope::fuzz {

inline void checkSeries(const Series &series)
{
    for (const SeriesDevice &device : series.devices()) {
        const std::size_t count = device.time.size();
        check(std::ranges::is_sorted(device.time));
        for (const ByteCurve &curve : device.bytes)
            check(curve.values.size() == count);
        for (const NumberCurve &curve : device.numbers)
            check(curve.values.size() == count);
        check(device.change.empty() || device.change.size() == count);
        check(device.address.size() == device.change.size());
        check(device.operation.size() == device.change.size());
        for (const StringId operation : device.operation)
            (void)series.text(operation);
    }
}

/// Any bytes give an error or a series that can be shown, the same whatever the size of the window.
template<class Reader>
void checkReader(Reader reader, const std::uint8_t *data, std::size_t size)
{
    const auto bytes = std::as_bytes(std::span(data, size));
    const auto source = memorySource(bytes);
    ByteWindow input(*source);
    const auto series = reader(input, {});
    const auto again = memorySource(bytes);
    ByteWindow small(*again, 16);
    const auto same = reader(small, {});
    check(series.ok() == same.ok());
    if (!series.ok()) {
        check(!series.error().detail.empty());
        return;
    }
    checkSeries(**series);
    check(!seriesText(**series, "file").empty());
    check(seriesJson(**series, "file").size() > 2);
    check((*series)->devices().size() == (*same)->devices().size());
    for (std::size_t at = 0; at < (*series)->devices().size(); ++at)
        check((*series)->devices()[at].time == (*same)->devices()[at].time);
}

} // namespace vramscope::fuzz
