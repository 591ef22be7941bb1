// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/categories/group_categories.h"

#include <algorithm>
#include <map>
#include <utility>

namespace vramscope {

namespace {

struct Part
{
    Bytes bytes = 0;
    double weighted = 0; ///< bytes × probability
    Bytes largest = 0;   ///< allocation, from which the evidence is taken
    AllocationIndex of = kNoAllocation;
};

using Parts = std::map<std::pair<Category, Category>, Part>; // by category and guess

GroupCategory mostOf(const Parts &parts, const Categories &categories)
{
    const auto most =
        std::ranges::max_element(parts, {}, [](const auto &part) { return part.second.bytes; });
    if (most == parts.end())
        return {};
    const auto &[kinds, part] = *most;
    return {kinds.first, kinds.second,
            part.bytes > 0 ? part.weighted / static_cast<double>(part.bytes)
                           : categories.of(part.of).confidence,
            categories.reason(part.of), part.bytes};
}

} // namespace

std::vector<GroupCategory> categoriesOf(std::span<const LiveGroup> groups,
                                        std::span<const AllocationIndex> chosen,
                                        const Allocations &allocations,
                                        const Categories &categories)
{
    std::map<std::pair<StackId, StackId>, Parts> bySite;
    for (const AllocationIndex index : chosen) {
        const CategoryJudgement &judgement = categories.of(index);
        const Bytes size = allocations.size[static_cast<std::size_t>(index)];
        Part &part = bySite[{allocations.stack[static_cast<std::size_t>(index)],
                             allocations.freedIn(index)}][{judgement.category, judgement.guess}];
        part.bytes = wrappingSum(part.bytes, size);
        part.weighted += static_cast<double>(judgement.confidence) * static_cast<double>(size);
        if (part.of == kNoAllocation || size > part.largest) {
            part.of = index;
            part.largest = size;
        }
    }
    std::vector<GroupCategory> found;
    for (const LiveGroup &group : groups)
        found.push_back(mostOf(bySite[{group.stack, group.freedIn}], categories));
    return found;
}

} // namespace vramscope
