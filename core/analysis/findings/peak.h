// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/costs/category_rules.h"
#include "core/analysis/costs/costs.h"
#include "core/analysis/costs/live_groups.h"
#include "core/trace/trace.h"

#include <optional>
#include <vector>

namespace vramscope {

class Study;

/// The moment at which the most bytes are active, what stands there and what was running.
struct Peak
{
    EventIndex event = -1; ///< -1: before the first event
    Bytes active = 0;
    Bytes reserved = 0; ///< at that event
    bool isReservedKnown = true;
    std::int64_t allocations = 0;
    std::vector<LiveGroup> byStack; ///< all of them, the most bytes first; they add up to active

    struct CategoryShare
    {
        MemoryCategory category = MemoryCategory::Unknown;
        Tally tally;
        double confidence = 0; ///< mean, weighted by bytes
    };
    std::vector<CategoryShare> byCategory; ///< the most bytes first

    /// Names of the annotation ranges open then, innermost first.
    std::vector<StringId> running;
    StackId stack = StackId::None;   ///< of the peak's event: what was being allocated
    std::optional<std::size_t> step; ///< index into Steps::steps
    double position = 0;             ///< in the step, 0 … 1
};

/// Linear in what is alive at the peak and in the annotations, but for sorting groups.
[[nodiscard]] Peak findPeak(const Study &study);

/// Whether the categories say what the memory of the peak is: three bytes in four are of a category
/// that is judged with a mean confidence of 0.65 or more, and that is not "temporary", which says
/// nothing of what is held.
[[nodiscard]] bool areCategoriesSure(const Peak &peak);

} // namespace vramscope
