// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/costs/live_groups.h"

#include <algorithm>
#include <unordered_map>

namespace vramscope {

std::vector<LiveGroup> groupByStack(const Allocations &allocations,
                                    std::span<const AllocationIndex> chosen,
                                    const Progress &progress)
{
    std::vector<LiveGroup> groups;
    std::unordered_map<StackId, std::size_t> places;
    for (std::size_t at = 0; at < chosen.size(); ++at) {
        if (!goesOn(progress, std::int64_t(at), std::int64_t(chosen.size())))
            return {};
        const AllocationIndex index = chosen[at];
        const StackId stack = allocations.stack[index];
        const auto [place, isNew] = places.try_emplace(stack, groups.size());
        if (isNew)
            groups.push_back({stack, 0, 0, index});
        LiveGroup &group = groups[place->second];
        group.bytes = wrappingSum(group.bytes, allocations.size[index]);
        ++group.count;
        group.first = std::min(group.first, index);
    }
    std::ranges::sort(groups, [](const LiveGroup &a, const LiveGroup &b) {
        return a.bytes != b.bytes ? a.bytes > b.bytes : a.first < b.first;
    });
    return groups;
}

} // namespace vramscope
