// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ranks/rank_comparison.h"

#include "core/base/bytes.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>

namespace vramscope {

namespace {

/// All calls of one group and kind, by rank; null for those without.
using RankRuns = std::vector<const CallRun *>;

/// A call of a rank, which is its place.
using PlacedCall = std::pair<std::size_t, const RankCall *>;

std::map<std::pair<std::string_view, std::string_view>, RankRuns>
runsOf(std::span<const ComparedRank> ranks)
{
    std::map<std::pair<std::string_view, std::string_view>, RankRuns> all;
    for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
        if (ranks[rank].isCut)
            continue; // which of its calls are missing is not known
        for (const CallRun &run : ranks[rank].calls) {
            RankRuns &runs = all[{run.group, textOf(run.kind)}];
            runs.resize(ranks.size());
            runs[rank] = &run;
        }
    }
    return all;
}

const std::vector<RankCall> &callsOf(const CallRun *run)
{
    static const std::vector<RankCall> none;
    return run != nullptr ? run->calls : none;
}

/// Matches the calls of one group and kind.
class RunMatcher
{
public:
    RunMatcher(std::span<const ComparedRank> ranks, const RankRuns &runs)
        : m_ranks(ranks)
        , m_runs(runs)
        , m_first(**std::ranges::find_if(runs, [](const CallRun *run) { return run != nullptr; }))
    {
        std::set<std::int64_t> numbers;
        for (const ComparedRank &rank : ranks)
            m_hasTwins = !numbers.insert(rank.rank).second || m_hasTwins;
    }

    /// The k-th calls, counted from `skipped` calls into each run.
    [[nodiscard]] std::vector<MatchedCollective>
    inOrder(std::size_t count, const std::vector<std::size_t> &skipped) const
    {
        std::vector<MatchedCollective> result;
        for (std::size_t index = 0; index < count; ++index) {
            std::vector<PlacedCall> calls;
            for (std::size_t rank = 0; rank < m_runs.size(); ++rank) {
                const std::size_t at = index + (skipped.empty() ? 0 : skipped[rank]);
                if (at < callsOf(m_runs[rank]).size())
                    add(calls, {rank, &callsOf(m_runs[rank])[at]});
            }
            if (calls.size() < 2)
                continue;
            result.push_back(matchedOf(calls));
            result.back().index = static_cast<std::int64_t>(index);
        }
        return result;
    }

    [[nodiscard]] std::vector<MatchedCollective> byNumber() const
    {
        std::map<std::int64_t, std::vector<PlacedCall>> numbered;
        for (std::size_t rank = 0; rank < m_runs.size(); ++rank) {
            std::set<std::int64_t> met;
            for (const RankCall &call : callsOf(m_runs[rank])) {
                if (call.number == kNotStated || !met.insert(call.number).second)
                    return {}; // not stated, or not a number of its own
                numbered[call.number].emplace_back(rank, &call);
            }
        }
        std::vector<MatchedCollective> result;
        for (const auto &[number, calls] : numbered) {
            if (calls.size() < 2)
                continue;
            result.push_back(matchedOf(calls));
            result.back().index = static_cast<std::int64_t>(result.size()) - 1;
        }
        return result;
    }

    [[nodiscard]] std::vector<MatchedCollective> aligned(CollectiveMatch &match) const
    {
        std::vector<MatchedCollective> result = byNumber();
        if (!result.empty()) {
            match.by = CollectiveMatch::By::Number;
            return result;
        }
        match.by = CollectiveMatch::By::Not;
        const auto isWhole = [](const CallRun *run) {
            return run == nullptr || run->count == static_cast<std::int64_t>(run->calls.size());
        };
        if (!std::ranges::all_of(m_runs, isWhole))
            return {}; // where the runs end is not known
        const auto count = static_cast<std::size_t>(match.fewest);
        std::vector<std::size_t> fromEnd;
        for (const CallRun *run : m_runs)
            fromEnd.push_back(run == nullptr ? 0 : run->calls.size() - count);
        const std::vector<std::size_t> fromStart(m_runs.size(), 0);
        const bool endAgrees = sizesAgree(count, fromEnd);
        if (!endAgrees && !sizesAgree(count, fromStart))
            return {};
        match.by = endAgrees ? CollectiveMatch::By::FromEnd : CollectiveMatch::By::FromStart;
        return inOrder(count, endAgrees ? fromEnd : fromStart);
    }

private:
    /// Two files of one rank: the later one stands for it.
    void add(std::vector<PlacedCall> &calls, PlacedCall call) const
    {
        const auto same = m_hasTwins ? std::ranges::find_if(calls,
                                                            [&](const PlacedCall &each) {
                                                                return m_ranks[each.first].rank ==
                                                                       m_ranks[call.first].rank;
                                                            })
                                     : calls.end();
        if (same == calls.end())
            calls.push_back(call);
        else
            *same = call;
    }

