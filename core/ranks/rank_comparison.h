// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/breakdown.h"
#include "core/ranks/rank_calls.h"
#include "core/ranks/rank_figure.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace vramscope {

/// A step of a rank by its number, which all ranks of a run count alike, and where the time of the
/// work that was called in it went; zero without work.
struct RankStep
{
    std::int64_t number = 0;
    TimeBreakdown times;
};

/// The steps of a profile with one device, as its profiler numbered them; none where it did not.
[[nodiscard]] std::vector<RankStep> numberedSteps(const ProfileStudy &study);

/// What a rank is compared with others by: all of it can be told of one profile alone.
struct ComparedRank
{
    std::int64_t rank = 0;
    std::optional<TimeBreakdown> times; ///< of its first device
    RankCalls calls;
    std::vector<RankStep> steps{}; ///< of a rank with one device; empty: steps have no numbers
    bool isCut = false;            ///< its file ends early: it is compared with no other rank
};

/// One rank's part in a collective that all ranks of a group take part in.
struct MatchedCall
{
    std::size_t rank = 0; ///< index into the ranks that are compared
    std::int64_t start = 0;
    std::int64_t duration = 0; ///< its wait for the others included
    std::int64_t wait = 0;     ///< duration − transfer
    std::int32_t step = -1;    ///< as RankCall::step
};

/// A collective, the same call on several ranks. Who comes last waits least, so without a common
/// clock the shortest duration is the transfer, and the rank that has it came last.
struct MatchedCollective
{
    std::string group;
    CollectiveKind kind = CollectiveKind::Unknown;
    std::int64_t index = 0; ///< of this group and kind
    std::optional<std::int64_t> bytes;
    std::int64_t transfer = 0;
    std::size_t last = 0; ///< index into the ranks that are compared; meaningless unless allWait
    /// Whether all ranks of the run took part and none could end before the last had come: by its
    /// kind, or, of sends and receives in one, as NCCL runs all-to-alls, because all end at once.
    bool allWait = false;
    std::int64_t endSpread = 0; ///< between the first and the last end, by the clocks as they are
    struct Bandwidth bandwidth; ///< of the transfer; also the name of a kind of column
    std::vector<MatchedCall> calls; ///< by rank

    /// Whether one rank alone came last; where several wait equally little none of them did.
    [[nodiscard]] bool hasLast() const
    {
        return allWait && std::ranges::count(calls, 0, &MatchedCall::wait) == 1;
    }
};

/// How the calls of one group and kind were matched.
struct CollectiveMatch
{
    enum class By : std::uint8_t {
        Order,     ///< equal counts: the k-th with the k-th
        Number,    ///< counts differ: by the sequence number that each call states
        FromEnd,   ///< counts differ: the last with the last, and sizes agree
        FromStart, ///< counts differ: the first with the first, and sizes agree
        Not,       ///< counts differ and nothing fits: left out
    };
    std::string group;
    CollectiveKind kind = CollectiveKind::Unknown;
    By by = By::Order;
    std::int64_t fewest = 0; ///< calls of a rank
    std::int64_t most = 0;
};

/// How, where not in order, in a sentence; empty where it was.
[[nodiscard]] std::string matchText(const CollectiveMatch &match);

/// A clock beside that of the first rank, by the ends of collectives, which are nearly at once.
struct RankClock
{
    std::int64_t offset = 0; ///< this rank's clock less the first one's, ns: the median
    std::int64_t spread = 0; ///< half of the ends are within so much of it: its uncertainty
    std::int64_t calls = 0;  ///< 0: not known
};

/// Several ranks of one run beside each other; by rank as they were given.
struct RankComparison
{
    std::vector<MatchedCollective> collectives; ///< by group, kind and index
    std::vector<CollectiveMatch> matches;       ///< by group and kind
    std::vector<RankClock> clocks;              ///< by rank
    std::vector<std::int64_t> waits;            ///< by rank: in calls for which all wait
    std::vector<std::int64_t> lastCalls;        ///< by rank: calls for which it came last
    std::int64_t waitedCalls = 0;               ///< calls for which all wait
    /// By rank: where its time went in the steps that all ranks recorded, summed over these steps,
    /// or in its whole recording where there are none; none of a rank that is cut or ran nothing.
    std::vector<std::optional<TimeBreakdown>> times;
    std::int64_t commonSteps = 0;    ///< that all ranks recorded; 0: whole recordings are compared
    std::int64_t ranksWithSteps = 0; ///< that are compared and have numbered steps
    std::vector<bool> isCut;         ///< by rank: its file ends early, so it counts nowhere
    [[nodiscard]] bool isCompared(std::size_t rank) const { return !isCut[rank]; }
    /// The rank that waits least where it leads clearly: it was last in more calls than any other.
    std::optional<std::size_t> straggler;
    std::int64_t lead = 0; ///< its total wait is so much less than the next one's
};
[[nodiscard]] RankComparison comparison(std::span<const ComparedRank> ranks);

/// By the times of each rank, where it has any: the part of its bar by which it differs most, where
/// that is off its median by 5 % of the median span and by more than three times the usual
/// distance.
[[nodiscard]] std::vector<RankOutlier>
rankOutliers(std::span<const std::optional<TimeBreakdown>> ranks);

/// The recording of a rank, as far as it has problems.
struct RankRecording
{
    std::string title; ///< of the rank, within a sentence: "rank 1"
    std::string file;  ///< printable
    std::span<const Problem> problems;
    bool isCut = false;
};
/// Sentences, which stand before all that is said of the ranks: each kind of problem once, with the
/// ranks that have it, those of cut recordings first, and which ranks do not count.
[[nodiscard]] std::vector<std::string> recordingProblems(std::span<const RankRecording> ranks);

/// Why whole recordings are compared though their steps have numbers; empty where they are not.
[[nodiscard]] std::string stepsProblem(const RankComparison &ranks);

/// The recordings or the part of them that is compared: "in the 4 steps that all ranks recorded",
/// "in the whole recording of each rank".
[[nodiscard]] std::string comparedText(const RankComparison &ranks);
/// "rank 2 came last in 40 of 41 collectives …" of the straggler, which there is; `title` is what
/// the rank is called.
[[nodiscard]] std::string lateText(const RankComparison &ranks, const std::string &title);
/// What half of the others waited for it and for each other, or more.
[[nodiscard]] std::int64_t lateGain(const RankComparison &ranks);
/// "Rank 2 has 4.89 ms less idle time than the rank in the middle."
[[nodiscard]] std::string outlierText(const RankOutlier &outlier, const std::string &title);

/// The collectives of several ranks matched, and how. Ranks that are cut have none.
struct RankMatching
{
    std::vector<MatchedCollective> collectives; ///< by group, kind and index
    std::vector<CollectiveMatch> matches;       ///< by group and kind
};

/// Where the counts of a group and kind are equal, in order; else by sequence number, or aligned at
/// the end or the start, wherever sizes agree. Of runs that are not kept whole no more than all
/// ranks keep, and only in order or by number.
[[nodiscard]] RankMatching matchRanks(std::span<const ComparedRank> ranks);

/// The k-th call of a group and kind on every rank that has one, whatever the counts.
[[nodiscard]] std::vector<MatchedCollective> matchedInOrder(std::span<const ComparedRank> ranks);

} // namespace vramscope
