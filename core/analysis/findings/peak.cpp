// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/findings/peak.h"

#include <algorithm>

namespace vramscope {

namespace {

std::vector<Peak::CategoryShare> sharesOf(const std::vector<AllocationIndex> &live,
                                          const Allocations &allocations,
                                          const Categories &categories)
{
    std::vector<Peak::CategoryShare> shares(kMemoryCategoryCount);
    std::vector<double> weights(kMemoryCategoryCount);
    for (std::size_t at = 0; at < shares.size(); ++at)
        shares[at].category = static_cast<MemoryCategory>(at);
    for (const AllocationIndex index : live) {
        const CategoryJudgement &judgement = categories.of(index);
        const auto category = static_cast<std::size_t>(judgement.category);
        const Bytes size = allocations.size[static_cast<std::size_t>(index)];
        shares[category].tally += {size, 1};
        shares[category].confidence +=
            static_cast<double>(judgement.confidence) * static_cast<double>(size);
        weights[category] += static_cast<double>(size);
    }
    for (std::size_t at = 0; at < shares.size(); ++at)
        shares[at].confidence = weights[at] > 0 ? shares[at].confidence / weights[at] : 0;
    std::erase_if(shares, [](const auto &share) { return share.tally.count == 0; });
    std::ranges::stable_sort(
        shares, [](const auto &a, const auto &b) { return a.tally.bytes > b.tally.bytes; });
    return shares;
}

std::vector<StringId> runningAt(const Trace &trace, const DeviceTrace &device, EventIndex event)
{
    std::vector<StringId> names; // ranges come by start: the last one open is the innermost
    for (const AnnotationRange &range : annotationRanges(trace, device)) {
        if (range.first <= event && event < range.last)
            names.push_back(range.name);
    }
    std::ranges::reverse(names);
    return names;
}

} // namespace

Peak findPeak(const Trace &trace, const DeviceTrace &device, const Allocations &allocations,
              const UsageCurve &curve, const Steps &steps, const Categories &categories)
{
    Peak peak;
    peak.event = curve.peakActiveEvent();
    peak.active = curve.active(peak.event);
    peak.reserved = curve.reserved(peak.event);
    peak.isReservedKnown = curve.isReservedKnown();
    const std::vector<AllocationIndex> live = allocations.liveAfter(peak.event);
    peak.allocations = static_cast<std::int64_t>(live.size());
    peak.byStack = groupByStack(allocations, live);
    peak.byCategory = sharesOf(live, allocations, categories);
    if (peak.event < 0)
        return peak;
    peak.running = runningAt(trace, device, peak.event);
    peak.stack = device.events.stack[static_cast<std::size_t>(peak.event)];
    peak.step = stepAt(steps.steps, peak.event);
    if (peak.step) {
        const Step &step = steps.steps[*peak.step];
        peak.position = static_cast<double>(peak.event - step.first) /
                        static_cast<double>(std::max(step.last - step.first, 1));
    }
    return peak;
}

} // namespace vramscope
