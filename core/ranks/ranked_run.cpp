// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ranks/ranked_run.h"

#include "core/analysis/comparison/ranks.h"
#include "core/base/format.h"
#include "core/base/text.h"
#include "core/trace/trace_builder.h"

#include <algorithm>
#include <set>
#include <tuple>

namespace vramscope {

namespace {

/// Gives every summary of one kind its number: by names where these tell, else as rankNumbers()
/// does.
NumberedBy numberRanks(std::vector<RankSummary> &ranks)
{
    std::set<std::string> paths;
    std::set<std::int64_t> devices;
    std::set<std::pair<std::int64_t, std::int64_t>> named;
    bool areAllNamed = true;
    for (const RankSummary &rank : ranks) {
        paths.insert(rank.source.path);
        devices.insert(rank.device);
        areAllNamed = areAllNamed && rank.source.rank.has_value();
    }
    const bool isOneFile = paths.size() == 1 && ranks.size() > 1;
    if (areAllNamed && !isOneFile)
        return NumberedBy::Names;
    const bool byDevice = devices.size() == ranks.size();
    std::int64_t place = 0;
    for (RankSummary &rank : ranks)
        rank.source.rank = byDevice ? rank.device : place++;
    return byDevice ? NumberedBy::Devices : NumberedBy::Order;
}

/// Of the devices of one file that count for one rank the one that the rank works on: a stray
/// context on another device holds little and does little.
auto importance(const RankSummary &rank)
{
    return std::tuple(rank.failureCount > 0, rank.figures.events, rank.figures.peakActive,
                      -rank.device);
}

/// When a recording ended, as far as it is known.
std::int64_t recordedUntil(const RankSummary &rank)
{
    return rank.lastTime.value_or(rank.source.stamp.modified);
}

bool coverTheSameTime(const RankSummary &a, const RankSummary &b)
{
    return a.firstTime && b.firstTime && a.lastTime && b.lastTime && *a.firstTime < *b.lastTime &&
           *b.firstTime < *a.lastTime;
}

/// The main one of the summaries of one rank, which are of one kind; the others are earlier ones.
RankSummary settled(std::vector<RankSummary> same, RankedRun &run)
{
    // By file, the device that counts first; then the latest file.
    std::ranges::stable_sort(same, [](const RankSummary &a, const RankSummary &b) {
        return std::tuple(a.source.path, importance(b)) < std::tuple(b.source.path, importance(a));
    });
    std::vector<RankSummary> main;
    std::vector<RankSummary> beside;
    for (RankSummary &rank : same) {
        const bool isFirst = main.empty() || main.back().source.path != rank.source.path;
        (isFirst ? main : beside).push_back(std::move(rank));
    }
    const auto latest =
        std::ranges::max_element(main, [](const RankSummary &a, const RankSummary &b) {
            return std::tuple(recordedUntil(a), a.source.path) <
                   std::tuple(recordedUntil(b), b.source.path);
        });
    std::iter_swap(main.begin(), latest);
    for (std::size_t at = 1; at < main.size(); ++at) {
        if (coverTheSameTime(main.front(), main[at]))
            run.problems.push_back("Rank " + std::to_string(*main[at].source.rank) +
                                   " was recorded twice over the same time: " +
                                   excerpt(main.front().source.path, 100) + " and " +
                                   excerpt(main[at].source.path, 100) + ".");
    }
    std::move(main.begin() + 1, main.end(), std::back_inserter(run.earlier));
    std::ranges::move(beside, std::back_inserter(run.earlier));
    return std::move(main.front());
}

/// A rank of which there is a snapshot, a profiler trace, or both: then it is one rank with both.
void addRank(std::vector<RankSummary> snapshots, std::vector<RankSummary> profiles, RankedRun &run)
{
    std::optional<RankSummary> rank;
    if (!snapshots.empty())
        rank = settled(std::move(snapshots), run);
    if (!profiles.empty()) {
        RankSummary profile = settled(std::move(profiles), run);
        if (rank) {
            rank->profile = std::move(profile.profile);
            rank->profileDevice = profile.device;
            rank->profileSource = std::move(profile.source);
        } else {
            rank = std::move(profile);
        }
    }
    run.ranks.push_back(*std::move(rank));
}

/// In front of the others: they limit what all figures mean.
void addRecordingProblems(RankedRun &run)
{
    std::vector<RankRecording> recordings;
    for (const RankSummary &rank : run.ranks) {
        const std::string title = "rank " + std::to_string(*rank.source.rank);
        if (rank.hasMemory)
            recordings.push_back({title, printable(rank.source.path), rank.problems, false});
        if (rank.profile)
            recordings.push_back(
                {title, printable((rank.profileSource ? *rank.profileSource : rank.source).path),
                 rank.profile->problems, rank.profile->isCut});
    }
    std::vector<std::string> problems = recordingProblems(recordings);
    run.problems.insert(run.problems.begin(), std::make_move_iterator(problems.begin()),
                        std::make_move_iterator(problems.end()));
}

void buildStacks(const SiteStackTable &table, RankedRun &run)
{
    TraceBuilder builder;
    for (const auto &[site, frames] : table) {
        std::vector<FrameId> ids;
        for (const SiteFrame &frame : frames)
            ids.push_back(builder.internFrame(frame.name, frame.file, frame.line));
        run.stackOf.try_emplace(site, builder.internStack(ids));
    }
    const auto only = [&](const std::string &name) {
        const FrameId frame = builder.internFrame(name, "", 0);
        return builder.internStack(std::span(&frame, 1));
    };
    run.unknownStack = only("(a place whose stack is missing)");
    run.restStack = only("(places beyond the largest " + std::to_string(kMostSummarySites) + ")");
    run.stacks = builder.finish().value(); // without events nothing can be too many
}

} // namespace

StackId RankedRun::stack(SiteId site) const
{
    const auto found = stackOf.find(site);
    return found == stackOf.end() ? unknownStack : found->second;
}

std::vector<RankRange> missingRanks(const std::vector<std::int64_t> &there, std::int64_t expected)
{
    std::vector<RankRange> missing;
    std::int64_t next = 0;
    for (const std::int64_t rank : there) {
        if (rank >= expected)
            break;
        if (rank > next)
            missing.push_back({next, rank - 1});
        next = std::max(next, rank + 1);
    }
    if (next < expected)
        missing.push_back({next, expected - 1});
    return missing;
}

RankedRun rankedRun(const RunSummary &run, std::optional<std::int64_t> ranks)
{
    RankedRun result;
    RunSummary::Devices read = run.devices(result.problems);
    std::vector<RankSummary> snapshots;
    std::vector<RankSummary> profiles;
    std::int64_t ranksStated = 0;
    for (RankSummary &rank : read.devices) {
        if (rank.isUsable())
            (rank.hasMemory ? snapshots : profiles).push_back(std::move(rank));
        else if (rank.isRecording)
            result.unusable.push_back(std::move(rank));
        else
            ++result.others;
    }
    result.numberedBy = numberRanks(snapshots.empty() ? profiles : snapshots);
    if (!snapshots.empty() && !profiles.empty() && numberRanks(profiles) != NumberedBy::Names)
        result.problems.emplace_back(
            "The profiler traces name no rank: they are taken for the ranks in their order.");
    std::map<std::int64_t, std::pair<std::vector<RankSummary>, std::vector<RankSummary>>> byRank;
    for (RankSummary &rank : snapshots)
        byRank[*rank.source.rank].first.push_back(std::move(rank));
    for (RankSummary &rank : profiles) {
        ranksStated = std::max(ranksStated, rank.profile->ranks.value_or(0));
        byRank[*rank.source.rank].second.push_back(std::move(rank));
    }
    for (auto &[number, same] : byRank)
        addRank(std::move(same.first), std::move(same.second), result);

    std::vector<std::int64_t> there;
    for (const RankSummary &rank : result.ranks)
        there.push_back(*rank.source.rank);
    for (const RankSummary &rank : result.unusable) {
        if (rank.source.rank)
            there.push_back(*rank.source.rank);
    }
    std::ranges::sort(there);
    for (const SummaryPart &part : run.parts()) {
        if (!ranks)
            ranks = part.ranks;
    }
    if (!ranks && ranksStated > 0 && ranksStated <= kMostRanks)
        ranks = ranksStated; // by the profiler, which knows the run
    result.isExpectedGiven = ranks.has_value();
    const std::int64_t largest = there.empty() ? 0 : there.back() + 1;
    result.expected = ranks.value_or(largest <= kMostRanks ? largest : 0);
    result.missing = missingRanks(there, result.expected);
    buildStacks(read.stacks, result);
    addRecordingProblems(result);
    return result;
}

} // namespace vramscope
