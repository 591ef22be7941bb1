// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/estimate/estimate.h"
#include "core/estimate/verdict.h"
#include "core/simulator/allocator_settings.h"
#include "core/simulator/simulation.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace vramscope {

/// What a plan reserves under one configuration, in the terms of its own figures: `result` is two
/// steps on a simulated allocator, but its peakReserved is the estimate's under `factor`.
struct PlannedReserve
{
    std::string configuration; ///< a PYTORCH_CUDA_ALLOC_CONF string
    std::vector<SettingIssue> issues;
    SimulationResult result;
    std::string peakAt;        ///< where most is reserved for the first time: "loss, first step"
    std::string outOfMemoryAt; ///< where memory does not suffice; else empty
    Bytes simulated = 0;       ///< what the simulated allocator alone comes to
    double factor = 1;         ///< overheads.reserved_factor under the configuration
    Bytes low = 0;             ///< of the reserved level
    Bytes high = 0;
    std::optional<Verdict> verdict{}; ///< none where the capacity is unknown

    /// cudaMallocs that are not given back at the end; of expandable segments mapped ranges.
    [[nodiscard]] std::int64_t segments() const
    {
        return result.figures.driverAllocations - result.figures.driverFrees;
    }
};

/// What the GPU of a plan has for the allocator, all but what stands beside reserved memory; none
/// where its capacity is unknown.
[[nodiscard]] std::optional<Bytes> allocatorCapacity(const Estimate &figures);

/// What a training plan reserves under each of `configurations`. Empty for plans that serve or have
/// no figures. Takes milliseconds, so estimate() does not use it.
///
/// The factor behind Estimate::peakReserved owns the figure; the simulation only says how much of
/// the factor's slack a configuration keeps: simulated slack over that of the settings under which
/// the factor is known (the plan's own overheads.alloc_conf where it states a factor, else
/// PyTorch's default), on a device without an end (with one where the configuration depends on it).
/// So the plan's own settings, PyTorch's default where it states none, have its own figure, band
/// and verdict, and any other is that of the plan with `factor` put in. What the simulated device's
/// end does is told as far as the verdict leaves it open: retries where the plan is tight or does
/// not fit, when memory runs out where it does not fit.
///
/// Why so, over the 24 published peaks of reserved memory that ship, in percent off:
///
///                                          FSDP2 (12)      others (12)      all: median, p95
///     the factor                           4.2, p95  9.7   6.2, p95 19.8    5.0   19.6
///     the simulation, default             10.2, p95 30.7   4.0, p95 20.8    6.4   24.6
///     the simulation, expandable segments  7.4, p95 15.0   9.5, p95 30.0    7.4   23.8
///     mean of factor and simulation        7.3, p95 20.2   5.4, p95 20.3    6.1   20.2
///     nothing but what is allocated       10.4, p95 17.9  14.2, p95 32.0   11.7   31.8
///
/// The FSDP2 rows ran with expandable segments (torchtitan's launcher sets them), and lie 9 % above
/// what is allocated all the same: scaled down they would be off by 5.7, always too low. So with
/// FSDP2 no configuration is given less than the factor. Of the other kinds no run under expandable
/// segments is known to have been measured. A factor that the plan states, unless a recording gave
/// it, is what its author knows of his settings and holds under every configuration.
/// tests/core/planned_requests holds these figures.
[[nodiscard]] std::vector<PlannedReserve>
plannedReserves(const Plan &plan, std::span<const std::string> configurations);

/// A PYTORCH_CUDA_ALLOC_CONF string with expandable segments on beside what it has.
[[nodiscard]] std::string withExpandableSegments(std::string_view allocConf);

/// The reserved factor of a training plan under withExpandableSegments(), as plannedReserves() has
/// it; nothing where the plan states them already, where the factor is no other than the plan's own
/// or there is nothing to simulate.
[[nodiscard]] std::optional<double> expandableFactor(const Plan &plan);

/// The configurations to compare: `usual`, before it the plan's own where it states one.
[[nodiscard]] std::vector<std::string> withOwnConfiguration(const Plan &plan,
                                                            std::vector<std::string> usual);

/// Why a setting brings a training plan no less than its factor, in whole sentences; empty where it
/// can.
[[nodiscard]] std::string reserveRemark(const Plan &plan);

/// Why plannedReserves() gave nothing for the plan of these figures, in whole sentences; empty
/// where it gave something.
[[nodiscard]] std::string whyNothingReserved(const Estimate &figures,
                                             std::span<const PlannedReserve> reserves);

} // namespace vramscope
