// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ranks/rank_profiles.h"

#include "core/base/format.h"
#include "core/ranks/rank_comparison.h"

#include <algorithm>
#include <utility>

namespace vramscope {

namespace {

std::vector<RankProfile> numberedProfiles(std::vector<RankProfileFile> files)
{
    std::vector<RankProfile> ranks;
    for (RankProfileFile &file : files) {
        RankProfile rank{std::move(file.file),
                         static_cast<std::int64_t>(ranks.size()),
                         false,
                         std::move(file.study),
                         std::move(file.source),
                         std::move(file.part)};
        const std::int64_t stated = rank.study->profile().rank();
        const bool isPart = !rank.part.empty(); // of a recording, whose rank is not its own
        if (!isPart && (stated != kNotStated || file.named)) {
            rank.rank = stated != kNotStated ? stated : *file.named;
            rank.isStated = true;
        }
        ranks.push_back(std::move(rank));
    }
    std::ranges::stable_sort(ranks, {}, &RankProfile::rank);
    return ranks;
}

std::optional<TimeBreakdown> timesOf(const RankProfile &rank)
{
    const std::vector<DeviceBreakdown> &devices = rank.study->devices();
    return devices.empty() ? std::nullopt : std::optional(devices.front().times);
}

std::vector<ComparedRank> comparedRanks(const std::vector<RankProfile> &ranks)
{
    std::vector<ComparedRank> compared;
    compared.reserve(ranks.size());
    for (const RankProfile &each : ranks)
        compared.push_back({each.rank, timesOf(each), rankCalls(*each.study, each.study->steps()),
                            numberedSteps(*each.study), each.study->profile().isCut()});
    return compared;
}

void addProblems(RankProfiles &all)
{
    std::vector<RankRecording> recordings;
    for (const RankProfile &each : all.ranks)
        recordings.push_back({each.title(), printable(each.file), each.study->problems(),
                              each.study->profile().isCut()});
    all.problems = recordingProblems(recordings);
    if (std::string text = stepsProblem(all); !text.empty())
        all.problems.push_back(std::move(text));
    for (std::size_t at = 0; at + 1 < all.ranks.size(); ++at) {
        if (all.ranks[at].rank == all.ranks[at + 1].rank)
            all.problems.push_back(printable(all.ranks[at].file) + " and " +
                                   printable(all.ranks[at + 1].file) + " are both of rank " +
                                   std::to_string(all.ranks[at].rank) +
                                   ": they are two runs, not two ranks.");
    }
    for (const CollectiveMatch &match : all.matches) {
        if (std::string text = matchText(match); !text.empty())
            all.problems.push_back(std::move(text));
    }
}

} // namespace

std::string RankProfile::title() const
{
    if (!isStated && !part.empty())
        return part;
    return "rank " + std::to_string(rank) + (isStated ? "" : "?");
}

bool RankProfiles::isOneRecording() const
{
    return ranks.size() > 1 && !ranks.front().source.empty() &&
           std::ranges::all_of(
               ranks, [&](const RankProfile &each) { return each.source == ranks.front().source; });
}

RankProfiles compareRanks(std::vector<RankProfileFile> files)
{
    RankProfiles all;
    all.ranks = numberedProfiles(std::move(files));
    static_cast<RankComparison &>(all) = comparison(comparedRanks(all.ranks));
    addProblems(all);
    return all;
}

std::vector<MatchedCollective> matchedInOrder(const std::vector<RankProfile> &ranks)
{
    return matchedInOrder(comparedRanks(ranks));
}

std::vector<RankOutlier> rankOutliers(const RankProfiles &ranks)
{
    return rankOutliers(ranks.times);
}

std::vector<ComparedDevice> comparedDevices(const RankProfiles &ranks)
{
    std::vector<ComparedDevice> all;
    for (std::size_t at = 0; at < ranks.ranks.size(); ++at) {
        if (!ranks.isCompared(at))
            continue;
        for (const DeviceBreakdown &device : ranks.ranks[at].study->devices()) {
            if (ranks.commonSteps == 0)
                all.push_back({at, device.device, device.times});
            else if (ranks.times[at])
                all.push_back({at, device.device, *ranks.times[at]});
        }
    }
    return all;
}

} // namespace vramscope
