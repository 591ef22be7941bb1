// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/solver/changes.h"
#include "core/solver/fit_summary.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace vramscope {

/// The most changes that are made together.
inline constexpr std::size_t kMostChanges = 4;

/// Several changes of the tables (changes.h), made one after the other in their order; none at all
/// is the unchanged plan.
struct Combination
{
    std::vector<std::string> titles;  ///< of the changes
    std::vector<std::string> prices;  ///< the cost of each, in sentences
    std::vector<FieldSetting> fields; ///< the values to set, all together
    Toll toll = Toll::None;           ///< the highest of them
    bool mayStopLearning = false;     ///< one of them gives up fp32 masters
    bool slow = false;                ///< many times the time, or at least twice
    FitSummary standing;
    std::int64_t gpus = 1;
    Bytes hostBytes = 0; ///< host memory for each GPU
    /// A step, and how much longer a token takes than in the unchanged plan (0.28: 28 % longer), by
    /// the rough projection (core/projection); nothing where none can be made. For another job, or
    /// another load that is served (sameWork()), no time is compared.
    bool serves = false; ///< if so, a step is a token of every sequence
    std::optional<double> seconds;
    double tokens = 0;        ///< of that step, of the whole job
    std::int64_t context = 0; ///< tokens of a served sequence, on which the seconds depend
    std::optional<double> slowdown;
};

/// The plans to choose from: each of another kind, none twice.
struct Recommendation
{
    enum class Kind {
        Recommended, ///< the cheapest with the plan's GPUs
        Surest,      ///< the cheapest whose whole band fits the card
        SameResults, ///< the cheapest with the same results and no new limits
        Fastest,     ///< the fastest that does the same work
        FewerGpus,   ///< the same results on a half, a quarter or an eighth of the GPUs
        MoreGpus     ///< if the GPUs do not suffice: twice, four or eight times as many
    };
    struct Option
    {
        Kind kind = Kind::Recommended;
        Combination combination;
    };
    std::vector<Option> options;       ///< the recommended one first, if any; three at most
    std::optional<Combination> asItIs; ///< nothing if the unchanged plan has no figures
    std::int64_t weighed = 0;          ///< plans whose figures were computed
};

/// The cost of a combination, for comparison: how much longer a token takes, in steps of half a per
/// cent, and 0.01 for each change (twice
/// for one that does the work of others), plus that of its toll: Code 0.02, Limits 0.1, Slow 1,
/// Results and Learning 0.35 and Job 2. Where no time is projected, the additional work for a token
/// replaces it, twice where something is kept on the host. Our judgement, not a law: rounding the
/// weights is worth as much as a third of the step's time. Giving up fp32 masters comes after all
/// that keeps them, another job after all that keeps the job, at any cost (lastResort()).
///
/// Recommended is the combination of the lowest price that fits with a margin: a fortieth of the
/// card free by the likely figure, or the whole band within it, and with no known risk for its run
/// (FitSummary::risk). Of those it is the one of the fewest changes, then the one with most
/// headroom; where none has the margin, the cheapest that is likely to fit, without a risk if
/// possible. Where that one is tight and another fits by its whole band that is no dearer in kind
/// (its toll no higher, and not slow where this one is not), the cheapest such one is recommended.
/// A number that a change lowers is then raised to the largest with which that holds.
/// It is found by evaluating every combination of at most kMostChanges changes that each apply
/// after those before them, that do not make the same decision, and that need no more GPUs.
/// Expandable segments are left to waysToFit(): their savings have to be simulated. Fewer GPUs are
/// shown where they need at most twice the GPU hours.
///
/// Empty where the plan's figures or the capacity are unknown.
[[nodiscard]] Recommendation recommend(const Plan &plan);

/// "Recommended", "Same results", …
[[nodiscard]] std::string_view kindTitle(Recommendation::Kind kind);
/// "Checkpoint every block + Fuse head and loss"; "No changes" without changes.
[[nodiscard]] std::string combinedTitle(const Combination &combination);

} // namespace vramscope
