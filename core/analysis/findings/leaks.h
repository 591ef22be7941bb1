// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/steps/steps.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace vramscope {

/// A stack whose allocations pile up.
struct Growth
{
    StackId stack = StackId::None;
    Tally grown;               ///< alive at the last sample beyond the first sample's
    double bytesPerSample = 0; ///< mean over the samples since it began
    double countPerSample = 0;
    std::size_t firstSample = 0; ///< the first that it grows in: an index into Leaks::samples
    std::size_t increases = 0;   ///< samples in which it grows
    double confidence = 0;       ///< 0 … 1
};

/// Stacks that grow from step to step, most bytes first.
struct Leaks
{
    /// What memory is sampled in; by windows of equal numbers of allocations it is less sure.
    enum class Unit : std::uint8_t { Step, Call, Window };
    Unit unit = Unit::Window;
    /// The events at which memory was sampled: before the first complete step and at the end of
    /// each, or the lowest point of each call of the model or window.
    std::vector<EventIndex> samples;
    std::vector<std::int64_t> numbers; ///< of the units; before the first step: one less
    std::vector<Growth> leaks;         ///< growth that goes on to the end
    /// Growth that stopped: optimizer states made in the first step, caches that have filled.
    std::vector<Growth> warmUp;
    std::string note; ///< why there is no result, or how it was found
};

/// "step", "call" or "window".
[[nodiscard]] std::string_view unitName(Leaks::Unit unit);

/// The limits by which leaks are found. tests/bench/bench_labelled prints the curve of each.
struct LeakThresholds
{
    std::size_t leastSteps = 5;     ///< complete steps, to tell growth from warm-up
    std::size_t leastIncreases = 4; ///< samples beyond the first step in which memory grows
    std::size_t leastCalls = 12;    ///< of the model, to compare them instead of windows
    Bytes leastGrown = 4 * kKiB;    ///< bytes in all: less is no leak that anyone would look for
    double mostPause = 2.5;         ///< usual pauses since the last increase; twice that in between
    double mostLost = 0.1;          ///< share of the growth by which memory was higher before
    double windowTrust = 0.5;       ///< confidence, relative to growth from step to step
    double mostClimb = 0.25;        ///< share of the range of usage by which its lowest point rises
};

/// Finds memory that is allocated repeatedly and never freed, by stack. Looks at the ends of
/// complete steps if they are enough, else at the calls of the model, else at windows. n log n in
/// the allocations.
[[nodiscard]] Leaks findLeaks(const Allocations &allocations, const UsageCurve &curve,
                              const Steps &steps, const LeakThresholds &thresholds = {});

} // namespace vramscope
