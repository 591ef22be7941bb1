// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/categories/allocation_filter.h"

#include <algorithm>

namespace vramscope {

namespace {

// Which stacks have a frame that each of the rules matches.
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

std::vector<std::uint8_t> keptBy(const AllocationFilter &filter, const Trace &trace,
                                 const DeviceTrace &device, const Allocations &allocations,
                                 const Categories *categories, EventIndex cursor,
                                 const Progress &progress)
{
    const std::vector<bool> stacks = stacksMatching(filter.frames, trace);
    const std::vector<std::int64_t> &times = device.events.time;
    const EventIndex count = device.events.count();
    const auto timeOf = [&](EventIndex event) {
        return times[static_cast<std::size_t>(std::clamp(event, EventIndex(0), count - 1))];
    };
    const bool byTime = filter.microseconds != AllocationFilter::Between<std::int64_t>{};
    const EventIndex alive = dependsOnCursor(filter) ? cursor : filter.aliveAfter.value_or(-1);
    const auto kept = [&](AllocationIndex at) {
        const EventIndex birth = allocations.birth[at];
        const EventIndex death = allocations.death[at];
        if (!filter.size.holds(allocations.size[at]) ||
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
        return !filter.category || (categories && categories->of(at).category == *filter.category);
    };
    std::vector<std::uint8_t> result(allocations.count());
    for (AllocationIndex at = 0; at < allocations.count(); ++at) {
        if (!goesOn(progress, at, allocations.count()))
            break;
        result[at] = kept(at) ? 1 : 0;
    }
    return result;
}

} // namespace vramscope
