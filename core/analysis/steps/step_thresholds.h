// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>

namespace vramscope {

/// The limits by which steps are found. tests/bench/bench_labelled prints the curve of each.
struct StepThresholds
{
    // A sequence of allocations that repeats. Lengths are numbers of allocations.
    double leastPeriodMatch = 0.8; ///< share that neighbouring steps have in common, median
    double leastCoverage = 0.5;    ///< share of the sequence over which a token recurs
    double candidateShare = 0.1;   ///< number of tokens, relative to the best supported count
    double nearlyAll = 0.8;        ///< share of the stacks that run inside one call of a loop
    double mostDrift = 0.07;       ///< share of a step's own rise that usually remains
    std::size_t leastToLeak = 6;   ///< steps, for what they leave behind to be a leak
    double mostLeft = 0.4;         ///< share of the allocations that a step with a leak leaves
    double leastTail = 0.05;       ///< share of a step, for the rest to count as another
    double slack = 0.1;            ///< share of a step by which boundaries may be off
    double trustInCalls = 0.8;     ///< confidence, relative to steps whose sizes recur too

    // Annotations, and runs of the optimizer.
    double tailMatch = 0.7;    ///< share of the rest that another step has, to be its beginning
    double leastMatch = 0.5;   ///< share that steps have in common, or of those that begin alike
    double whole = 0.9;        ///< share of the usual length, for a step at an end to be complete
    std::size_t leastRuns = 3; ///< runs of the optimizer
    double recurs = 0.8;       ///< share of the intervals between runs that have an allocation

    // Steps compared with each other.
    double deviations = 5;        ///< median deviations from the median peak, for an outlier
    double leastDeviation = 0.01; ///< share of the median peak by which an outlier differs
};

} // namespace vramscope
