// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/plan/plan.h"
#include "core/projection/step_time.h"
#include "core/solver/fit_summary.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace vramscope {

/// How a training job is divided over its GPUs, the main factor of its speed.
enum class StrategyKind {
    OneGpu,
    Plain,    ///< every GPU has all of it: DDP, Megatron-LM's plain data parallelism
    Sharded,  ///< parameters, gradients or states are sharded over all replicas
    Hybrid,   ///< the same within groups, which are replicas of each other
    Tensor,   ///< layers are divided within a node
    Pipeline, ///< layers are dealt out to stages
    Context,  ///< sequences are divided
    Experts,  ///< experts are spread
    Mixed     ///< several of tensor, pipeline, context and experts
};

/// "Sharded data parallel"
[[nodiscard]] std::string_view kindTitle(StrategyKind kind);

/// One way to divide the job, with its needs and its speed.
struct StrategyOption
{
    StrategyKind kind = StrategyKind::OneGpu;
    std::string title; ///< "FSDP2, full sharding, tensor 8, micro-batch 2, checkpointing full"
    Plan plan;
    FitSummary standing;
    StepTime time;
    bool onFront = false; ///< each faster option needs at least a twentieth more memory
};

/// Which strategy a plan should take on its GPUs, and why.
struct StrategyGuide
{
    std::vector<StrategyOption> options;  ///< that fit, the fastest first: the front of memory and
                                          ///< speed, and the best of each kind
    std::vector<StrategyOption> tooLarge; ///< the leanest of each kind that does not fit at all
    std::vector<std::string> reasons;     ///< why the first is first, each with its figures
    std::vector<std::string> changes;     ///< changes of the job that would alter the choice
    std::int64_t weighed = 0;             ///< layouts whose figures were computed
    std::int64_t fitting = 0;
    std::string held; ///< varied fields and values that the plan keeps, in sentences
};

/// The first option of a plan that has a guide; nothing where none fits.
[[nodiscard]] std::optional<StrategyOption> fastestStrategy(const Plan &plan,
                                                            const SpeedCalibration *calibration);

/// Evaluates tensor, pipeline, context, expert and data parallelism, the strategies of the plan's
/// framework, checkpointing and micro-batch on the plan's GPUs; the sequences of a step stay. An
/// option is likely to fit with a fortieth of the card free or, without such an option, just likely
/// to fit. Among options within half a percent of each other's speed the one of fewer degrees comes
/// first, then the one of larger micro-batches. An error says why nothing is compared.
[[nodiscard]] Result<StrategyGuide> strategyGuide(const Plan &plan,
                                                  const SpeedCalibration *calibration = nullptr,
                                                  const Progress &progress = {});

} // namespace vramscope
