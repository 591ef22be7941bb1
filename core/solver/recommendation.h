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

/// Changes that are made together are at most so many.
inline constexpr std::size_t kMostChanges = 4;

/// Several changes of the tables (changes.h), made one after the other in their order; none at all
/// is the plan as it is.
struct Combination
{
    std::vector<std::string> titles;  ///< of the changes
    std::vector<std::string> prices;  ///< what each costs, in sentences
    std::vector<FieldSetting> fields; ///< what to put where, all together
    Toll toll = Toll::None;           ///< the highest of them
    bool mayStopLearning = false;     ///< one of them gives up fp32 masters
    bool slow = false;                ///< many times the time, or at least twice of it
    FitSummary standing;
    std::int64_t gpus = 1;
    Bytes hostBytes = 0; ///< of the host's memory for each GPU
    /// A step, and how much longer a token takes than in the plan as it is (0.28: 28 % longer), by
    /// the rough projection (core/projection); nothing where none can be made. Of another job, or
    /// of another load that is served (sameWork()), no time is compared.
    bool serves = false; ///< then a step is a token of every sequence
    std::optional<double> seconds;
    double tokens = 0;        ///< of that step, of the whole job
    std::int64_t context = 0; ///< tokens of a sequence that is served, on which the seconds depend
    std::optional<double> slowdown;
};

/// The plans to choose from: each of another kind, none twice.
struct Recommendation
{
    enum class Kind {
        Recommended, ///< the cheapest with the plan's GPUs
        Surest,      ///< the cheapest whose whole band is within the card
        SameResults, ///< the cheapest that computes the same and limits nothing
        Fastest,     ///< the fastest that does the same work
        FewerGpus,   ///< the same results on a half, a quarter or an eighth of the GPUs
        MoreGpus     ///< where the GPUs given do not suffice: twice, four or eight times as many
    };
    struct Option
    {
        Kind kind = Kind::Recommended;
        Combination combination;
    };
    std::vector<Option> options; ///< the recommended one first, if there is one; three at most
    std::optional<Combination> asItIs; ///< nothing where the plan as it is has no figures
    std::int64_t weighed = 0;          ///< plans whose figures were computed
};

/// What a combination costs, to be compared: how much longer a token takes, in steps of half a per
/// cent, and 0.01 for each change, with that of its toll: Code 0.02, Limits 0.1, Slow 1, Results
/// and Learning 0.35 and Job 2. Where no time is projected, what more is computed for a token
/// stands for it, twice where something is kept on the host. Our judgement, not a law: rounding the
/// weights is worth as much as a third of the step's time. What gives up fp32 masters comes after
/// all that keeps them, another job after all that keeps the job, whatever they cost
/// (lastResort()).
///
/// Recommended is the combination of the lowest price that fits with a margin: a fortieth of the
/// card to spare by the likely figure, or the whole band within it, and for whose run no risk is
/// known (FitSummary::risk). Of those it is the one of the fewest changes, then the one with most
/// to spare; where none has the margin, the cheapest that is likely to fit, without a risk if one
/// is. Where that one is tight and another fits by its whole band that is no dearer in kind (its
/// toll no higher, and not slow where this one is not), the cheapest such one is recommended. It is
/// found by weighing every combination of at most kMostChanges changes that each has its place
/// beside those before it, that do not decide the same thing, and that take no more GPUs.
/// Expandable segments are left to waysToFit(): what they save has to be simulated. Fewer GPUs are
/// told where they take at most twice the GPU hours.
///
/// Empty where the plan's figures or the capacity are not known.
[[nodiscard]] Recommendation recommend(const Plan &plan);

/// "Recommended", "Same results", …
[[nodiscard]] std::string_view kindTitle(Recommendation::Kind kind);
/// "Checkpoint every block + Fuse head and loss"; "As it is" of none.
[[nodiscard]] std::string combinedTitle(const Combination &combination);

} // namespace vramscope
