// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/rank_profiles.h"

#include "core/base/bytes.h"
#include "core/base/format.h"
#include "core/base/median.h"
#include "core/base/sentence.h"
#include "core/profile/profile_findings.h"
#include "core/profile/profile_times.h"
#include "core/profile/rank_matching.h"

#include <algorithm>
#include <array>
#include <cstdlib>

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

/// The difference of the ends of each collective that this rank shares with the first one. Only
/// what all wait for ends at once.
RankClock clockOf(const std::vector<MatchedCollective> &collectives, std::size_t rank)
{
    std::vector<std::int64_t> differences;
    for (const MatchedCollective &each : collectives) {
        if (!each.allWait)
            continue;
        const auto first = std::ranges::find(each.calls, std::size_t(0), &MatchedCall::rank);
        const auto other = std::ranges::find(each.calls, rank, &MatchedCall::rank);
        if (first != each.calls.end() && other != each.calls.end())
            differences.push_back(wrappingDifference(wrappingSum(other->start, other->duration),
                                                     wrappingSum(first->start, first->duration)));
    }
    RankClock clock;
    clock.calls = static_cast<std::int64_t>(differences.size());
    if (differences.empty())
        return clock;
    clock.offset = lowerMedian(differences);
    for (std::int64_t &each : differences)
        each = std::abs(wrappingDifference(each, clock.offset));
    clock.spread = lowerMedian(differences);
    return clock;
}

/// Ends of sends and receives are at once where they differ by a tenth of the longest durations.
/// That takes clocks that agree; where they do not, these calls settle nothing.
void findAllWait(RankProfiles &all)
{
    std::int64_t spreads = 0;
    std::int64_t durations = 0;
    for (const MatchedCollective &each : all.collectives) {
        if (each.kind != CollectiveKind::SendReceive)
            continue;
        spreads = wrappingSum(spreads, each.endSpread);
        const auto longest = std::ranges::max_element(each.calls, {}, &MatchedCall::duration);
        durations = wrappingSum(durations, longest->duration);
    }
    const bool endAtOnce = spreads <= durations / 10;
    for (MatchedCollective &each : all.collectives)
        each.allWait =
            each.calls.size() == all.ranks.size() &&
            (waitsForAll(each.kind) || (each.kind == CollectiveKind::SendReceive && endAtOnce));
}

void addWaits(RankProfiles &all)
{
    all.waits.assign(all.ranks.size(), 0);
    all.lastCalls.assign(all.ranks.size(), 0);
    for (const MatchedCollective &each : all.collectives) {
        if (!each.allWait)
            continue;
        ++all.waitedCalls;
        if (each.hasLast())
            ++all.lastCalls[each.last];
        for (const MatchedCall &call : each.calls)
            all.waits[call.rank] = wrappingSum(all.waits[call.rank], call.wait);
    }
}

/// What the ranks in the middle take, of their first device.
std::int64_t usualSpan(const RankProfiles &all)
{
    std::vector<std::int64_t> spans{0};
    for (const RankProfile &each : all.ranks) {
        if (!each.study->devices().empty())
            spans.push_back(each.study->devices().front().times.span);
    }
    return lowerMedian(std::move(spans));
}

/// The rank that waited least, where it was last more often than any other, and its lead is more
/// than a twentieth of what the others wait and worth half a per cent of the time: else none is
/// late.
void findStraggler(RankProfiles &all)
{
    if (all.ranks.size() < 2 || all.waitedCalls == 0)
        return;
    std::vector<std::size_t> order(all.ranks.size());
    for (std::size_t at = 0; at < order.size(); ++at)
        order[at] = at;
    std::ranges::stable_sort(order, {}, [&](std::size_t at) { return all.waits[at]; });
    const std::size_t least = order[0];
    all.lead = wrappingDifference(all.waits[order[1]], all.waits[least]);
    for (const std::size_t other : order) {
        if (other != least && all.lastCalls[other] >= all.lastCalls[least])
            return;
    }
    if (all.lead > std::max(lowerMedian(all.waits) / 20, usualSpan(all) / 200))
        all.straggler = least;
}

