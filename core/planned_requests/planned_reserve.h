// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/progress.h"
#include "core/estimate/estimate.h"
#include "core/estimate/verdict.h"
#include "core/simulator/allocator_settings.h"
#include "core/simulator/simulation.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace vramscope {

/// The reserved memory of a plan under one configuration, in the terms of its own figures: `result`
/// is two steps on a simulated allocator, but its peakReserved is the estimate's under `factor`.
struct PlannedReserve
{
    std::string configuration; ///< a PYTORCH_CUDA_ALLOC_CONF string
    std::vector<SettingIssue> issues;
    SimulationResult result;
    std::string peakAt;        ///< the first point at the peak: "loss, first step"
    std::string outOfMemoryAt; ///< where memory runs out; otherwise empty
    Bytes simulated = 0;       ///< the simulated allocator's own result
    double factor = 1;         ///< overheads.reserved_factor under the configuration
    Bytes low = 0;             ///< of the reserved level
    Bytes high = 0;
    std::optional<Verdict> verdict{}; ///< nothing if the capacity is unknown

    /// cudaMallocs that are not freed by the end; with expandable segments mapped ranges.
    [[nodiscard]] std::int64_t segments() const
    {
        return result.figures.driverAllocations - result.figures.driverFrees;
    }
};

/// The memory of a plan's GPU for the allocator, without memory used outside of it; nothing if its
/// capacity is unknown.
[[nodiscard]] std::optional<Bytes> allocatorCapacity(const Estimate &figures);

/// The reserved memory of a training plan under each of `configurations`. Empty for plans that
/// serve or have no figures. Takes milliseconds, so estimate() does not use it.
///
/// The factor behind Estimate::peakReserved sets the figure; the simulation only shows how much of
/// the factor's slack a configuration keeps: simulated slack relative to that of the settings of
/// the known factor (the plan's own overheads.alloc_conf if it gives a factor, else PyTorch's
/// default), on a device without a limit (with one if the configuration depends on it). So the
/// plan's own settings, by default PyTorch's, have its own figure, range and verdict, and any other
/// configuration those of the plan with `factor` as its factor. Effects of the simulated device's
/// limit are reported if the verdict leaves them open: retries if the plan is tight or does not
/// fit, running out of memory if it does not fit.
///
/// The reason, in percent of error (median and p95), over the shipped published peaks of reserved
/// memory and over the runs on an H200:
///
///                                          published (24)   H200 (147)
///     the factor                            4.8, p95 22.4   3.1, p95  8.5
///     the simulation, default               6.2, p95 23.8   2.4, p95 16.4
///     the simulation, expandable segments   7.7, p95 25.8   6.0, p95 14.8
///     only allocated memory                11.7, p95 31.8   6.7, p95 14.8
///
/// The FSDP2 rows ran with expandable segments (torchtitan's launcher sets them), and still are 9 %
/// above allocated memory and what other streams keep. So with FSDP2 no configuration gets less
/// than the factor. No measured run of the other kinds is known to have used expandable segments. A
/// factor in the plan, unless a recording gave it, is its author's knowledge and applies to every
/// configuration. tests/core/planned_requests checks these figures.
[[nodiscard]] std::vector<PlannedReserve>
plannedReserves(const Plan &plan, std::span<const std::string> configurations);

/// A PYTORCH_CUDA_ALLOC_CONF string with expandable segments on in addition to its options.
[[nodiscard]] std::string withExpandableSegments(std::string_view allocConf);

/// The reserved factor of a training plan under withExpandableSegments(), from plannedReserves();
/// nothing if the plan sets them already, if the factor equals the plan's own or if nothing can be
/// simulated.
[[nodiscard]] std::optional<double> expandableFactor(const Plan &plan);

/// The configurations to compare: `usual`, preceded by the plan's own if it has one.
[[nodiscard]] std::vector<std::string> withOwnConfiguration(const Plan &plan,
                                                            std::vector<std::string> usual);

/// What one plan reserves under some settings of the allocator, and on what device.
struct PlanReserves
{
    std::vector<PlannedReserve> reserves; ///< the first under PyTorch's default
    std::optional<Bytes> capacity;        ///< for the allocator; none: unknown
    std::optional<std::size_t> best;      ///< the one to use in place of the first

    /// The share of what the device has for the allocator; nothing if that is unknown.
    [[nodiscard]] std::optional<double> share(const PlannedReserve &reserve) const;
};

/// Under the usual settings, the plan's own and `own`, and which to use. Incomplete if `progress`
/// cancels.
[[nodiscard]] PlanReserves planReserves(const Plan &plan, const Estimate &figures,
                                        const std::string &own, const Progress &progress);

/// Why a setting does not lower a training plan's factor, in whole sentences; empty if it can.
[[nodiscard]] std::string reserveRemark(const Plan &plan);

/// Why plannedReserves() is empty for the plan of these figures, in whole sentences; otherwise
/// empty.
[[nodiscard]] std::string whyNothingReserved(const Estimate &figures,
                                             std::span<const PlannedReserve> reserves);

} // namespace vramscope
