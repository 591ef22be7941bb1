// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ranks/rank_comparison.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace vramscope {

class ProfileStudy;

/// Steps that are kept of a rank, the first ones; their number is exact.
inline constexpr std::size_t kMostSummaryProfileSteps = 512;
/// Calls of collectives that are kept of a rank; their number is exact.
inline constexpr std::size_t kMostSummaryCalls = 1024;

/// Kinds of problems that are listed of a recording.
inline constexpr std::size_t kMostSummaryProblems = 50;

/// Where the time of the work of a step went, in nanoseconds, on all devices.
struct SummaryStepWork
{
    std::int64_t span = 0;
    std::int64_t compute = 0;
    std::int64_t communication = 0;
    std::int64_t exposedCommunication = 0;
    std::int64_t exposedCopy = 0;
    std::int64_t idle = 0;
    bool operator==(const SummaryStepWork &) const = default;
};

/// A step, and the work that the host called within it.
struct SummaryProfileStep
{
    std::int64_t number = 0;             ///< as its name tells, else its place
    std::int64_t time = 0;               ///< as ProfileStep::time, in nanoseconds
    std::optional<SummaryStepWork> work; ///< none of a step without
    bool operator==(const SummaryProfileStep &) const = default;
};

/// What is kept of the profiler trace of a rank, in some kilobytes whatever its length. All figures
/// are exact; of more steps and calls than are kept the first ones.
struct ProfileSummary
{
    std::string part;                   ///< of its recording, "GPU 1"; empty: it is all of it
    std::optional<std::int64_t> ranks;  ///< of the run, as the profiler states them
    std::int64_t devices = 0;           ///< that did any work
    std::optional<TimeBreakdown> times; ///< of the first of them
    std::string stepsFrom;              ///< what marks its steps, in words; or that nothing does
    bool areStepsNumbered = false;      ///< by the profiler: step n is that of the other ranks
    std::int64_t stepCount = 0;
    std::vector<SummaryProfileStep> steps; ///< the first ones
    std::int64_t callCount = 0;            ///< of collectives
    RankCalls calls;                       ///< the first ones of each run
    std::vector<Problem> problems; ///< of the recording, the first kMostSummaryProblems kinds
    bool isCut = false;            ///< the end of the recording is missing

    [[nodiscard]] bool areCallsWhole() const;
    /// For the comparison of ranks: of one device with numbered steps that were all kept.
    [[nodiscard]] std::vector<RankStep> comparedSteps() const;
};

/// What of a study is kept: of one profile alone, so any task can make it.
[[nodiscard]] ProfileSummary summarize(const ProfileStudy &study);

} // namespace vramscope
