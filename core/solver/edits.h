// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/field_path.h"
#include "core/settings/settings.h"

#include <cstdint>
#include <optional>
#include <vector>

// Steps of the changes of a plan. Each returns false, and changes nothing, where it does not apply.

namespace vramscope {

/// Replaces a value in force.
template<class T>
bool put(std::optional<T> &field, const T &inForce, T value)
{
    if (inForce == value)
        return false;
    field = value;
    return true;
}

/// Halves the value in force.
[[nodiscard]] bool halve(std::optional<std::int64_t> &field, std::int64_t inForce);
/// The micro-batches, smallest first, below a limit that keep the sequences of a step by
/// accumulation.
[[nodiscard]] std::vector<std::int64_t> microBatchesBelow(const Settings &settings,
                                                          std::int64_t limit);
/// Sets a number; of a micro-batch, accumulation keeps the sequences of a step.
void setNumber(Plan &plan, const Settings &settings, FieldPath number, std::int64_t value);

/// Whether the GPU is a part of its machine, such as a Mac: there is no second one to add.
[[nodiscard]] bool hasOnlyOneGpu(const Settings &settings);

/// Raise a degree: data parallelism gives up what it can, and accumulation keeps the sequences of a
/// step; the job grows by the rest. Sequence parallelism comes with tensor parallelism in training.
[[nodiscard]] bool raiseTensor(Plan &plan, const Settings &settings, std::int64_t degree);
[[nodiscard]] bool raisePipeline(Plan &plan, const Settings &settings, std::int64_t degree);
[[nodiscard]] bool raiseContext(Plan &plan, const Settings &settings, std::int64_t degree);

/// More GPUs for training, by data parallelism; one alone becomes FSDP2 over several. Accumulation
/// keeps the sequences of a step where it can.
void multiplyGpus(Plan &plan, const Settings &settings, std::int64_t factor);
/// A part of the GPUs: fewer replicas, or a served model in fewer parts. False where they are not
/// divisible by that.
[[nodiscard]] bool divideGpus(Plan &plan, const Settings &settings, std::int64_t divisor);

/// FSDP2 with its usual mixed precision, where fp32 weights ran under autocast.
void shardUnderFsdp2(Plan &plan, const Settings &settings);
/// ZeRO-3 with DeepSpeed's precision, and all that it divides in the host's memory.
void offloadUnderZero3(Plan &plan, const Settings &settings);

} // namespace vramscope
