// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/rank_comparison.h"

#include "core/base/bytes.h"
#include "core/base/format.h"
#include "core/base/median.h"
#include "core/base/sentence.h"
#include "core/profile/profile_times.h"
#include "core/profile/rank_matching.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>

namespace vramscope {

namespace {

/// By rank, the difference of the ends of each collective that it shares with the first one. Only
/// what all wait for ends at once.
std::vector<std::vector<std::int64_t>> endDifferences(const RankComparison &all, std::size_t ranks)
{
    std::vector<std::vector<std::int64_t>> differences(ranks);
    for (const MatchedCollective &each : all.collectives) {
        const auto first = std::ranges::find(each.calls, std::size_t(0), &MatchedCall::rank);
        if (!each.allWait || first == each.calls.end())
            continue;
        for (const MatchedCall &other : each.calls)
            differences[other.rank].push_back(
                wrappingDifference(wrappingSum(other.start, other.duration),
                                   wrappingSum(first->start, first->duration)));
    }
    return differences;
}

RankClock clockOf(std::vector<std::int64_t> differences)
{
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
void findAllWait(RankComparison &all, std::size_t ranks)
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
            each.calls.size() == ranks &&
            (waitsForAll(each.kind) || (each.kind == CollectiveKind::SendReceive && endAtOnce));
}

void addWaits(RankComparison &all, std::size_t ranks)
{
    all.waits.assign(ranks, 0);
    all.lastCalls.assign(ranks, 0);
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
std::int64_t usualSpan(std::span<const ComparedRank> ranks)
{
    std::vector<std::int64_t> spans{0};
    for (const ComparedRank &each : ranks) {
        if (each.times)
            spans.push_back(each.times->span);
    }
    return lowerMedian(std::move(spans));
}

/// The rank that waited least, where it was last more often than any other, and its lead is more
/// than a twentieth of what the others wait and worth half a per cent of the time: else none is
/// late.
void findStraggler(RankComparison &all, std::span<const ComparedRank> ranks)
{
    if (ranks.size() < 2 || all.waitedCalls == 0)
        return;
    std::vector<std::size_t> order(ranks.size());
    for (std::size_t at = 0; at < order.size(); ++at)
        order[at] = at;
    std::ranges::stable_sort(order, {}, [&](std::size_t at) { return all.waits[at]; });
    const std::size_t least = order[0];
    all.lead = wrappingDifference(all.waits[order[1]], all.waits[least]);
    for (const std::size_t other : order) {
        if (other != least && all.lastCalls[other] >= all.lastCalls[least])
            return;
    }
    if (all.lead > std::max(lowerMedian(all.waits) / 20, usualSpan(ranks) / 200))
        all.straggler = least;
}

constexpr std::array<std::int64_t TimeBreakdown::*, 4> kBarParts{
    &TimeBreakdown::compute, &TimeBreakdown::exposedCommunication, &TimeBreakdown::exposedCopy,
    &TimeBreakdown::idle};

} // namespace

std::string matchText(const CollectiveMatch &match)
{
    if (match.by == CollectiveMatch::By::Order)
        return {};
    std::string text = "Ranks recorded " + formatCount(match.fewest) + " to " +
                       formatCount(match.most) + " calls of " + std::string(textOf(match.kind)) +
                       " in group " + printable(match.group);
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
    return text;
}

RankComparison comparison(std::span<const ComparedRank> ranks)
{
    RankComparison all;
    RankMatching matching = matchRanks(ranks);
    all.collectives = std::move(matching.collectives);
    all.matches = std::move(matching.matches);
    findAllWait(all, ranks.size());
    for (std::vector<std::int64_t> &each : endDifferences(all, ranks.size()))
        all.clocks.push_back(clockOf(std::move(each)));
    addWaits(all, ranks.size());
    findStraggler(all, ranks);
    return all;
}

std::vector<RankOutlier> rankOutliers(std::span<const std::optional<TimeBreakdown>> ranks)
{
    std::vector<std::size_t> with;
    for (std::size_t at = 0; at < ranks.size(); ++at) {
        if (ranks[at])
            with.push_back(at);
    }
    std::vector<RankOutlier> outliers;
    if (with.size() < 3)
        return outliers;
    const auto times = [&](std::size_t at) -> const TimeBreakdown & { return *ranks[at]; };
    const auto medianOf = [&](const auto &figure) {
        std::vector<std::int64_t> figures;
        figures.reserve(with.size());
        for (const std::size_t at : with)
            figures.push_back(figure(times(at)));
        return lowerMedian(std::move(figures));
    };
    const std::int64_t least = medianOf([](const TimeBreakdown &of) { return of.span; }) / 20;
    std::vector<RankOutlier> largest(ranks.size());
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

std::string outlierText(const RankOutlier &outlier, const std::string &title)
{
    constexpr std::array<const char *, kBarParts.size()> kParts{"compute", "exposed communication",
                                                                "exposed copies", "idle time"};
    return capitalized(title) + " has " + formatNanoseconds(std::abs(outlier.difference)) +
           (outlier.difference > 0 ? " more " : " less ") +
           kParts[static_cast<std::size_t>(outlier.part)] + " than the rank in the middle.";
}

std::int64_t lateGain(const RankComparison &ranks)
{
    std::vector<std::int64_t> others;
    for (std::size_t at = 0; at < ranks.waits.size(); ++at) {
        if (at != *ranks.straggler)
            others.push_back(ranks.waits[at]);
    }
    return lowerMedian(std::move(others));
}

std::string lateText(const RankComparison &ranks, const std::string &title)
{
    const std::size_t late = *ranks.straggler;
    return capitalized(title) + " came last in " + formatCount(ranks.lastCalls[late]) + " of " +
           formatCount(ranks.waitedCalls) +
           " collectives that all ranks wait for; half of the others waited " +
           formatNanoseconds(lateGain(ranks)) + " or more for it and for each other, " + title +
           " itself " + formatNanoseconds(ranks.waits[late]) + ".";
}

} // namespace vramscope