    /// Puts one collective together; the rank is the place in `ranks`.
    [[nodiscard]] MatchedCollective matchedOf(const std::vector<PlacedCall> &calls) const
    {
        const auto stated = [](std::int64_t value) {
            return value == kNotStated ? std::nullopt : std::optional(value);
        };
        MatchedCollective result;
        result.group = m_first.group;
        result.kind = m_first.kind;
        result.bytes = stated(calls.front().second->bytes);
        std::int64_t firstEnd = 0;
        std::int64_t lastEnd = 0;
        result.calls.reserve(calls.size());
        for (const auto &[rank, call] : calls) {
            const std::int64_t end = wrappingSum(call->start, call->duration);
            firstEnd = result.calls.empty() ? end : std::min(firstEnd, end);
            lastEnd = result.calls.empty() ? end : std::max(lastEnd, end);
            result.calls.push_back({rank, call->start, call->duration, 0, call->step});
        }
        std::ranges::sort(result.calls, {},
                          [&](const MatchedCall &call) { return m_ranks[call.rank].rank; });
        const auto last = std::ranges::min_element(result.calls, {}, &MatchedCall::duration);
        result.last = last->rank;
        result.transfer = last->duration;
        for (MatchedCall &call : result.calls)
            call.wait = wrappingDifference(call.duration, result.transfer);
        result.endSpread = wrappingDifference(lastEnd, firstEnd);
        const auto groupSize = stated(calls.front().second->groupSize);
        const std::int64_t size =
            groupSize && *groupSize != 0 ? *groupSize : static_cast<std::int64_t>(calls.size());
        result.bandwidth = bandwidth(result.kind, result.bytes, size, result.transfer);
        return result;
    }

    /// Whether all ranks state the same sizes where they are aligned so. Sizes that are not stated
    /// settle nothing.
    [[nodiscard]] bool sizesAgree(std::size_t count, const std::vector<std::size_t> &skipped) const
    {
        for (std::size_t index = 0; index < count; ++index) {
            std::int64_t bytes = kNotStated;
            for (std::size_t rank = 0; rank < m_runs.size(); ++rank) {
                if (callsOf(m_runs[rank]).empty())
                    continue;
                const std::int64_t one = m_runs[rank]->calls[index + skipped[rank]].bytes;
                if (one == kNotStated || (bytes != kNotStated && bytes != one))
                    return false;
                bytes = one;
            }
        }
        return count > 0;
    }

    std::span<const ComparedRank> m_ranks;
    const RankRuns &m_runs;
    const CallRun &m_first;
    bool m_hasTwins = false;
};

/// The calls that every rank with a run keeps of it.
std::size_t keptByAll(const RankRuns &runs)
{
    std::size_t kept = std::numeric_limits<std::size_t>::max();
    for (const CallRun *run : runs) {
        if (run != nullptr)
            kept = std::min(kept, run->calls.size());
    }
    return kept;
}

} // namespace

std::vector<MatchedCollective> matchedInOrder(std::span<const ComparedRank> ranks)
{
    std::vector<MatchedCollective> all;
    for (const auto &[key, runs] : runsOf(ranks)) {
        std::size_t most = 0;
        for (const CallRun *run : runs)
            most = std::max(most, callsOf(run).size());
        std::ranges::move(RunMatcher(ranks, runs).inOrder(most, {}), std::back_inserter(all));
    }
    return all;
}

RankMatching matchRanks(std::span<const ComparedRank> ranks)
{
    RankMatching all;
    for (const auto &[key, runs] : runsOf(ranks)) {
        CollectiveMatch match;
        match.group = key.first;
        std::size_t with = 0;
        for (const CallRun *run : runs) {
            if (run == nullptr || run->count == 0)
                continue;
            match.kind = run->kind;
            match.fewest = with == 0 ? run->count : std::min(match.fewest, run->count);
            match.most = std::max(match.most, run->count);
            ++with;
        }
        if (with < 2)
            continue;
        const bool isEqual = match.fewest == match.most;
        const RunMatcher matcher(ranks, runs);
        std::ranges::move(isEqual ? matcher.inOrder(keptByAll(runs), {}) : matcher.aligned(match),
                          std::back_inserter(all.collectives));
        all.matches.push_back(match);
    }
    return all;
}

} // namespace vramscope
