// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/settings/degrees.h"

#include "core/plan/choices.h"
#include "core/plan/plan.h"

#include <numeric>

namespace vramscope {

std::optional<std::int64_t> replicaGpus(const PlanParallel &parallel)
{
    std::int64_t gpus = 1;
    for (const auto &degree : {parallel.tensor, parallel.pipeline, parallel.context})
        if (degree.value_or(1) < 1 || __builtin_mul_overflow(gpus, degree.value_or(1), &gpus))
            return std::nullopt;
    return gpus;
}

bool fillGpus(PlanParallel &parallel, std::int64_t gpus)
{
    const std::optional<std::int64_t> replica = replicaGpus(parallel);
    if (!replica || gpus < 1 || gpus % *replica != 0)
        return false;
    if (const std::int64_t data = gpus / *replica; data != parallel.data.value_or(1))
        parallel.data = data;
    return true;
}

std::optional<std::int64_t> fewestFilled(const PlanParallel &parallel, std::int64_t gpus)
{
    const std::optional<std::int64_t> replica = replicaGpus(parallel);
    if (!replica || gpus < 1)
        return std::nullopt;
    std::int64_t multiple = 0;
    const std::int64_t missing = *replica / std::gcd(gpus, *replica);
    return __builtin_mul_overflow(gpus, missing, &multiple) ? std::nullopt
                                                            : std::optional(multiple);
}

void keepGpus(Plan &plan, const Plan &before)
{
    if (before.hardware.gpus) {
        fillGpus(plan.parallel, *before.hardware.gpus);
        return;
    }
    const std::int64_t data = before.parallel.data.value_or(1);
    const std::optional<std::int64_t> replica = replicaGpus(before.parallel);
    std::int64_t gpus = 0;
    if (!replica || __builtin_mul_overflow(*replica, data, &gpus))
        return;
    if (const auto filled = fewestFilled(plan.parallel, gpus))
        fillGpus(plan.parallel, *filled);
    const bool replicates = plan.workload.value_or(Workload::Training) == Workload::Training &&
                            plan.parallel.strategy.value_or(Strategy::None) != Strategy::None;
    if (!replicates && plan.parallel.data.value_or(1) > data)
        plan.parallel.data = before.parallel.data; // nobody asked for replicas
}

} // namespace vramscope
