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

/// How the ranks of a run spent their time, by their profiler traces. Constant. Ranks are indexes
/// into RankedRun::ranks; places are into `ranks`.
struct RunActivity
{
    std::vector<std::size_t> ranks; ///< with a profiler trace, by number
    RankComparison comparison; ///< by place; as compareRanks() has it of the same traces. Without
                               ///< its collectives, which are many
    std::size_t middle = 0;    ///< the rank whose span is the median, of those without a snapshot
    std::size_t matched = 0;   ///< collectives that were matched over ranks
    std::size_t shared = 0;    ///< of them, those whose waits are known: all ranks take part
    std::size_t cut = 0;       ///< ranks of which no more than the first calls were kept
    std::size_t withoutCalls = 0; ///< ranks that had calls which were not read or not kept at all
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
/// The same of a run whose ranks all left a profiler trace, which have been compared; its problems
/// are those of the run.
[[nodiscard]] RunActivity activityOf(const RankedRun &run, RankComparison compared);

/// A figure of time of a rank, in ns; nothing where it is not known.
[[nodiscard]] std::optional<std::int64_t>
timeFigure(const RankedRun &run, const RunActivity &activity, std::size_t rank, RankFigure figure);

} // namespace vramscope