void addProblems(RankProfiles &all)
{
    for (std::size_t at = 0; at + 1 < all.ranks.size(); ++at) {
        if (all.ranks[at].rank == all.ranks[at + 1].rank)
            all.problems.push_back(printable(all.ranks[at].file) + " and " +
                                   printable(all.ranks[at + 1].file) + " are both of rank " +
                                   std::to_string(all.ranks[at].rank) +
                                   ": they are two runs, not two ranks.");
    }
    for (const CollectiveMatch &match : all.matches) {
        if (match.by == CollectiveMatch::By::Order)
            continue;
        std::string text = "Ranks recorded " + formatCount(match.fewest) + " to " +
                           formatCount(match.most) + " calls of " +
                           std::string(textOf(match.kind)) + " in group " + printable(match.group);
        switch (match.by) {
        case CollectiveMatch::By::Number:
            text += "; they were matched by their sequence numbers.";
            break;
        case CollectiveMatch::By::FromEnd:
            text += "; they were matched from the last one back, where their sizes agree.";
            break;
        case CollectiveMatch::By::FromStart:
            text += "; they were matched from the first one on, where their sizes agree.";
            break;
        default:
            text += ", and neither numbers nor sizes tell which belong together: they are left "
                    "out.";
        }
        all.problems.push_back(std::move(text));
    }
}

constexpr std::array<std::int64_t TimeBreakdown::*, 4> kBarParts{
    &TimeBreakdown::compute, &TimeBreakdown::exposedCommunication, &TimeBreakdown::exposedCopy,
    &TimeBreakdown::idle};

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
    RankMatching matching = matchRanks(all.ranks);
    all.collectives = std::move(matching.collectives);
    all.matches = std::move(matching.matches);
    findAllWait(all);
    for (std::size_t rank = 0; rank < all.ranks.size(); ++rank)
        all.clocks.push_back(clockOf(all.collectives, rank));
    addWaits(all);
    findStraggler(all);
    addProblems(all);
    return all;
}

std::vector<RankOutlier> rankOutliers(const RankProfiles &ranks)
{
    std::vector<std::size_t> with;
    for (std::size_t at = 0; at < ranks.ranks.size(); ++at) {
        if (!ranks.ranks[at].study->devices().empty())
            with.push_back(at);
    }
    std::vector<RankOutlier> outliers;
    if (with.size() < 3)
        return outliers;
    const auto times = [&](std::size_t at) -> const TimeBreakdown & {
        return ranks.ranks[at].study->devices().front().times;
    };
    const auto medianOf = [&](const auto &figure) {
        std::vector<std::int64_t> figures;
        figures.reserve(with.size());
        for (const std::size_t at : with)
            figures.push_back(figure(times(at)));
        return lowerMedian(std::move(figures));
    };
    const std::int64_t least = medianOf([](const TimeBreakdown &of) { return of.span; }) / 20;
    std::vector<RankOutlier> largest(ranks.ranks.size());
    for (std::size_t part = 0; part < kBarParts.size(); ++part) {
        const auto value = [&](const TimeBreakdown &of) { return of.*kBarParts[part]; };
        const std::int64_t median = medianOf(value);
        const auto difference = [&](const TimeBreakdown &of) {
            return wrappingDifference(value(of), median);
        };
        const std::int64_t usual =
            medianOf([&](const TimeBreakdown &of) { return std::abs(difference(of)); });
        for (const std::size_t at : with) {
            const std::int64_t off = difference(times(at));
            if (std::abs(off) > least && std::abs(off) / 3 > usual &&
                std::abs(off) > std::abs(largest[at].difference))
                largest[at] = {at, static_cast<RankOutlier::BarPart>(part), off};
        }
    }
    for (const RankOutlier &each : largest) {
        if (each.difference != 0)
            outliers.push_back(each);
    }
    return outliers;
}

std::string outlierText(const RankProfiles &ranks, const RankOutlier &outlier)
{
    constexpr std::array<const char *, kBarParts.size()> kParts{"compute", "exposed communication",
                                                                "exposed copies", "idle time"};
    return capitalized(ranks.ranks[outlier.rank].title()) + " has " +
           formatNanoseconds(std::abs(outlier.difference)) +
           (outlier.difference > 0 ? " more " : " less ") +
           kParts[static_cast<std::size_t>(outlier.part)] + " than the rank in the middle.";
}

std::vector<ProfileFinding> rankFindings(const RankProfiles &ranks)
{
    if (!ranks.straggler)
        return {};
    const std::size_t late = *ranks.straggler;
    std::vector<std::int64_t> others;
    for (std::size_t at = 0; at < ranks.waits.size(); ++at) {
        if (at != late)
            others.push_back(ranks.waits[at]);
    }
    const std::int64_t gain = lowerMedian(others);
    ProfileFinding finding{ProfileFinding::Kind::LateRank, gain, {}};
    finding.text = capitalized(ranks.ranks[late].title()) + " came last in " +
                   formatCount(ranks.lastCalls[late]) + " of " + formatCount(ranks.waitedCalls) +
                   " collectives that all ranks wait for; half of the others waited " +
                   formatNanoseconds(gain) + " or more for it and for each other, " +
                   ranks.ranks[late].title() + " itself " + formatNanoseconds(ranks.waits[late]) +
                   ".";
    return {finding};
}

} // namespace vramscope
