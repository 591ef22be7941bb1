// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/categories/group_categories.h"
#include "core/analysis/costs/category_rules.h"
#include "core/analysis/costs/costs.h"
#include "core/trace/trace.h"

#include <optional>
#include <vector>

namespace vramscope {

class Study;

/// The moment with the most active bytes, the memory in use and the running code.
struct Peak
{
    EventIndex event = -1; ///< -1: before the first event
    Bytes active = 0;
    Bytes reserved = 0; ///< at that event
    bool isReservedKnown = true;
    std::int64_t allocations = 0;
    std::vector<LiveGroup> byStack; ///< all of them, the most bytes first; they add up to active

    std::vector<GroupCategory> kinds; ///< of each of byStack

    struct CategoryShare
    {
        Category category = Category::Unknown;
        Tally tally;
        double confidence = 0; ///< mean, weighted by bytes
    };
    std::vector<CategoryShare> byCategory; ///< the most bytes first

    /// Names of the annotation ranges open then, innermost first.
    std::vector<StringId> running;
    StackId stack = StackId::None;   ///< of the peak's event: the allocation in progress
    Phase phase = Phase::Unknown;    ///< in which that allocation is made
    bool trains = false;             ///< whether the recorded program trains
    std::optional<std::size_t> step; ///< index into Steps::steps
    double position = 0;             ///< in the step, 0 … 1
};

/// Linear in the memory alive at the peak and in the annotations, except for sorting groups.
[[nodiscard]] Peak findPeak(const Study &study);

/// Whether the categories explain the memory of the peak: three bytes in four have a category with
/// a mean confidence of 0.65 or more, and other than "temporary", which does not say what the
/// memory is for.
[[nodiscard]] bool areCategoriesSure(const Peak &peak);

} // namespace vramscope
