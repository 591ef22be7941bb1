// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/rank_matching.h"

#include "core/base/bytes.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace vramscope {

namespace {

/// Of one rank: its calls of one group and kind, in order.
using CallRun = std::vector<CollectiveCall>;

/// All calls of one group and kind, by rank; empty runs for those without.
using RankRuns = std::vector<CallRun>;

std::map<std::pair<std::string, std::string_view>, RankRuns>
runsOf(const std::vector<RankProfile> &ranks)
{
    std::map<std::pair<std::string, std::string_view>, RankRuns> all;
    for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
        const Collectives &collectives = ranks[rank].study->collectives();
        for (const CollectiveCall &call : collectives.calls) {
            RankRuns &runs = all[{collectives.groups[call.group], textOf(call.kind)}];
            runs.resize(ranks.size());
            runs[rank].push_back(call);
        }
    }
    return all;
}

/// Puts one collective together; the rank is the place in `ranks`.
MatchedCollective matchedOf(const std::vector<RankProfile> &ranks, const std::string &group,
                            const std::vector<std::pair<std::size_t, CollectiveCall>> &calls)
{
    MatchedCollective result;
    result.group = group;
    result.kind = calls.front().second.kind;
    result.bytes = calls.front().second.bytes;
    std::int64_t firstEnd = 0;
    std::int64_t lastEnd = 0;
    for (const auto &[rank, call] : calls) {
        const WorkColumns &work = ranks[rank].study->profile().work();
        const std::int64_t end = work.end[call.work];
        firstEnd = result.calls.empty() ? end : std::min(firstEnd, end);
        lastEnd = result.calls.empty() ? end : std::max(lastEnd, end);
        result.calls.push_back({rank, work.start[call.work], work.duration(call.work)});
    }
    std::ranges::sort(result.calls, {},
                      [&](const MatchedCall &call) { return ranks[call.rank].rank; });
    const auto last = std::ranges::min_element(result.calls, {}, &MatchedCall::duration);
    result.last = last->rank;
    result.transfer = last->duration;
    for (MatchedCall &call : result.calls)
        call.wait = wrappingDifference(call.duration, result.transfer);
    result.endSpread = wrappingDifference(lastEnd, firstEnd);
    const auto stated = calls.front().second.groupSize;
    const std::int64_t size =
        stated && *stated != 0 ? *stated : static_cast<std::int64_t>(calls.size());
    result.bandwidth = bandwidth(result.kind, result.bytes, size, result.transfer);
    return result;
}

/// The k-th calls, counted from `skipped` calls into each run.
std::vector<MatchedCollective> inOrder(const std::vector<RankProfile> &ranks,
                                       const std::string &group, const RankRuns &runs,
                                       std::size_t count, const std::vector<std::size_t> &skipped)
{
    std::vector<MatchedCollective> result;
    for (std::size_t index = 0; index < count; ++index) {
        std::vector<std::pair<std::size_t, CollectiveCall>> calls;
        for (std::size_t rank = 0; rank < runs.size(); ++rank) {
            const std::size_t at = index + (skipped.empty() ? 0 : skipped[rank]);
            if (at >= runs[rank].size())
                continue;
            // Two files of one rank: the later one stands for it.
            const auto same = std::ranges::find_if(calls, [&](const auto &each) {
                return ranks[each.first].rank == ranks[rank].rank;
            });
            if (same == calls.end())
                calls.emplace_back(rank, runs[rank][at]);
            else
                *same = {rank, runs[rank][at]};
        }
        if (calls.size() < 2)
            continue;
        result.push_back(matchedOf(ranks, group, calls));
        result.back().index = static_cast<std::int64_t>(index);
    }
    return result;
}

