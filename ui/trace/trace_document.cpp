// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/trace/trace_document.h"

#include "core/base/ordered_jobs.h"
#include "ui/support/theme.h"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace vramscope {

namespace {

// The stacks with most bytes at the peak take the colours in turn; all others, by their number.
StackColors colorsOf(const Trace &trace, const Allocations &allocations, EventIndex peak)
{
    std::vector<Bytes> bytes(trace.stackCount() + 1, 0);
    for (const AllocationIndex allocation : allocations.liveAfter(peak)) {
        Bytes &sum = bytes[static_cast<std::size_t>(allocations.stack[allocation])];
        sum = wrappingSum(sum, allocations.size[allocation]);
    }
    std::vector<std::size_t> order(bytes.size());
    std::iota(order.begin(), order.end(), std::size_t(0));
    std::ranges::stable_sort(order, std::greater(),
                             [&](std::size_t stack) { return bytes[stack]; });
    StackColors colors(bytes.size());
    for (std::size_t rank = 0; rank < order.size(); ++rank)
        colors[order[rank]] = static_cast<std::uint8_t>(rank % kSeriesColorCount);
    return colors;
}

} // namespace

DeviceDocument::DeviceDocument(const Trace &trace, const DeviceTrace &device)
    : recorded(device)
    , allocations(device)
    , curve(device, allocations)
    , summary(summarize(trace, device, curve))
    , annotations(annotationRanges(trace, device))
    , stackColors(colorsOf(trace, allocations, curve.peakActiveEvent()))
{
}

std::int64_t DeviceDocument::timeOf(EventIndex event) const
{
    const std::vector<std::int64_t> &times = recorded.events.time;
    const auto last = static_cast<EventIndex>(times.size()) - 1;
    return times[static_cast<std::size_t>(std::clamp(event, EventIndex(0), last))] - times.front();
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
    bool wanted = !progress || progress(0);
    const auto analyseOne = [&](std::size_t at) {
        document->devices[at] = std::make_unique<const DeviceDocument>(*trace, devices[at]);
    };
    const auto report = [&](std::size_t at) {
        wanted = !progress ||
                 progress(static_cast<double>(at + 1) / static_cast<double>(devices.size()));
        return wanted;
    };
    if (wanted)
        runInOrder(devices.size(), analyseOne, report);
    if (!wanted)
        return nullptr;
    document->trace = std::move(trace);
    return document;
}

} // namespace vramscope
