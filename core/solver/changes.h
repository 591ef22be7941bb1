// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/field_path.h"
#include "core/settings/settings.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace vramscope {

/// The cost of a change other than memory and time, the least first.
enum class Toll {
    None,     ///< a setting of the framework
    Code,     ///< another kernel, or a loss function that the program has to call
    Limits,   ///< something that worked no longer does: clipping, or as many requests at once
    Slow,     ///< many times slower, where no time is projected to show it
    Results,  ///< numbers are rounded: results change
    Learning, ///< no fp32 masters: the optimizer may stop learning
    Job       ///< another job: shorter texts, adapters instead of the model
};

/// How late a change is recommended, whatever it gains: one that may stop the learning comes after
/// all that keep it, another job after all that keep the job.
[[nodiscard]] constexpr int lastResort(Toll toll)
{
    return toll == Toll::Job ? 2 : toll == Toll::Learning ? 1 : 0;
}

/// A change to a plan that may save memory, or give it to the cache of a plan that serves.
struct Change
{
    std::string_view title; ///< with `{}` for the value of `number`
    std::string_view price;
    Toll toll = Toll::None;
    /// Changes the plan with these settings; false where the change is in force or does not apply.
    bool (*apply)(Plan &, const Settings &) = nullptr;
    std::string_view choice = {}; ///< key of a decision that only one of several changes can make;
                                  ///< empty: the title is the key
    std::optional<FieldPath> number = {}; ///< the field that the change sets to another number
    bool lowers = false;        ///< it halves the number; waysToFit() finds the largest that fits
    bool simulated = false;     ///< needs the simulated allocator: milliseconds, not microseconds
    std::string_view part = {}; ///< title of a change that does a part of this one; empty: none

    [[nodiscard]] bool changesResults() const { return toll >= Toll::Results; }
    /// Whether both make the same decision.
    [[nodiscard]] bool excludes(const Change &other) const
    {
        return choice.empty() ? title == other.title : choice == other.choice;
    }
};

/// The change by the value it sets and, where it replaces one, the value in force; with the GPUs
/// that it needs beyond those of the plan.
[[nodiscard]] std::string titleOf(const Change &change, const Settings &before,
                                  const Settings &after);

/// All changes worth trying, for each workload.
[[nodiscard]] std::span<const Change> trainingChanges();
[[nodiscard]] std::span<const Change> servingChanges();
/// Changes for a diffusion pipeline, called or trained.
[[nodiscard]] std::span<const Change> diffusionChanges();
/// Changes for the settings' workload.
[[nodiscard]] std::span<const Change> changesOf(const Settings &settings);

} // namespace vramscope