std::vector<MatchedCollective> byNumber(const std::vector<RankProfile> &ranks,
                                        const std::string &group, const RankRuns &runs)
{
    std::map<std::int64_t, std::vector<std::pair<std::size_t, CollectiveCall>>> numbered;
    for (std::size_t rank = 0; rank < runs.size(); ++rank) {
        std::set<std::int64_t> met;
        for (const CollectiveCall &call : runs[rank]) {
            if (call.number == kNotStated || !met.insert(call.number).second)
                return {}; // not stated, or not a number of its own
            numbered[call.number].emplace_back(rank, call);
        }
    }
    std::vector<MatchedCollective> result;
    for (const auto &[number, calls] : numbered) {
        if (calls.size() < 2)
            continue;
        result.push_back(matchedOf(ranks, group, calls));
        result.back().index = static_cast<std::int64_t>(result.size()) - 1;
    }
    return result;
}

/// Whether all ranks state the same sizes where they are aligned so. Sizes that are not stated
/// settle nothing.
bool sizesAgree(const RankRuns &runs, std::size_t count, const std::vector<std::size_t> &skipped)
{
    for (std::size_t index = 0; index < count; ++index) {
        std::optional<std::int64_t> bytes;
        for (std::size_t rank = 0; rank < runs.size(); ++rank) {
            if (runs[rank].empty())
                continue;
            const std::optional<std::int64_t> one = runs[rank][index + skipped[rank]].bytes;
            if (!one || (bytes && *bytes != *one))
                return false;
            bytes = one;
        }
    }
    return count > 0;
}

std::vector<MatchedCollective> aligned(const std::vector<RankProfile> &ranks,
                                       const std::string &group, const RankRuns &runs,
                                       CollectiveMatch &match)
{
    const auto count = static_cast<std::size_t>(match.fewest);
    std::vector<MatchedCollective> result = byNumber(ranks, group, runs);
    if (!result.empty()) {
        match.by = CollectiveMatch::By::Number;
        return result;
    }
    std::vector<std::size_t> fromEnd;
    for (const CallRun &run : runs)
        fromEnd.push_back(run.empty() ? 0 : run.size() - count);
    const std::vector<std::size_t> fromStart(runs.size(), 0);
    const bool endAgrees = sizesAgree(runs, count, fromEnd);
    match.by = endAgrees                            ? CollectiveMatch::By::FromEnd
               : sizesAgree(runs, count, fromStart) ? CollectiveMatch::By::FromStart
                                                    : CollectiveMatch::By::Not;
    if (match.by == CollectiveMatch::By::Not)
        return {};
    return inOrder(ranks, group, runs, count, endAgrees ? fromEnd : fromStart);
}

} // namespace

std::vector<MatchedCollective> matchedInOrder(const std::vector<RankProfile> &ranks)
{
    std::vector<MatchedCollective> all;
    for (const auto &[key, runs] : runsOf(ranks)) {
        std::size_t most = 0;
        for (const CallRun &run : runs)
            most = std::max(most, run.size());
        for (MatchedCollective &each : inOrder(ranks, key.first, runs, most, {}))
            all.push_back(std::move(each));
    }
    return all;
}

RankMatching matchRanks(const std::vector<RankProfile> &ranks)
{
    RankMatching all;
    for (const auto &[key, runs] : runsOf(ranks)) {
        CollectiveMatch match;
        match.group = key.first;
        std::size_t with = 0;
        for (const CallRun &run : runs) {
            if (run.empty())
                continue;
            const auto count = static_cast<std::int64_t>(run.size());
            match.kind = run.front().kind;
            match.fewest = with == 0 ? count : std::min(match.fewest, count);
            match.most = std::max(match.most, count);
            ++with;
        }
        if (with < 2)
            continue;
        const bool isEqual = match.fewest == match.most;
        std::vector<MatchedCollective> found =
            isEqual ? inOrder(ranks, key.first, runs, static_cast<std::size_t>(match.most), {})
                    : aligned(ranks, key.first, runs, match);
        for (MatchedCollective &each : found)
            all.collectives.push_back(std::move(each));
        all.matches.push_back(match);
    }
    return all;
}

} // namespace vramscope
