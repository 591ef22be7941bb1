// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/trace/trace_document.h"

#include "core/base/ordered_jobs.h"

#include <algorithm>
#include <tuple>

namespace vramscope {

DeviceDocument::DeviceDocument(const Trace &trace, const DeviceTrace &device,
                               const Progress &progress)
    : recorded(device)
    , allocations(device, partOf(progress, 0, 0.7))
    , curve(device, allocations, partOf(progress, 0.7, 0.9))
    , summary(summarize(trace, device, curve))
    , annotations(annotationRanges(trace, device))
    , byStack(colorGroups(colorKeys(ColorBy::Stack, trace, device, allocations, nullptr),
                          allocations, curve.peakActiveEvent()))
{
    const std::vector<std::int64_t> &recordedTimes = device.events.time;
    if (!std::ranges::is_sorted(recordedTimes)) {
        m_ascending = recordedTimes;
        for (std::size_t at = 1; at < m_ascending.size(); ++at)
            m_ascending[at] = std::max(m_ascending[at], m_ascending[at - 1]);
    }
}

std::span<const std::int64_t> DeviceDocument::times() const
{
    return m_ascending.empty() ? recorded.events.time : m_ascending;
}

std::int64_t DeviceDocument::timeOf(EventIndex event) const
{
    const auto last = static_cast<EventIndex>(times().size()) - 1;
    const auto at = static_cast<std::size_t>(std::clamp(event, EventIndex(0), last));
    return times()[at] - times().front();
}

std::size_t TraceDocument::mainDevice() const
{
    const auto main = std::ranges::max_element(devices, {}, [](const auto &device) {
        return std::tuple(!device->summary.outOfMemory.empty(), device->summary.events,
                          device->summary.reservedEnd);
    });
    return main == devices.end() ? 0 : static_cast<std::size_t>(main - devices.begin());
}

std::shared_ptr<const TraceDocument> analyse(std::shared_ptr<const Trace> trace,
                                             const Progress &progress)
{
    const auto document = std::make_shared<TraceDocument>();
    const auto devices = trace->devices();
    document->devices.resize(devices.size());
    const auto analyseOne = [&](std::size_t at, const Progress &each) {
        document->devices[at] = std::make_unique<const DeviceDocument>(*trace, devices[at], each);
    };
    if ((progress && !progress(0)) || !runTogether(devices.size(), analyseOne, progress))
        return nullptr;
    document->trace = std::move(trace);
    return document;
}

} // namespace vramscope
