// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/plan.h"

#include <cstdint>
#include <optional>

// Degrees of parallelism beside the GPUs of a job: GPUs stay as they are given, and data
// parallelism gives way.

namespace vramscope {

/// GPUs of one replica of the model: tensor × pipeline × context. Nothing where a degree is none,
/// or more than can be counted.
[[nodiscard]] std::optional<std::int64_t> replicaGpus(const PlanParallel &parallel);

/// Gives data parallelism what the other degrees leave of `gpus`. False, and nothing is changed,
/// where they do not divide them.
bool fillGpus(PlanParallel &parallel, std::int64_t gpus);

/// The least multiple of `gpus` that replicas of the model fill; nothing where there is none.
[[nodiscard]] std::optional<std::int64_t> fewestFilled(const PlanParallel &parallel,
                                                       std::int64_t gpus);

/// After a degree other than data parallelism was set in `plan`: keeps the GPUs that `before` has.
/// Where it states them and the degrees do not divide them, they and data parallelism stay as they
/// are, and the plan is refused with that reason (checks.h). Where it leaves them to follow from
/// the degrees, none were given: data parallelism gives up what it can, and they grow by the rest;
/// they shrink where the plan replicates nothing.
void keepGpus(Plan &plan, const Plan &before);

} // namespace vramscope
