// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/profile_study.h"
#include "core/ranks/rank_comparison.h"

#include <cstdint>
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

/// Several ranks of one run beside each other.
struct RankProfiles : RankComparison
{
    std::vector<RankProfile> ranks; ///< by number
    /// Sentences: what is wrong with the recordings, which ranks count nowhere, two files of one
    /// rank, calls without match.
    std::vector<std::string> problems;

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

/// matchedInOrder() of profiles.
[[nodiscard]] std::vector<MatchedCollective> matchedInOrder(const std::vector<RankProfile> &ranks);

[[nodiscard]] std::vector<RankOutlier> rankOutliers(const RankProfiles &ranks);

/// A device of a rank and what the ranks are compared by.
struct ComparedDevice
{
    std::size_t rank = 0; ///< of RankProfiles::ranks
    std::int64_t device = -1;
    TimeBreakdown times;
};
/// By rank: where steps are compared, the device of each rank in them, else all devices of all
/// ranks in their whole recordings. Without the ranks that do not count.
[[nodiscard]] std::vector<ComparedDevice> comparedDevices(const RankProfiles &ranks);

} // namespace vramscope
