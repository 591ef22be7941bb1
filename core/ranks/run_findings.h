// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/comparison/compare.h"
#include "core/analysis/comparison/ranks.h"
#include "core/ranks/ranked_run.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
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

// What stands out among the ranks of a run. All indexes are into RankedRun::ranks.

/// Ranks that hold the same kinds of things at their peak, as those of a pipeline stage do.
struct AlikeRanks
{
    std::vector<std::size_t> ranks; ///< ascending
    std::size_t alike = 0;          ///< of them; the others are too few of their kind for a group
    Spread active;                  ///< of their peaks; its indexes are into `ranks`
    std::size_t typical = 0;        ///< the rank nearest to the median, an index as in `ranks`
};

/// Of two ranks none is the usual one.
inline constexpr std::size_t kLeastJudged = 3;
/// Ranks that it takes to judge one of them by the others.
inline constexpr std::size_t kLeastAlike = 5;

/// Groups without being told: ranks with the same set of sites at their peak are alike; classes
/// whose bytes differ by less than 1 % at every site above 16 MiB are one; a class of fewer than
/// five ranks counts with the larger one that it shares the most bytes with. Every rank is in one
/// group; the one with the lowest rank comes first. Ranks without a snapshot are one of their own.
[[nodiscard]] std::vector<AlikeRanks> alikeRanks(const RankedRun &run);

/// How the ranks of a run are numbered along its axes, the fastest first.
struct RankLayout
{
    struct Axis
    {
        std::string name; ///< "tp"
        std::int64_t size = 1;
    };
    std::vector<Axis> axes;

    /// The place of a rank along an axis; beyond the layout it goes round.
    [[nodiscard]] std::int64_t place(std::int64_t rank, std::size_t axis) const;
};

/// "tp=8,ep=8,dp=4,pp=16"; the error says what is wrong with it.
[[nodiscard]] Result<RankLayout> rankLayout(std::string_view text);

/// What tells ranks apart, and how much of the differences of their peaks it explains.
struct SpreadExplanation
{
    std::string name;       ///< "pp", "node", "device"
    std::size_t values = 0; ///< different ones
    double share = 0;       ///< of the median absolute deviation that goes when the medians of its
                            ///< values are taken off; 0 … 1
};

/// Coordinates that are known (the axes of a layout, node, device, the group of alike ranks) and
/// have at least two values and fewer than half as many as there are ranks; the one that explains
/// the most first, of those that agree to a hundredth the one with fewer values.
[[nodiscard]] std::vector<SpreadExplanation> explanations(const RankedRun &run,
                                                          const RankLayout &layout,
                                                          const std::vector<std::size_t> &groupOf);

/// A figure of memory of a rank; nothing where it is not known. Never negative.
[[nodiscard]] std::optional<Bytes> figureOf(const RankSummary &rank, RankFigure figure);

/// How far a figure of memory lies apart among the ranks that it is known of; nothing of none.
[[nodiscard]] std::optional<Spread> spreadOf(const RankedRun &run, RankFigure figure);

/// So many standard deviations are no accident among so many ranks: 0.05 of them are expected
/// beyond it, were all normal. At least 3; 4.6 for 10,000.
[[nodiscard]] double outlierLimit(std::size_t ranks);

/// By their memory: by figure, then the farthest first, each compared with its group by spreadOf()
/// and outlierLimit() of all ranks.
[[nodiscard]] std::vector<RankOutlier> outliers(const RankedRun &run,
                                                const std::vector<AlikeRanks> &groups);

/// The rank whose request failed first.
struct FirstFailure
{
    std::size_t rank = 0;
    bool isTimed = false; ///< else the times are not known, and it is the lowest rank that failed
    std::vector<std::size_t> beside; ///< others within a second of it: clocks agree no better
    std::size_t failed = 0;          ///< ranks with a failed request
    std::size_t untimed = 0;         ///< of them, when is not recorded
};
[[nodiscard]] std::optional<FirstFailure> firstFailure(const RankedRun &run);

/// A rank compared with the typical one of its group, each at its peak.
struct RankContrast
{
    std::size_t typical = 0; ///< A
    std::size_t rank = 0;    ///< B
    Comparison comparison;   ///< stacks are those of RankedRun::stacks
};

/// Nothing where the sites of one of them are not known.
[[nodiscard]] std::optional<RankContrast> contrast(const RankedRun &run, std::size_t typical,
                                                   std::size_t rank);

/// All of it.
struct RunFindings
{
    RunActivity activity; ///< of profiler traces; without ranks where there are none
    std::vector<AlikeRanks> groups;
    std::vector<std::size_t> groupOf; ///< by rank
    std::vector<SpreadExplanation> explanations;
    std::vector<RankOutlier> outliers; ///< by memory, then by time
    [[nodiscard]] std::vector<RankOutlier> outliersByMemory() const;
    [[nodiscard]] std::vector<RankOutlier> outliersByTime() const;
    std::optional<FirstFailure> failure;
    /// Of those that stand out by their peak, three at most: first the one that failed first, where
    /// it does, then the farthest.
    std::vector<RankContrast> contrasts;
    std::size_t contrastsWithoutSites = 0; ///< ranks that could not be compared for want of them
};
[[nodiscard]] RunFindings findingsOf(const RankedRun &run, const RankLayout &layout = {});
/// The same where the profiler traces have been compared already.
[[nodiscard]] RunFindings findingsOf(const RankedRun &run, const RankLayout &layout,
                                     RunActivity activity);

} // namespace vramscope
