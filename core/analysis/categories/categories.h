// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

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
    MemoryCategory category = MemoryCategory::Unknown;
    float confidence = 0; ///< 0 … 1
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
    /// In words: "made in backward, freed by the optimizer".
    [[nodiscard]] const std::string &reason(AllocationIndex index) const
    {
        return m_reasons[of(index).reason];
    }

private:
    friend Categories categorize(const Trace &, const DeviceTrace &, const Allocations &,
                                 const Steps &, const std::vector<CategoryRule> &,
                                 const Progress &);
    std::vector<CategoryJudgement> m_of;
    std::vector<std::string> m_reasons;
};

/// Classifies every allocation: by the category that the file records, else by the rule of the
/// highest priority that a frame of its stack matches, else by its lifetime: the phase that made
/// it, the phase that freed it, and the steps that it lived through. Linear in the allocations and
/// in distinct stacks, names and paths × rules. The result is empty once `progress` asks to stop.
[[nodiscard]] Categories categorize(const Trace &trace, const DeviceTrace &device,
                                    const Allocations &allocations, const Steps &steps,
                                    const std::vector<CategoryRule> &rules = defaultCategoryRules(),
                                    const Progress &progress = {});

} // namespace vramscope
