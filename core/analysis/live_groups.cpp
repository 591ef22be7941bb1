// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/live_groups.h"

#include <algorithm>
#include <array>
#include <unordered_map>

namespace vramscope {

namespace {

// Files of installed packages and of Python itself, as their paths tell, on any system.
bool isOfPackage(std::string_view file)
{
    static constexpr std::array<std::string_view, 6> kParts{
        "site-packages", "dist-packages", "/torch/", "\\torch\\", "/lib/python", "<frozen"};
    return file.starts_with("torch/") || std::ranges::any_of(kParts, [file](std::string_view part) {
               return file.find(part) != std::string_view::npos;
           });
}

} // namespace

std::vector<LiveGroup> groupByStack(const Allocations &allocations,
                                    std::span<const AllocationIndex> chosen)
{
    std::vector<LiveGroup> groups;
    std::unordered_map<StackId, std::size_t> places;
    for (const AllocationIndex index : chosen) {
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

StackPlace placeOf(const Trace &trace, StackId stack)
{
    StackPlace place;
    for (const FrameId id : trace.stack(stack)) {
        const Frame &frame = trace.frame(id);
        const std::string_view file = trace.text(frame.file);
        if (!file.ends_with(".py"))
            continue;
        if (place.made == nullptr)
            place.made = &frame;
        if (isOfPackage(file))
            continue;
        if (place.made != &frame)
            place.from = &frame;
        return place;
    }
    if (place.made == nullptr && !trace.stack(stack).empty())
        place.made = &trace.frame(trace.stack(stack).front());
    return place;
}

} // namespace vramscope
