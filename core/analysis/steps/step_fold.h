// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/steps/steps.h"

#include <span>

namespace vramscope {

/// The steps of a device laid over each other, each from its own first event on. What is laid out
/// in places of equal width, in events or in µs; a step has at a place the most bytes that are
/// active in any state of its that stands there, so that no peak is lost. In what is said of all,
/// whole steps count, without the first one, which warms up, where two others are whole: one cut
/// off, or whose start is not known, would stand askew. Where no step is whole, all count.
struct StepFold
{
    /// Of all steps that count and last as long.
    struct Place
    {
        Bytes lowest = 0;
        Bytes median = 0;
        Bytes highest = 0;
        std::uint32_t steps = 0; ///< 0: none lasts as long
        bool operator==(const Place &) const = default;
    };

    double width = 1; ///< of a place, in events or µs
    std::vector<Place> places;
    std::vector<bool> counts; ///< by step
    Bytes medianPeak = 0;     ///< of the steps that count
    std::size_t highest = 0;  ///< the step with the highest peak of all, the first of equals
    /// Those whose peak is more than a hundredth and more than five median deviations away from
    /// medianPeak; ascending.
    std::vector<std::size_t> outliers;
};

/// The steps of a device laid over each other both ways.
struct StepFolds
{
    StepFold byEvent;
    StepFold byTime; ///< as by event where no times are recorded
};

/// From its first event to its last: in µs where `times` has those of the device's events
/// (ascending), else in events.
[[nodiscard]] std::int64_t lengthOf(const Step &step, std::span<const std::int64_t> times);

/// What one step has at each of the `places` first places of `width` that it lasts for. Time
/// `places` × log of the step's events.
[[nodiscard]] std::vector<Bytes> bytesByPlace(const Step &step, const EventCurve &active,
                                              std::span<const std::int64_t> times, double width,
                                              std::size_t places);

/// At most 1,024 places, fewer where there are thousands of steps; none without steps.
[[nodiscard]] StepFold foldSteps(const std::vector<Step> &steps, const EventCurve &active,
                                 std::span<const std::int64_t> times);

} // namespace vramscope
