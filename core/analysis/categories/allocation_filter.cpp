// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/categories/allocation_filter.h"

#include "core/analysis/categories/categories.h"
#include "core/analysis/study/study.h"

#include <algorithm>

namespace vramscope {

namespace {

// The stacks in which each rule matches some frame.
std::vector<bool> stacksMatching(const std::vector<FrameRule> &rules, const Trace &trace)
{
    std::vector<bool> result(trace.stackCount() + 1, true);
    for (FrameRule rule : rules) {
        rule.hide = false;
        const FrameRule others{.hide = true, .origin = std::nullopt, .pattern = {}};
        const std::vector<bool> matched = shownFrames(trace, {{rule, others}, false});
        for (std::size_t stack = 0; stack < result.size(); ++stack) {
            result[stack] =
                result[stack] &&
                std::ranges::any_of(trace.stack(static_cast<StackId>(stack)), [&](FrameId frame) {
                    return matched[static_cast<std::size_t>(frame)];
                });
        }
    }
    return result;
}

} // namespace

bool dependsOnCursor(const AllocationFilter &filter)
{
    return filter.aliveAfter == AllocationFilter::kAtCursor;
}

std::vector<std::uint8_t> keptBy(const AllocationFilter &filter, const Study &study,
                                 EventIndex cursor, const Progress &progress)
{
    const Trace &trace = study.trace();
    const Allocations &allocations = study.allocations();
    const std::vector<bool> stacks = stacksMatching(filter.frames, trace);
    const std::vector<std::int64_t> &times = study.device().events.time;
    const EventIndex count = study.device().events.count();
    const double categorizing = filter.category ? 0.8 : 0; // of the work
    if (filter.category &&
        !study.make({Study::Part::Categories}, partOf(progress, 0, categorizing)))
        return std::vector<std::uint8_t>(allocations.count());
    const Categories *categories = filter.category ? &study.categories() : nullptr;
    const Progress keeping = partOf(progress, categorizing, 1);
    const auto timeOf = [&](EventIndex event) {
        return times[static_cast<std::size_t>(std::clamp(event, EventIndex(0), count - 1))];
    };
    const bool byTime = filter.microseconds != QueriedRange{};
    const EventIndex alive = dependsOnCursor(filter) ? cursor : filter.aliveAfter.value_or(-1);
    const auto kept = [&](AllocationIndex at) {
        const EventIndex birth = allocations.birth[at];
        const EventIndex death = allocations.death[at];
        if (!filter.size.holds(allocations.requested[at]) ||
            !stacks[static_cast<std::size_t>(allocations.stack[at])] ||
            (filter.stack && allocations.stack[at] != *filter.stack) ||
            !filter.events.holds(std::int64_t(death) - birth))
            return false;
        if (byTime && (times.empty() || !filter.microseconds.holds(timeOf(death) - timeOf(birth))))
            return false;
        if (filter.aliveAfter && (birth > alive || death <= alive))
            return false;
        if (filter.freed && *filter.freed != (death < count))
            return false;
        if (filter.privatePool && *filter.privatePool != (allocations.pool[at] != PoolId::Default))
            return false;
        if (filter.stream &&
            trace.streams()[static_cast<std::size_t>(allocations.stream[at])] != *filter.stream)
            return false;
        return !categories || categories->of(at).category == *filter.category;
    };
    std::vector<std::uint8_t> result(allocations.count());
    for (AllocationIndex at = 0; at < allocations.count(); ++at) {
        if (!goesOn(keeping, at, allocations.count()))
            break;
        result[at] = kept(at) ? 1 : 0;
    }
    return result;
}

} // namespace vramscope
