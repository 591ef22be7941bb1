// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/profile_study.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace vramscope {

/// The recording of one rank of a run.
struct RankProfile
{
    std::string file;      ///< its name without folders
    std::int64_t rank = 0; ///< as the file states it, else as its name does, else its place
    bool isStated = true;  ///< by either
    std::shared_ptr<const ProfileStudy> study;
    std::string source{}; ///< the file that it is a part of, as `file`; empty: it is all of it
    std::string part{};   ///< which part of that, "GPU 1 of process 4321"

    /// What it is called: "rank 3" where that is stated, else what part of a recording it is, else
    /// its place with a question mark, "rank 3?".
    [[nodiscard]] std::string title() const;
    /// The name of the file in which it lies.
    [[nodiscard]] const std::string &fileName() const { return source.empty() ? file : source; }
};

/// One rank's part in a collective that all ranks of a group take part in.
struct MatchedCall
{
    std::size_t rank = 0; ///< index into RankProfiles::ranks
    std::int64_t start = 0;
    std::int64_t duration = 0; ///< its wait for the others included
    std::int64_t wait = 0;     ///< duration − transfer
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
    std::size_t last = 0; ///< index into RankProfiles::ranks; meaningless unless allWait
    /// Whether all ranks of the run took part and none could end before the last had come: by its
    /// kind, or, of sends and receives in one, as NCCL runs all-to-alls, because all end at once.
    bool allWait = false;
    std::int64_t endSpread = 0; ///< between the first and the last end, by the clocks as they are
    Bandwidth bandwidth;        ///< of the transfer
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

/// A clock beside that of the first rank, by the ends of collectives, which are nearly at once.
struct RankClock
{
    std::int64_t offset = 0; ///< this rank's clock less the first one's, ns: the median
    std::int64_t spread = 0; ///< half of the ends are within so much of it: its uncertainty
    std::int64_t calls = 0;  ///< 0: not known
};

/// Several ranks of one run beside each other.
struct RankProfiles
{
    std::vector<RankProfile> ranks;             ///< by number
    std::vector<MatchedCollective> collectives; ///< by group, kind and index
    std::vector<CollectiveMatch> matches;       ///< by group and kind
    std::vector<RankClock> clocks;              ///< by rank
    std::vector<std::int64_t> waits;            ///< by rank: in calls for which all wait
    std::vector<std::int64_t> lastCalls;        ///< by rank: calls for which it came last
    std::int64_t waitedCalls = 0;               ///< calls for which all wait
    /// The rank that waits least where it leads clearly: it was last in more calls than any other.
    std::optional<std::size_t> straggler;
    std::int64_t lead = 0;             ///< its total wait is so much less than the next one's
    std::vector<std::string> problems; ///< sentences: two files of one rank, calls without match

    /// Whether all are parts of one recording, which has one clock.
    [[nodiscard]] bool isOneRecording() const;
};

/// A profile of a run, with the rank that its file's name tells.
struct RankProfileFile
{
    std::string file; ///< without folders
    std::optional<std::int64_t> named;
    std::shared_ptr<const ProfileStudy> study;
    std::string source{}; ///< as RankProfile::source
    std::string part{};   ///< as RankProfile::part
};

/// The rank of each profile is what it states, else what its file's name tells, else its place.
[[nodiscard]] RankProfiles compareRanks(std::vector<RankProfileFile> files);

/// The k-th call of a group and kind on every rank that has one, whatever the counts.
[[nodiscard]] std::vector<MatchedCollective> matchedInOrder(const std::vector<RankProfile> &ranks);

/// A rank whose bar differs from the others, and the part by which it does most.
struct RankOutlier
{
    enum class BarPart : std::uint8_t { Compute, ExposedCommunication, ExposedCopy, Idle };
    std::size_t rank = 0;
    BarPart part = BarPart::Compute;
    std::int64_t difference = 0; ///< from the median of the ranks
};
/// Of the first device of each rank: a part that is off its median by 5 % of the median span and
/// by more than three times the usual distance.
[[nodiscard]] std::vector<RankOutlier> rankOutliers(const RankProfiles &ranks);

/// "Rank 2 has 4.89 ms less idle time than the rank in the middle."
[[nodiscard]] std::string outlierText(const RankProfiles &ranks, const RankOutlier &outlier);

/// What the ranks show together: a late one.
[[nodiscard]] std::vector<ProfileFinding> rankFindings(const RankProfiles &ranks);

} // namespace vramscope
