// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/findings/peak.h"

#include "core/analysis/categories/group_categories.h"
#include "core/analysis/replayed/annotation_ranges.h"
#include "core/analysis/replayed/usage_curve.h"
#include "core/analysis/steps/steps.h"
#include "core/analysis/study/study.h"

#include <algorithm>

namespace vramscope {

namespace {

std::vector<Peak::CategoryShare> sharesOf(const std::vector<AllocationIndex> &live,
                                          const Allocations &allocations,
                                          const Categories &categories)
{
    std::vector<Peak::CategoryShare> shares(kRecordedCategoryCount);
    std::vector<double> weights(kRecordedCategoryCount);
    for (std::size_t at = 0; at < shares.size(); ++at)
        shares[at].category = static_cast<Category>(at);
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

std::vector<StringId> runningAt(const Study &study, EventIndex event)
{
    std::vector<StringId> names; // ranges are sorted by start: the last open one is the innermost
    for (const AnnotationRange &range : study.annotations()) {
        if (range.first <= event && event < range.last)
            names.push_back(range.name);
    }
    std::ranges::reverse(names);
    return names;
}

} // namespace

Peak findPeak(const Study &study)
{
    const Allocations &allocations = study.allocations();
    const UsageCurve &curve = study.curve();
    Peak peak;
    peak.event = curve.peakActiveEvent();
    peak.active = curve.active(peak.event);
    peak.reserved = curve.reserved(peak.event);
    peak.isReservedKnown = curve.isReservedKnown();
    const std::vector<AllocationIndex> live = allocations.liveAfter(peak.event);
    peak.allocations = static_cast<std::int64_t>(live.size());
    peak.byStack = groupBySite(allocations, live);
    peak.kinds = categoriesOf(peak.byStack, live, allocations, study.categories());
    peak.byCategory = sharesOf(live, allocations, study.categories());
    if (peak.event < 0)
        return peak;
    peak.running = runningAt(study, peak.event);
    peak.stack = study.device().events.stack[static_cast<std::size_t>(peak.event)];
    peak.trains = study.categories().trains();
    if (const AllocationIndex made = allocations.firstBornAfter(peak.event - 1);
        made < allocations.count() && allocations.birth[made] == peak.event)
        peak.phase = study.categories().phaseOf(made);
    peak.step = stepAt(study.steps().steps, peak.event);
    if (peak.step) {
        const Step &step = study.steps().steps[*peak.step];
        peak.position = static_cast<double>(peak.event - step.first) /
                        static_cast<double>(std::max(step.last - step.first, 1));
    }
    return peak;
}

bool areCategoriesSure(const Peak &peak)
{
    constexpr double kConfident = 0.65; // higher than lifetimes alone suggest
    Bytes sure = 0;
    for (const Peak::CategoryShare &share : peak.byCategory) {
        const bool tells =
            share.category != Category::Unknown && share.category != Category::TemporaryBuffers;
        if (tells && share.confidence >= kConfident)
            sure += share.tally.bytes;
    }
    return peak.active > 0 && sure >= peak.active - peak.active / 4;
}

} // namespace vramscope
