// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/solver/edits.h"

#include <numeric>

namespace vramscope {

namespace {

bool raise(Plan &plan, const Settings &s, std::optional<std::int64_t> &field, std::int64_t inForce,
           std::int64_t degree)
{
    if (inForce >= degree || degree % inForce != 0)
        return false;
    field = degree;
    const std::int64_t factor = degree / inForce;
    const std::int64_t given =
        s.workload == Workload::Training ? std::gcd(s.data, factor) : std::int64_t(1);
    if (given > 1) {
        plan.parallel.data = s.data / given;
        plan.batch.accumulationSteps = s.accumulationSteps * given; // the same sequences a step
    }
    if (plan.hardware.gpus)
        plan.hardware.gpus = s.gpus * (factor / given);
    return true;
}

} // namespace

bool halve(std::optional<std::int64_t> &field, std::int64_t inForce)
{
    if (inForce < 2)
        return false;
    field = inForce / 2;
    return true;
}

bool raiseTensor(Plan &plan, const Settings &s, std::int64_t degree)
{
    if (!raise(plan, s, plan.parallel.tensor, s.tensor, degree))
        return false;
    if (s.workload == Workload::Training)
        plan.parallel.sequence = true;
    return true;
}

bool raisePipeline(Plan &plan, const Settings &s, std::int64_t degree)
{
    if (!raise(plan, s, plan.parallel.pipeline, s.pipeline, degree))
        return false;
    plan.parallel.layersPerStage = std::nullopt; // they were those of other stages
    return true;
}

bool raiseContext(Plan &plan, const Settings &s, std::int64_t degree)
{
    return raise(plan, s, plan.parallel.context, s.context, degree);
}

} // namespace vramscope
