// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/categories/categories.h"
#include "core/analysis/costs/costs.h"

#include <span>
#include <string>
#include <vector>

namespace vramscope {

/// What most bytes of a group of allocations are, and why.
struct GroupCategory
{
    Category category = Category::Unknown;
    Category guess = Category::Unknown; ///< if the category is not known
    double probability = 0;             ///< that the guess is right: the mean of these bytes
    std::string evidence;
    Bytes bytes = 0; ///< of the group that are of this category
};

/// The category of each of `groups`, which groupBySite() made from `chosen`.
[[nodiscard]] std::vector<GroupCategory> categoriesOf(std::span<const LiveGroup> groups,
                                                      std::span<const AllocationIndex> chosen,
                                                      const Allocations &allocations,
                                                      const Categories &categories);

} // namespace vramscope
