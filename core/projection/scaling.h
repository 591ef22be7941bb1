// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/estimate/estimate.h"
#include "core/plan/plan.h"
#include "core/projection/step_time.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace vramscope {

/// What stays as the GPUs change.
enum class Scaling {
    Weak,  ///< the batch of each GPU: more GPUs make a larger step
    Strong ///< the batch of the job: more GPUs make a shorter step
};

/// The plan on another number of GPUs: degrees that split the model stay, data parallelism takes
/// the rest, as DDP where the plan has one GPU. Strong scaling divides the accumulation, then the
/// micro-batch. An error says what does not divide.
[[nodiscard]] Result<Plan> planOn(const Plan &plan, std::int64_t gpus, Scaling scaling);

/// A plan on one number of GPUs.
struct ScalePoint
{
    std::int64_t gpus = 1;
    std::string whyNot; ///< nothing else is known where this is not empty
    Plan plan;
    Estimate estimate; ///< its memory: never a second formula
    StepTime time;
    /// Of the speed that the first point has, so many times the GPUs would have: tokens a second
    /// and GPU over those of the first point.
    double efficiency = 1;
    double speedup = 1; ///< tokens a second over those of the first point
    /// What the figures rest on beyond what was measured, in sentences.
    std::vector<std::string> beyond;

    [[nodiscard]] bool known() const { return whyNot.empty(); }
    [[nodiscard]] double communicationShare() const
    {
        return time.communication / time.seconds.likely;
    }
};

/// The GPUs of one replica, and powers of two times as many up to 1,024 GPUs or four times the
/// plan's.
[[nodiscard]] std::vector<std::int64_t> usualCounts(const Plan &plan);

/// The points of these numbers of GPUs, in their order.
[[nodiscard]] std::vector<ScalePoint> scalePoints(const Plan &plan,
                                                  std::span<const std::int64_t> gpus,
                                                  Scaling scaling,
                                                  const SpeedCalibration *calibration = nullptr);

} // namespace vramscope
