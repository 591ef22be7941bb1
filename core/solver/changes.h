// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/planner/settings.h"

#include <cstdint>
#include <span>
#include <string_view>

namespace vramscope {

/// A change to a plan that may save memory, or give it to the cache of a plan that serves.
struct Change
{
    std::string_view title; ///< with `{}` where the value of `counted` stands
    std::string_view price;
    bool changesResults = false;
    /// Changes the plan, whose settings are given; false where it is so already or has no place.
    bool (*apply)(Plan &, const Settings &) = nullptr;
    std::int64_t Settings::*counted = nullptr; ///< what the change sets to another number
};

/// All changes worth trying, for each workload.
[[nodiscard]] std::span<const Change> trainingChanges();
[[nodiscard]] std::span<const Change> servingChanges();
/// Of a diffusion pipeline, called or trained.
[[nodiscard]] std::span<const Change> diffusionChanges();

} // namespace vramscope
