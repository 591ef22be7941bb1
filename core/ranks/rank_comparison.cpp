// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ranks/rank_comparison.h"

#include "core/base/bytes.h"
#include "core/base/counted.h"
#include "core/base/durations.h"
#include "core/base/format.h"
#include "core/base/median.h"
#include "core/base/sentence.h"
#include "core/profile/profile_study.h"

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

/// The numbers of the steps that every rank recorded, each once; empty where a rank has none or
/// counts one twice.
std::vector<std::int64_t> commonSteps(std::span<const ComparedRank> ranks)
{
    std::optional<std::vector<std::int64_t>> common;
    for (const ComparedRank &rank : ranks) {
        if (rank.isCut)
            continue;
        std::vector<std::int64_t> numbers;
        for (const RankStep &step : rank.steps)
            numbers.push_back(step.number);
        std::ranges::sort(numbers);
        if (std::ranges::adjacent_find(numbers) != numbers.end())
            return {};
        if (common)
            std::erase_if(*common, [&](std::int64_t number) {
                return !std::ranges::binary_search(numbers, number);
            });
        else
            common = std::move(numbers);
    }
    return common.value_or(std::vector<std::int64_t>());
}

/// The sum over some steps; none where nothing ran in them.
std::optional<TimeBreakdown> sumOf(const std::vector<RankStep> &steps,
                                   const std::vector<std::int64_t> &numbers)
{
    constexpr std::array kSummed{&TimeBreakdown::span,
                                 &TimeBreakdown::compute,
                                 &TimeBreakdown::communication,
                                 &TimeBreakdown::memory,
                                 &TimeBreakdown::busy,
                                 &TimeBreakdown::idle,
                                 &TimeBreakdown::exposedCopy,
                                 &TimeBreakdown::overlappedCommunication,
                                 &TimeBreakdown::exposedCommunication};
    std::optional<TimeBreakdown> sum;
    for (const RankStep &step : steps) {
        if (step.times.span == 0 || !std::ranges::binary_search(numbers, step.number))
            continue;
        if (!sum)
            sum.emplace().start = step.times.start;
        for (const auto member : kSummed)
            (*sum).*member = wrappingSum((*sum).*member, step.times.*member);
        for (std::size_t at = 0; at < sum->counts.size(); ++at)
            sum->counts[at] += step.times.counts[at];
    }
    return sum;
}

void addTimes(RankComparison &all, std::span<const ComparedRank> ranks)
{
    const std::vector<std::int64_t> common = commonSteps(ranks);
    all.commonSteps = static_cast<std::int64_t>(common.size());
    for (const ComparedRank &rank : ranks) {
        const bool isWhole = common.empty();
        all.ranksWithSteps += !rank.isCut && !rank.steps.empty() ? 1 : 0;
        all.isCut.push_back(rank.isCut);
        all.times.push_back(rank.isCut ? std::nullopt
                            : isWhole  ? rank.times
                                       : sumOf(rank.steps, common));
    }
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

/// What the ranks in the middle take.
std::int64_t usualSpan(const RankComparison &all)
{
    std::vector<std::int64_t> spans{0};
    for (const auto &times : all.times) {
        if (times)
            spans.push_back(times->span);
    }
    return lowerMedian(std::move(spans));
}

/// The rank that waited least, where it was last more often than any other, and its lead is more
/// than a twentieth of what the others wait and worth half a per cent of the time: else none is
/// late.
void findStraggler(RankComparison &all)
{
    std::vector<std::size_t> order;
    for (std::size_t at = 0; at < all.waits.size(); ++at) {
        if (all.isCompared(at))
            order.push_back(at);
    }
    if (order.size() < 2 || all.waitedCalls == 0)
        return;
    std::ranges::stable_sort(order, {}, [&](std::size_t at) { return all.waits[at]; });
    const std::size_t least = order[0];
    all.lead = wrappingDifference(all.waits[order[1]], all.waits[least]);
    std::vector<std::int64_t> waits;
    for (const std::size_t other : order) {
        waits.push_back(all.waits[other]);
        if (other != least && all.lastCalls[other] >= all.lastCalls[least])
            return;
    }
    if (all.lead > std::max(lowerMedian(std::move(waits)) / 20, usualSpan(all) / 200))
        all.straggler = least;
}

/// "rank 1 (rank1.json)", "rank 0 and rank 1", "rank 0, rank 1, rank 2 and 5 others", "all 8
/// ranks".
std::string titlesOf(std::span<const RankRecording> ranks, const std::vector<std::size_t> &places)
{
    constexpr std::size_t kMost = 3;
    const auto count = std::ssize(places);
    if (count == 1)
        return ranks[places.front()].title + " (" + ranks[places.front()].file + ")";
    if (places.size() == ranks.size())
        return "all " + counted(count, "rank");
    const std::size_t named = places.size() <= kMost + 1 ? places.size() - 1 : kMost;
    std::string text;
    for (std::size_t at = 0; at < named; ++at)
        text += (at == 0 ? "" : ", ") + ranks[places[at]].title;
    const auto others = count - static_cast<std::ptrdiff_t>(named);
    return text + " and " + (others == 1 ? ranks[places.back()].title : counted(others, "other"));
}

constexpr std::array<std::pair<RankFigure, std::int64_t TimeBreakdown::*>, 4> kBarParts{
    {{RankFigure::Compute, &TimeBreakdown::compute},
     {RankFigure::ExposedCommunication, &TimeBreakdown::exposedCommunication},
     {RankFigure::ExposedCopy, &TimeBreakdown::exposedCopy},
     {RankFigure::Idle, &TimeBreakdown::idle}}};

} // namespace

