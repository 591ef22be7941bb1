// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/ranks/rank_bars.h"

#include "core/describe/ranks_story.h"
#include "ui/support/text.h"

#include <algorithm>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

/// At most `most` ranks, by number: the late one, outliers, then the first.
std::vector<std::size_t> chosenRanks(const RunFindings &findings, std::size_t most)
{
    std::vector<std::size_t> ranks = findings.activity.ranks;
    if (ranks.size() <= most)
        return ranks;
    std::vector<std::size_t> first;
    if (const auto late = findings.activity.late())
        first.push_back(*late);
    for (const RankOutlier &outlier : findings.outliersByTime())
        first.push_back(outlier.rank);
    std::ranges::stable_sort(ranks, {}, [&first](std::size_t rank) {
        return std::ranges::find(first, rank) - first.begin();
    });
    ranks.resize(most);
    std::ranges::sort(ranks);
    return ranks;
}

} // namespace

std::vector<BarTimes> rankBars(const RunStudy &study, std::size_t most,
                               std::span<const std::uint8_t> kept)
{
    std::vector<std::size_t> ranks = chosenRanks(study.findings, most);
    std::erase_if(ranks, [&](std::size_t rank) { return !kept.empty() && kept[rank] == 0; });
    std::vector<BarTimes> bars;
    const auto title = [&](std::size_t rank) { return foreignText(rankTitle(study, rank)); };
    if (study.traces) {
        const std::vector<ComparedDevice> devices = comparedDevices(study.traces->ranks);
        for (const ComparedDevice &each : devices) {
            if (!std::ranges::binary_search(ranks, each.rank))
                continue;
            const bool areSeveral = study.trace(each.rank)->study->devices().size() > 1;
            bars.push_back(barTimes(areSeveral
                                        ? u"%1, GPU %2"_s.arg(title(each.rank)).arg(each.device)
                                        : title(each.rank),
                                    each.times));
        }
        return bars;
    }
    for (const std::size_t rank : ranks) {
        const RunActivity &activity = study.findings.activity;
        if (const auto &times = activity.comparison.times[*activity.placeOf(rank)])
            bars.push_back(barTimes(title(rank), *times));
    }
    return bars;
}

} // namespace vramscope
