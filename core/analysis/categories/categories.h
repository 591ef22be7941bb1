// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/categories/category_thresholds.h"
#include "core/analysis/costs/category_rules.h"
#include "core/analysis/replayed/allocations.h"
#include "core/analysis/steps/steps.h"
#include "core/base/progress.h"

#include <span>
#include <string>
#include <vector>

namespace vramscope {

/// What an allocation is for, with its confidence and reason.
struct CategoryJudgement
{
    Category category = Category::Unknown;
    Category guess = Category::Unknown; ///< the category, or the best guess if it is not known
    float confidence = 0;               ///< that the guess is right, 0 … 1
    std::uint16_t reason = 0;
};

/// The categories of all allocations of a device. Immutable once built.
class Categories
{
public:
    [[nodiscard]] const CategoryJudgement &of(AllocationIndex index) const
    {
        return m_of[static_cast<std::size_t>(index)];
    }
    /// The phase in which an allocation was made.
    [[nodiscard]] Phase phaseOf(AllocationIndex index) const
    {
        return m_phases[static_cast<std::size_t>(index)];
    }
    /// Whether the recorded program trains.
    [[nodiscard]] bool trains() const { return m_trains; }
    /// In words: "made in backward, freed by the optimizer".
    [[nodiscard]] const std::string &reason(AllocationIndex index) const
    {
        return m_reasons[of(index).reason];
    }

private:
    friend Categories categorize(const Trace &, const DeviceTrace &, const Allocations &,
                                 const std::vector<CategoryRule> &, const Progress &,
                                 const CategoryThresholds &);
    std::vector<CategoryJudgement> m_of;
    std::vector<std::string> m_reasons;
    std::vector<Phase> m_phases;
    bool m_trains = false;
};

/// Classifies every allocation: by the category that the file records, else by the rule of the
/// highest priority that a frame of its stack matches and its lifetime does not contradict, else by
/// its lifetime and size: the phases that made and freed it and that it lived through, and what
/// else has its size. Time n log n in the allocations, and linear in distinct stacks, names and
/// paths × rules. The result is empty once `progress` asks to stop.
[[nodiscard]] Categories categorize(const Trace &trace, const DeviceTrace &device,
                                    const Allocations &allocations,
                                    const std::vector<CategoryRule> &rules = defaultCategoryRules(),
                                    const Progress &progress = {},
                                    const CategoryThresholds &thresholds = {});

} // namespace vramscope
