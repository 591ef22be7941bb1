// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/comparison/compare.h"
#include "core/analysis/comparison/ranks.h"
#include "core/ranks/ranked_run.h"
#include "core/ranks/run_activity.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// What stands out among the ranks of a run. All indexes are into RankedRun::ranks.

namespace vramscope {

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
