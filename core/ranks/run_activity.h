// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ranks/ranked_run.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace vramscope {

/// What the time of a step or of a rank is asked for.
enum class TimeFigure {
    StepTime,             ///< from the start of a step to that of the next; of a rank the median
    Compute,              ///< as RankComparison::times; of a step of all devices
    ExposedCommunication, ///< communication while nothing computed
    Idle,
    Wait, ///< in collectives that all ranks wait for, for the last of them
};
inline constexpr std::size_t kTimeFigureCount = 5;

/// How the ranks of a run spent their time, by their profiler traces. Constant. Ranks are indexes
/// into RankedRun::ranks; places are into `ranks`.
struct RunActivity
{
    std::vector<std::size_t> ranks; ///< with a profiler trace, by number
    RankComparison comparison; ///< by place; as compareRanks() has it of the same traces. Without
                               ///< its collectives, which are many
    std::size_t matched = 0;   ///< collectives that were matched over ranks
    std::size_t shared = 0;    ///< of them, those whose waits are known: all ranks take part
    std::size_t cut = 0;       ///< ranks of which no more than the first calls were kept
    std::size_t withoutCalls = 0; ///< ranks that had calls which were not read or not kept at all
    std::vector<RankOutlier> outliers; ///< by place
    std::vector<std::string> problems; ///< sentences: calls without match

    /// The place of a rank; nothing where it has no profiler trace.
    [[nodiscard]] std::optional<std::size_t> placeOf(std::size_t rank) const;
    [[nodiscard]] bool areWaitsKnown() const { return comparison.waitedCalls > 0; }
    /// The rank that the others wait for.
    [[nodiscard]] std::optional<std::size_t> late() const;

    /// The step or the rank by which a figure is highest.
    struct Highest
    {
        std::size_t rank = 0;
        std::optional<std::size_t> row; ///< of its steps
        std::int64_t value = 0;         ///< ns
        std::int64_t whole = 0; ///< that it is a part of: the span; of a step the median time
    };
    std::optional<Highest> slowestStep;
    std::optional<Highest> mostIdle;    ///< by its share of the rank's span
    std::optional<Highest> mostExposed; ///< the same of communication
};

[[nodiscard]] RunActivity activityOf(const RankedRun &run);

/// Of a rank, in ns; nothing where it is not known.
[[nodiscard]] std::optional<std::int64_t>
timeFigure(const RankedRun &run, const RunActivity &activity, std::size_t rank, TimeFigure figure);

} // namespace vramscope
