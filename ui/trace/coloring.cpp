// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/trace/coloring.h"

#include "ui/support/text.h"
#include "ui/support/theme.h"

#include <algorithm>
#include <numeric>

namespace vramscope {

Coloring colorGroups(Keys groups, const Allocations &allocations, EventIndex peak)
{
    std::vector<Bytes> bytes(groups.keys.size(), 0);
    for (const AllocationIndex allocation : allocations.liveAfter(peak)) {
        Bytes &sum = bytes[groups.of[allocation]];
        sum = wrappingSum(sum, allocations.size[allocation]);
    }
    std::vector<std::uint32_t> order(bytes.size());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::stable_sort(order, std::greater(),
                             [&](std::uint32_t group) { return bytes[group]; });
    Coloring result;
    result.colors.colors.assign(seriesColors().begin(), seriesColors().end());
    std::vector<std::uint8_t> colorOf(order.size());
    for (std::size_t rank = 0; rank < order.size(); ++rank) {
        const std::size_t color = rank % kSeriesColorCount;
        colorOf[order[rank]] = static_cast<std::uint8_t>(color);
        if (rank < kSeriesColorCount)
            result.entries.push_back({toQString(groups.keys[order[rank]].text),
                                      seriesColors()[color], bytes[order[rank]], order[rank]});
    }
    result.unlisted = order.size() - result.entries.size();
    result.colors.of.reserve(groups.of.size());
    for (const std::uint32_t group : groups.of)
        result.colors.of.push_back(colorOf[group]);
    result.groups = std::move(groups);
    return result;
}

BandColors segmentColors(const SegmentLives &segments)
{
    enum : std::uint8_t { Large, Small, Private };
    BandColors result;
    result.colors = {seriesColors()[0], seriesColors()[2], seriesColors()[7]};
    for (const SegmentLife &life : segments.all())
        result.of.push_back(life.pool != PoolId::Default ? Private : life.large ? Large : Small);
    return result;
}

} // namespace vramscope
