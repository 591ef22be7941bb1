// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/projection/scaling.h"

#include "core/base/counted.h"
#include "core/base/exact.h"
#include "core/base/format.h"
#include "core/settings/degrees.h"
#include "core/settings/settings.h"

#include <algorithm>
#include <numeric>

namespace vramscope {

namespace {

/// The most GPUs of a published run that the rates were read off.
constexpr std::int64_t kMostMeasured = 512;

/// Gives the job `replicas` times what `before` has without changing its batch.
Result<void> divideBatch(Plan &plan, std::int64_t before, std::int64_t after)
{
    const Settings s = resolve(plan).settings;
    const Exact all = Exact(s.microBatch) * s.accumulationSteps * before;
    if (all.overflowed())
        return Error{ErrorCode::Invalid, "A step has more sequences than can be counted."};
    const std::int64_t sequences = all.value();
    if (sequences % after != 0)
        return Error{ErrorCode::Invalid, counted(sequences, "sequence") + " a step " +
                                             (sequences == 1 ? "does" : "do") +
                                             " not divide over " + counted(after, "replica") + "."};
    const std::int64_t each = sequences / after;
    // Micro-batches stay as large as they were where they can.
    const std::int64_t micro = std::gcd(each, s.microBatch);
    plan.batch.microBatch = micro;
    plan.batch.accumulationSteps = each / micro;
    return {};
}

std::vector<std::string> beyondOf(const Settings &base, const ScalePoint &point,
                                  const SpeedCalibration *calibration)
{
    const Settings &s = *point.estimate.settings;
    std::vector<std::string> beyond;
    const bool crosses = s.gpus > s.gpusPerNode;
    if (crosses && (!calibration || calibration->gpus <= s.gpusPerNode))
        beyond.push_back(
            "The network between nodes is " +
            std::string(point.plan.hardware.networkGigabits ? "as stated" : "assumed") +
            ", not measured: " + formatCount(s.networkGigabits) + " Gb/s a GPU.");
    if (s.gpus > kMostMeasured)
        beyond.push_back("No published run that the rates come from had more than " +
                         formatCount(kMostMeasured) + " GPUs.");
    const auto tokensOf = [](const Settings &of) {
        return static_cast<double>(of.microBatch) * static_cast<double>(of.sequenceLength);
    };
    if (2 * tokensOf(s) < tokensOf(base))
        beyond.push_back("Micro-batches have less than half the tokens of the plan's, at which "
                         "kernels may be slower.");
    return beyond;
}

} // namespace

Result<Plan> planOn(const Plan &plan, std::int64_t gpus, Scaling scaling)
{
    const Settings before = resolve(plan).settings;
    Plan other = plan;
    PlanParallel degrees = plan.parallel;
    degrees.tensor = before.tensor;
    degrees.pipeline = before.pipeline;
    degrees.context = before.context;
    const std::optional<std::int64_t> replica = replicaGpus(degrees);
    if (!replica)
        return Error{ErrorCode::Invalid,
                     "The parallel degrees multiply to more GPUs than can be counted."};
    if (!fillGpus(degrees, gpus))
        return Error{ErrorCode::Invalid, counted(gpus, "GPU") + (gpus == 1 ? " is" : " are") +
                                             " no multiple of the " + formatCount(*replica) +
                                             " of one replica."};
    other.hardware.gpus = gpus;
    other.parallel = degrees;
    if (before.strategy == Strategy::None && gpus > 1)
        other.parallel.strategy = Strategy::Ddp;
    if (scaling == Scaling::Strong && before.workload == Workload::Training) {
        if (const Result<void> divided = divideBatch(other, before.data, degrees.data.value_or(1));
            !divided)
            return divided.error();
    }
    return other;
}

std::vector<std::int64_t> usualCounts(const Plan &plan)
{
    constexpr std::int64_t kMost = 1024;
    const Settings s = resolve(plan).settings;
    const std::int64_t replica =
        std::max<std::int64_t>((Exact(s.tensor) * s.pipeline * s.context).value(), 1);
    const std::int64_t last = std::max(kMost, (Exact(4) * s.gpus).value());
    std::vector<std::int64_t> counts = {replica};
    for (Exact gpus = Exact(2) * replica; gpus.value() <= last && !gpus.overflowed(); gpus *= 2)
        counts.push_back(gpus.value());
    return counts;
}

std::vector<ScalePoint> scalePoints(const Plan &plan, std::span<const std::int64_t> gpus,
                                    Scaling scaling, const SpeedCalibration *calibration)
{
    std::vector<ScalePoint> points;
    const Settings base = resolve(plan).settings;
    const ScalePoint *first = nullptr;
    points.reserve(gpus.size()); // `first` stays where it is
    for (const std::int64_t count : gpus) {
        ScalePoint &point = points.emplace_back();
        point.gpus = count;
        Result<Plan> other = planOn(plan, count, scaling);
        if (!other) {
            point.whyNot = other.error().detail;
            continue;
        }
        point.plan = std::move(*other);
        point.estimate = estimate(point.plan);
        if (!point.estimate.computed) {
            point.whyNot = whyNotComputed(point.estimate);
            continue;
        }
        Result<StepTime> time =
            projectStep(*point.estimate.settings, point.estimate.work, calibration);
        if (!time) {
            point.whyNot = time.error().detail;
            continue;
        }
        point.time = std::move(*time);
        point.beyond = beyondOf(base, point, calibration);
        if (!first)
            first = &point;
        const auto speedOfOne = [](const ScalePoint &of) {
            return of.time.tokensPerSecond().likely / static_cast<double>(of.gpus);
        };
        point.efficiency = speedOfOne(point) / speedOfOne(*first);
        point.speedup =
            point.efficiency * static_cast<double>(point.gpus) / static_cast<double>(first->gpus);
    }
    return points;
}

} // namespace vramscope
