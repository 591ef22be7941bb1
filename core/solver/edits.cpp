// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/solver/edits.h"

#include "core/base/exact.h"
#include "core/plan/field.h"
#include "core/settings/degrees.h"

namespace vramscope {

namespace {

bool raise(Plan &plan, const Settings &s, std::optional<std::int64_t> &field, std::int64_t inForce,
           std::int64_t degree)
{
    if (hasOnlyOneGpu(s) || inForce >= degree || degree % inForce != 0)
        return false;
    field = degree;
    const bool training = s.workload == Workload::Training; // serving replicas are not given up
    const std::optional<std::int64_t> gpus =
        training ? fewestFilled(plan.parallel, s.gpus) : std::optional(s.gpus / inForce * degree);
    if (!gpus || !fillGpus(plan.parallel, *gpus))
        return false;
    if (const std::int64_t data = plan.parallel.data.value_or(1); data < s.data)
        plan.batch.accumulationSteps = s.accumulationSteps * (s.data / data); // the same sequences
    if (plan.hardware.gpus)
        plan.hardware.gpus = *gpus;
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

std::vector<std::int64_t> microBatchesBelow(const Settings &s, std::int64_t limit)
{
    std::vector<std::int64_t> sizes;
    const Exact sequences = Exact(s.microBatch) * s.accumulationSteps;
    for (std::int64_t size = 1; size < limit; ++size)
        if (sequences.value() % size == 0)
            sizes.push_back(size);
    return sizes;
}

void setNumber(Plan &plan, const Settings &s, FieldPath number, std::int64_t value)
{
    fieldAt(number).set(plan, value);
    if (number == FieldPath("batch.micro_batch"))
        plan.batch.accumulationSteps = (Exact(s.microBatch) * s.accumulationSteps).value() / value;
}

bool hasOnlyOneGpu(const Settings &s)
{
    return s.gpu && s.gpu->memory == DeviceMemory::ShareOfPool;
}

bool raiseTensor(Plan &plan, const Settings &s, std::int64_t degree)
{
    if (!raise(plan, s, plan.parallel.tensor, s.tensor, degree))
        return false;
    if (s.workload == Workload::Training)
        plan.parallel.sequenceParallel = true;
    return true;
}

bool raisePipeline(Plan &plan, const Settings &s, std::int64_t degree)
{
    if (!raise(plan, s, plan.parallel.pipeline, s.pipeline, degree))
        return false;
    plan.parallel.layersPerStage = std::nullopt; // they belonged to other stages
    return true;
}

bool raiseContext(Plan &plan, const Settings &s, std::int64_t degree)
{
    return raise(plan, s, plan.parallel.context, s.context, degree);
}

void shardUnderFsdp2(Plan &plan, const Settings &s)
{
    plan.parallel.strategy = Strategy::Fsdp2;
    plan.parallel.gradientAsBucketView = std::nullopt;
    if (plan.precision.regime && s.regime == Regime::AutocastBf16)
        plan.precision.regime = Regime::FsdpMixedBf16;
}

void offloadUnderZero3(Plan &plan, const Settings &s)
{
    plan.parallel.strategy = Strategy::Zero3;
    plan.parallel.gradientAsBucketView = std::nullopt;
    if (plan.precision.regime && s.regime == Regime::AutocastBf16)
        plan.precision.regime = Regime::DeepSpeedBf16;
    plan.parallel.cpuOffload = true;
    plan.optimizer.offload = true;
}

void multiplyGpus(Plan &plan, const Settings &s, std::int64_t factor)
{
    plan.parallel.data = factor * s.data;
    if (s.strategy == Strategy::None)
        shardUnderFsdp2(plan, s);
    if (plan.hardware.gpus)
        plan.hardware.gpus = factor * s.gpus;
    if (s.accumulationSteps % factor == 0)
        plan.batch.accumulationSteps = s.accumulationSteps / factor;
}

bool divideGpus(Plan &plan, const Settings &s, std::int64_t divisor)
{
    const bool serves = s.workload == Workload::Inference;
    if (s.data % divisor == 0)
        plan.parallel.data = s.data / divisor;
    else if (serves && s.tensor % divisor == 0)
        plan.parallel.tensor = s.tensor / divisor;
    else
        return false;
    if (plan.hardware.gpus)
        plan.hardware.gpus = s.gpus / divisor;
    if (!serves)
        plan.batch.accumulationSteps = s.accumulationSteps * divisor;
    return true;
}

} // namespace vramscope
