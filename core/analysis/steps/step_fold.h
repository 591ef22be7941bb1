// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/steps/steps.h"

#include <span>

namespace vramscope {

/// The steps of a device overlaid, each from its own first event on. The axis has places of equal
/// width, in events or in µs; at each place a step has the most active bytes of all its states
/// there, so that no peak is lost. Statistics count whole steps, without the first one, which warms
/// up, if two others are whole: a truncated step, or one with an unknown start, would be
/// misaligned. If no step is whole, all count.
struct StepFold
{
    /// Statistics of all counted steps that last this long.
    struct Place
    {
        Bytes lowest = 0;
        Bytes median = 0;
        Bytes highest = 0;
        std::uint32_t steps = 0; ///< 0: no step lasts this long
        bool operator==(const Place &) const = default;
    };

    double width = 1; ///< of a place, in events or µs
    std::vector<Place> places;
    std::vector<bool> counts; ///< by step
    Bytes medianPeak = 0;     ///< of the steps that count
    std::size_t highest = 0;  ///< the step with the highest peak of all, the first of equals
    /// Steps whose peak differs from medianPeak by more than the thresholds say; ascending.
    std::vector<std::size_t> outliers;
};

/// The overlaid steps of a device by event and by time.
struct StepFolds
{
    StepFold byEvent;
    StepFold byTime; ///< the same as byEvent if no times are recorded
};

/// From its first event to its last: in µs if `times` has those of the device's events (ascending),
/// else in events.
[[nodiscard]] std::int64_t lengthOf(const Step &step, std::span<const std::int64_t> times);

/// The bytes of one step at each of the first `places` places of `width` that it lasts for. Time
/// `places` × log of the step's events.
[[nodiscard]] std::vector<Bytes> bytesByPlace(const Step &step, const EventCurve &active,
                                              std::span<const std::int64_t> times, double width,
                                              std::size_t places);

/// At most 1,024 places, fewer with thousands of steps; empty without steps.
[[nodiscard]] StepFold foldSteps(const std::vector<Step> &steps, const EventCurve &active,
                                 std::span<const std::int64_t> times,
                                 const StepThresholds &thresholds = {});

} // namespace vramscope