std::vector<RankStep> numberedSteps(const ProfileStudy &study)
{
    std::vector<RankStep> steps;
    if (study.devices().size() > 1)
        return steps;
    for (const ProfileStep &step : study.steps().steps) {
        const auto number = numberOfStep(study.profile().text(step.name));
        if (!number)
            return {};
        steps.push_back({*number, step.device.value_or(TimeBreakdown())});
    }
    return steps;
}

std::string matchText(const CollectiveMatch &match)
{
    if (match.by == CollectiveMatch::By::Order)
        return {};
    std::string text = "Ranks recorded " + formatCount(match.fewest) + " to " +
                       counted(match.most, "call") + " of " + std::string(textOf(match.kind)) +
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
    addTimes(all, ranks);
    RankMatching matching = matchRanks(ranks);
    all.collectives = std::move(matching.collectives);
    all.matches = std::move(matching.matches);
    findAllWait(all, static_cast<std::size_t>(std::ranges::count(all.isCut, false)));
    for (std::vector<std::int64_t> &each : endDifferences(all, ranks.size()))
        all.clocks.push_back(clockOf(std::move(each)));
    addWaits(all, ranks.size());
    findStraggler(all);
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
    for (const auto &[figure, part] : kBarParts) {
        const auto value = [member = part](const TimeBreakdown &of) { return of.*member; };
        const std::int64_t median = medianOf(value);
        const auto difference = [&](const TimeBreakdown &of) {
            return wrappingDifference(value(of), median);
        };
        const std::int64_t usual =
            medianOf([&](const TimeBreakdown &of) { return std::abs(difference(of)); });
        for (const std::size_t at : with) {
            const std::int64_t off = difference(times(at));
            if (std::abs(off) > least && std::abs(off) / 3 > usual &&
                std::abs(off) > std::abs(largest[at].difference()))
                largest[at] = {at, figure, value(times(at)), median};
        }
    }
    for (const RankOutlier &each : largest) {
        if (each.difference() != 0)
            outliers.push_back(each);
    }
    return outliers;
}

std::vector<std::string> recordingProblems(std::span<const RankRecording> ranks)
{
    struct Kind
    {
        std::string_view text;
        std::vector<std::size_t> places{};
    };
    std::vector<Kind> kinds;
    std::vector<std::size_t> cut;
    for (const bool isOfCut : {true, false}) {
        for (std::size_t at = 0; at < ranks.size(); ++at) {
            if (ranks[at].isCut != isOfCut)
                continue;
            if (isOfCut)
                cut.push_back(at);
            for (const Problem &each : ranks[at].problems) {
                auto known = std::ranges::find(kinds, std::string_view(each.kind), &Kind::text);
                if (known == kinds.end())
                    known = kinds.insert(known, {each.kind});
                if (known->places.empty() || known->places.back() != at)
                    known->places.push_back(at);
            }
        }
    }
    std::vector<std::string> sentences;
    if (!cut.empty()) {
        const bool isOne = cut.size() == 1;
        sentences.push_back(capitalized(titlesOf(ranks, cut)) + (isOne ? " does" : " do") +
                            " not count in waits or comparisons of times: the end of " +
                            (isOne ? "its recording is" : "their recordings is") + " missing.");
    }
    for (const Kind &kind : kinds)
        sentences.push_back(capitalized(titlesOf(ranks, kind.places)) + ": " +
                            printable(kind.text));
    return sentences;
}

std::string stepsProblem(const RankComparison &ranks)
{
    if (ranks.commonSteps > 0 || ranks.ranksWithSteps < 2)
        return {};
    return "No step was recorded by all ranks: their whole recordings are compared, which may hold "
           "different amounts of work.";
}

std::string comparedText(const RankComparison &ranks)
{
    const bool areAll = std::ranges::count(ranks.isCut, true) == 0;
    const std::string who = areAll ? "all ranks" : "all ranks that count";
    return ranks.commonSteps == 0 ? "in the whole recording of each rank"
           : ranks.commonSteps == 1
               ? "in the step that " + who + " recorded"
               : "in the " + counted(ranks.commonSteps, "step") + " that " + who + " recorded";
}

std::string outlierText(const RankOutlier &outlier, const std::string &title)
{
    return capitalized(title) + " has " + formatNanoseconds(std::abs(outlier.difference())) +
           (outlier.difference() > 0 ? " more " : " less ") + nameOf(outlier.figure).title +
           " than the rank in the middle.";
}

std::int64_t lateGain(const RankComparison &ranks)
{
    std::vector<std::int64_t> others;
    for (std::size_t at = 0; at < ranks.waits.size(); ++at) {
        if (at != *ranks.straggler && ranks.isCompared(at))
            others.push_back(ranks.waits[at]);
    }
    return lowerMedian(std::move(others));
}

std::string lateText(const RankComparison &ranks, const std::string &title)
{
    const std::size_t late = *ranks.straggler;
    return capitalized(title) + " came last in " + formatCount(ranks.lastCalls[late]) + " of " +
           counted(ranks.waitedCalls, "collective") +
           " that all ranks wait for; half of the others waited " +
           formatNanoseconds(lateGain(ranks)) + " or more for it and for each other, " + title +
           " itself " + formatNanoseconds(ranks.waits[late]) + ".";
}

} // namespace vramscope
