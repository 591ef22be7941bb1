// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/projection/scaling.h"

#include "core/base/format.h"
#include "core/planner/degrees.h"
#include "core/planner/settings.h"

#include <numeric>

namespace vramscope {

namespace {

/// The most GPUs of a published run that the rates were read off.
constexpr std::int64_t kMostMeasured = 512;

/// Gives the job `replicas` times what `before` has without changing its batch.
Result<void> divideBatch(Plan &plan, std::int64_t before, std::int64_t after)
{
    const Settings s = resolve(plan).settings;
    const std::int64_t sequences = s.microBatch * s.accumulationSteps * before;
    if (sequences % after != 0)
        return Error{ErrorCode::Invalid, formatCount(sequences) +
                                             " sequences a step do not divide over " +
                                             formatCount(after) + " replicas"};
    const std::int64_t each = sequences / after;
    // Micro-batches stay as large as they were where they can.
    const std::int64_t micro = std::gcd(each, s.microBatch);
    plan.batch.microBatch = micro;
    plan.batch.accumulationSteps = each / micro;
    return {};
}

std::string beyondText(const Settings &s)
{
    if (s.gpus <= kMostMeasured)
        return {};
    return "No published run that the rates come from had more than " + formatCount(kMostMeasured) +
           " GPUs.";
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
    if (!fillGpus(degrees, gpus))
        return Error{ErrorCode::Invalid, formatCount(gpus) + " GPUs are no multiple of the " +
                                             formatCount(replicaGpus(degrees).value_or(1)) +
                                             " of one replica"};
    other.hardware.gpus = gpus;
    other.parallel = degrees;
    if (scaling == Scaling::Strong && before.workload == Workload::Training) {
        if (const Result<void> divided = divideBatch(other, before.data, *degrees.data); !divided)
            return divided.error();
    }
    return other;
}

std::vector<ScalePoint> scalePoints(const Plan &plan, std::span<const std::int64_t> gpus,
                                    Scaling scaling, const SpeedCalibration *calibration)
{
    std::vector<ScalePoint> points;
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
        point.beyond = beyondText(*point.estimate.settings);
        if (!first)
            first = &point;
        const auto speedOfOne = [](const ScalePoint &of) {
            return of.time.tokensPerSecond().likely / static_cast<double>(of.gpus);
        };
        point.efficiency = speedOfOne(point) / speedOfOne(*first);
    }
    return points;
}

} // namespace vramscope
