// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ranks/rank_order.h"

#include "core/base/folder.h"

#include <algorithm>
#include <numeric>

namespace vramscope {

std::string_view rankOrderText(RankOrder order)
{
    static constexpr std::array<std::string_view, kRankOrderCount> kTexts{
        "by rank", "by node", "by group", "by peak", "by distance"};
    return kTexts[static_cast<std::size_t>(order)];
}

std::vector<std::size_t> ranksInOrder(const RunStudy &study, RankOrder order)
{
    std::vector<std::size_t> ranks(study.count());
    std::iota(ranks.begin(), ranks.end(), std::size_t(0));
    const auto distance = [&study](std::size_t rank) {
        const Bytes apart = study.deviation(rank);
        return apart < 0 ? wrappingDifference(0, apart) : apart;
    };
    switch (order) {
    case RankOrder::Number:
        break;
    case RankOrder::Node:
        std::ranges::stable_sort(ranks, [&study](std::size_t a, std::size_t b) {
            return naturallyBefore(study.rank(a).source.node, study.rank(b).source.node);
        });
        break;
    case RankOrder::Group:
        std::ranges::stable_sort(
            ranks, {}, [&study](std::size_t rank) { return study.findings.groupOf[rank]; });
        break;
    case RankOrder::Peak:
        std::ranges::stable_sort(ranks, std::ranges::greater(), [&study](std::size_t rank) {
            return study.rank(rank).figures.peakActive;
        });
        break;
    case RankOrder::Distance:
        std::ranges::stable_sort(ranks, std::ranges::greater(), distance);
        break;
    }
    return ranks;
}

} // namespace vramscope
