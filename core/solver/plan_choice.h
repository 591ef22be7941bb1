// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/estimate/estimate.h"
#include "core/plan/plan.h"

#include <cstddef>
#include <span>

namespace vramscope {

/// A plan to choose, with its needs.
struct PlanToChoose
{
    const Plan *plan = nullptr;
    const Estimate *estimate = nullptr;
};

/// One of several plans, and its advantage.
struct PlanChoice
{
    enum class Reason {
        Fits,     ///< it fits, or fits more surely, than every other plan
        Price,    ///< its tokens cost least
        GpuHours, ///< its tokens take the fewest GPU hours
        Headroom, ///< it leaves the largest part of its GPU's memory free
        Alike,    ///< the plans cost the same
        Unknown   ///< the costs of a plan are unknown
    };
    std::size_t plan = 0;   ///< its index among the plans
    std::size_t second = 0; ///< index of the plan that would be chosen without it; of one alone: 0
    Reason reason = Reason::Alike;
};

/// Chooses among plans, one at least, by their costs and never by their order: first by the
/// verdict; then by the price of a token, where every remaining plan states the price of its GPU
/// hour; else by the GPU hours of a token, where the time of each is projected and all train or all
/// serve; then by the share of the memory that stays free.
[[nodiscard]] PlanChoice choosePlan(std::span<const PlanToChoose> plans);

} // namespace vramscope
