// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/series/series_document.h"

#include <algorithm>
#include <limits>

namespace vramscope {

namespace {

bool hasMemory(const SeriesDevice &device)
{
    return !device.time.empty() && std::ranges::any_of(device.bytes, [](const ByteCurve &curve) {
        return curve.role != CurveRole::DeviceTotal;
    });
}

} // namespace

bool SeriesDocument::isLog() const
{
    return std::ranges::any_of(devices, [](const DeviceSamples &device) {
        return device.recorded->curve(CurveRole::DeviceUsed) != nullptr;
    });
}

std::shared_ptr<const SeriesDocument> analyse(std::shared_ptr<const Series> series,
                                              const Progress &progress)
{
    auto document = std::make_shared<SeriesDocument>();
    document->origin = std::numeric_limits<std::int64_t>::max();
    for (const SeriesDevice &device : series->devices()) {
        if (hasMemory(device))
            document->origin = std::min(document->origin, device.time.front());
    }
    const auto all = static_cast<double>(series->devices().size());
    for (const SeriesDevice &device : series->devices()) {
        if (progress && !progress(static_cast<double>(document->devices.size()) / all))
            return nullptr;
        if (!hasMemory(device))
            continue;
        DeviceSamples samples{&device, SampleTimes(device, document->origin), {}};
        for (const ByteCurve &curve : device.bytes)
            samples.curves.push_back(std::make_unique<const SampleCurve>(curve.values));
        document->devices.push_back(std::move(samples));
    }
    document->series = std::move(series);
    return document;
}

} // namespace vramscope
